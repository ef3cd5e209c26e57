import { Elysia } from "elysia";
import { isUlid } from "../../base/ids.ts";
import { feedPage } from "../../messages/feed.ts";
import { stampToIso } from "../../messages/stamps.ts";
import { findMessage, messageObject } from "../../messages/view.ts";
import type { HttpDeps } from "../deps.ts";
import { exchangeOf, principalOf } from "../exchange.ts";
import { readFeedQuery } from "../feed-query.ts";
import { API_BASE } from "../gate.ts";
import { feedDoc, messageFetchDoc } from "../openapi/operations.ts";
import { dataAnswer, NOT_FOUND, problem } from "../problem.ts";
import { queryOf } from "../target.ts";

/** Single messages and the feed of their changes (docs/public-api.md sections 4.3 and 4.4). */
export function messageRoutes(deps: HttpDeps) {
  const lookbackMs = deps.config.api.max_lookback_hours * 3_600_000;
  return new Elysia({ prefix: API_BASE })
    .get(
      "/messages",
      ({ request }) => {
        const { accountId } = principalOf(request);
        const earliestUs = (deps.clock.nowMs() - lookbackMs) * 1000;
        const query = readFeedQuery(queryOf(request), earliestUs);
        if (!query.ok) return problem(exchangeOf(request), query.refusal);
        const page = feedPage(deps.store.read, { accountId, ...query.value });
        if (!page) return problem(exchangeOf(request), NOT_FOUND);
        return dataAnswer({
          messages: page.messages,
          next_status_changed_since: stampToIso(page.nextUs),
          has_more: page.hasMore,
        });
      },
      { detail: feedDoc },
    )
    .get(
      "/messages/:message_id",
      ({ request, params }) => {
        const { accountId } = principalOf(request);
        const { message_id: ulid } = params;
        const row = isUlid(ulid) ? findMessage(deps.store.read, accountId, ulid) : null;
        return row ? dataAnswer(messageObject(row)) : problem(exchangeOf(request), NOT_FOUND);
      },
      { detail: messageFetchDoc },
    );
}
