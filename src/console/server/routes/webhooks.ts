/** The page "Webhooks": endpoints, attempts, backlog; add, test, replay, rotate, edit, enable, disable, delete. */
import { type Static, Type as t } from "typebox";
import { readInstant } from "../../../admin/operations/parameters.ts";
import {
  findWebhook,
  WEBHOOK_OPERATIONS,
  WEBHOOK_SECRET_OPERATIONS,
  webhookReplay,
} from "../../../admin/operations/webhooks.ts";
import { MAX_TESTS, MINUTE_MS, TESTED_TOO_OFTEN } from "../../../webhooks/test-events.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, readTimeZone, requireOwnWebhook } from "./request-context.ts";
import { route } from "./route.ts";
import { ID, INSTANT } from "./schemas.ts";

/** The same limit as of API clients. */
const TESTS = {
  limit: "webhook tests",
  most: MAX_TESTS,
  overMs: MINUTE_MS,
  tooOften: TESTED_TOO_OFTEN.detail,
} as const;

const WEBHOOK_PATH = t.Object({ webhook: ID });
const REPLAY = t.Object({ since: INSTANT });

/** `since` is a time in the account's zone. */
async function replayWebhook(
  asked: PageContext,
  { webhook: id, since }: Static<typeof WEBHOOK_PATH> & Static<typeof REPLAY>,
) {
  const own = requireOwnWebhook(asked, id);
  if (!own.ok) return own;
  const webhook = findWebhook(asked.context.store.read, id);
  if (!webhook.ok) return webhook;
  const time = readInstant(
    since,
    readTimeZone(asked, webhook.value.accountUlid),
    asked.context.clock.nowMs(),
  );
  return time.ok ? webhookReplay(asked.context, id, time.value) : time;
}

export const WEBHOOK_ROUTES = {
  ...operationRoutes(
    {
      "GET /accounts/:account/webhooks": WEBHOOK_OPERATIONS["webhook list"],
      "POST /accounts/:account/webhooks": WEBHOOK_SECRET_OPERATIONS["webhook create"],
      "GET /webhooks/:webhook": WEBHOOK_OPERATIONS["webhook show"],
      "PATCH /webhooks/:webhook": WEBHOOK_OPERATIONS["webhook update"],
      "DELETE /webhooks/:webhook": WEBHOOK_OPERATIONS["webhook delete"],
      "POST /webhooks/:webhook/rotate": WEBHOOK_SECRET_OPERATIONS["webhook rotate"],
      "POST /webhooks/:webhook/test": WEBHOOK_OPERATIONS["webhook test"],
      "POST /webhooks/:webhook/enable": WEBHOOK_OPERATIONS["webhook enable"],
      "POST /webhooks/:webhook/disable": WEBHOOK_OPERATIONS["webhook disable"],
    },
    { "POST /webhooks/:webhook/test": { rateLimit: TESTS } },
  ),
  "POST /webhooks/:webhook/replay": route("webhooks.change", replayWebhook, {
    params: WEBHOOK_PATH,
    body: REPLAY,
  }),
};
