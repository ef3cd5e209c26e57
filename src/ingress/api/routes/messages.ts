/** Routes of messages: one by its id, and the feed (docs/public-api.md sections 4.3, 4.4). */
import { isUlid } from "../../../core/ids.ts";
import { findMessage, messageObject } from "../../../domain/messages/message-view.ts";
import { dataAnswer, jsonAnswer, NOT_FOUND, problem } from "../../http/problem.ts";
import { requireCaller } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import type { FeedReader } from "../feed-reader.ts";
import { feedDoc, messageFetchDoc } from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";
import { parseQueryString, readFeedQuery } from "../request-parsers.ts";

/** Single messages and the feed of their changes (docs/public-api.md sections 4.3 and 4.4). */
export function messageRoutes(
  routes: ApiRoutes,
  { clock, settings, store }: ApiDeps,
  feed: FeedReader,
): void {
  routes
    .get(
      "/messages",
      async ({ exchange, request }) => {
        const lookbackMs = settings.now().api.max_lookback_hours * 3_600_000;
        const nowMs = clock.nowMs();
        const earliestUs = (nowMs - lookbackMs) * 1000;
        const query = readFeedQuery(parseQueryString(request.url), earliestUs);
        if (!query.ok) return problem(exchange, query.refusal);
        const { accountId } = requireCaller(exchange);
        const page = await feed.page({ accountId, nowUs: nowMs * 1000, earliestUs, ...query.value });
        return page === null ? problem(exchange, NOT_FOUND) : jsonAnswer(200, page);
      },
      operation(feedDoc),
    )
    .get(
      "/messages/:message_id",
      ({ exchange, params: { message_id: ulid } }) => {
        const row = isUlid(ulid) ? findMessage(store.read, requireCaller(exchange).accountId, ulid) : null;
        return row ? dataAnswer(messageObject(row)) : problem(exchange, NOT_FOUND);
      },
      operation(messageFetchDoc),
    );
}
