/** The page "Webhooks": endpoints, attempts, backlog; add, test, replay, rotate, edit, enable, disable, delete. */
import { type Static, Type as t } from "typebox";
import { EVENT_TYPES } from "../../events/catalogue.ts";
import { readInstant } from "../../operations/instants.ts";
import { done } from "../../operations/refusal.ts";
import { webhookCreate, webhookRotate } from "../../operations/webhook-secrets.ts";
import {
  findWebhook,
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookReplay,
  webhookShow,
  webhookTest,
  webhookUpdate,
} from "../../operations/webhooks.ts";
import { MAX_TESTS, MINUTE_MS, TESTED_TOO_OFTEN } from "../../webhooks/client-trials.ts";
import { type Asked, oneAccount, ownWebhook, zoneOf } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, ID, INSTANT, REASON } from "./shapes.ts";

const EVENTS = t.Array(t.Enum(EVENT_TYPES), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
});
const URL_TEXT = t.String({ minLength: 1, maxLength: 2048 });
const DESCRIPTION = t.String({ maxLength: 255 });

/** As often as a client of the API. */
const TESTS = {
  limit: "webhook tests",
  most: MAX_TESTS,
  overMs: MINUTE_MS,
  tooOften: TESTED_TOO_OFTEN.detail,
} as const;

const WEBHOOK_PATH = t.Object({ webhook: ID });
const NEW_WEBHOOK = t.Object({
  url: URL_TEXT,
  description: t.Optional(DESCRIPTION),
  events: t.Optional(EVENTS),
});
const WEBHOOK_CHANGES = t.Partial(t.Object({ url: URL_TEXT, description: DESCRIPTION, events: EVENTS }));
const DISABLE = t.Object({ reason: REASON });
const REPLAY = t.Object({ since: INSTANT });

function webhooksOf(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  return account.ok ? webhookList(asked.context, account.value) : account;
}

function webhookPage(asked: Asked, id: string) {
  const own = ownWebhook(asked, id);
  if (!own.ok) return own;
  const shown = webhookShow(asked.context, id);
  if (!shown.ok) return shown;
  const { attempts, disabled_reason, ...endpoint } = shown.value;
  return done({
    ...endpoint,
    disabled_reason: disabled_reason && asked.inTheirWords(disabled_reason),
    attempts: attempts.map((attempt) => ({ ...attempt, outcome: asked.inTheirWords(attempt.outcome) })),
  });
}

/** The answer holds the endpoint's secret, this once. */
export async function createWebhook(asked: Asked, wanted: string, body: Static<typeof NEW_WEBHOOK>) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const { url, description = "", events = null } = body;
  return webhookCreate(asked.context, account.value, { url, description, events });
}

export async function changeWebhook(asked: Asked, id: string, changes: Static<typeof WEBHOOK_CHANGES>) {
  const own = ownWebhook(asked, id);
  if (!own.ok) return own;
  const { url, description, events } = changes;
  return webhookUpdate(asked.context, id, {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events }),
  });
}

/** The answer holds the new secret, this once; the one before verifies for another 24 hours. */
async function rotateWebhook(asked: Asked, id: string) {
  const own = ownWebhook(asked, id);
  return own.ok ? webhookRotate(asked.context, id) : own;
}

export async function testWebhook(asked: Asked, id: string) {
  const own = ownWebhook(asked, id);
  if (!own.ok) return own;
  const tried = await webhookTest(asked.context, id);
  return tried.ok ? done({ ...tried.value, outcome: asked.inTheirWords(tried.value.outcome) }) : tried;
}

async function replayWebhook(asked: Asked, id: string, { since }: Static<typeof REPLAY>) {
  const own = ownWebhook(asked, id);
  if (!own.ok) return own;
  const webhook = findWebhook(asked.context.store.read, id);
  if (!webhook.ok) return webhook;
  const time = readInstant(since, zoneOf(asked, webhook.value.accountUlid), asked.context.clock.nowMs());
  return time.ok ? webhookReplay(asked.context, id, time.value) : time;
}

export async function enableWebhook(asked: Asked, id: string) {
  const own = ownWebhook(asked, id);
  return own.ok ? webhookEnable(asked.context, id) : own;
}

export async function disableWebhook(asked: Asked, id: string, { reason }: Static<typeof DISABLE>) {
  const own = ownWebhook(asked, id);
  return own.ok ? webhookDisable(asked.context, id, reason) : own;
}

async function deleteWebhook(asked: Asked, id: string) {
  const own = ownWebhook(asked, id);
  return own.ok ? webhookDelete(asked.context, id) : own;
}

export const WEBHOOK_ROUTES = {
  "GET /accounts/:account/webhooks": route(
    { operation: "webhooks.read", params: ACCOUNT_PATH },
    (asked, { params }) => webhooksOf(asked, params.account),
  ),
  "POST /accounts/:account/webhooks": route(
    { operation: "webhooks.change", params: ACCOUNT_PATH, body: NEW_WEBHOOK },
    (asked, { params, body }) => createWebhook(asked, params.account, body),
  ),
  "GET /webhooks/:webhook": route({ operation: "webhooks.read", params: WEBHOOK_PATH }, (asked, { params }) =>
    webhookPage(asked, params.webhook),
  ),
  "PATCH /webhooks/:webhook": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH, body: WEBHOOK_CHANGES },
    (asked, { params, body }) => changeWebhook(asked, params.webhook, body),
  ),
  "DELETE /webhooks/:webhook": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH },
    (asked, { params }) => deleteWebhook(asked, params.webhook),
  ),
  "POST /webhooks/:webhook/rotate": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH },
    (asked, { params }) => rotateWebhook(asked, params.webhook),
  ),
  "POST /webhooks/:webhook/test": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH, often: TESTS },
    (asked, { params }) => testWebhook(asked, params.webhook),
  ),
  "POST /webhooks/:webhook/replay": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH, body: REPLAY },
    (asked, { params, body }) => replayWebhook(asked, params.webhook, body),
  ),
  "POST /webhooks/:webhook/enable": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH },
    (asked, { params }) => enableWebhook(asked, params.webhook),
  ),
  "POST /webhooks/:webhook/disable": route(
    { operation: "webhooks.change", params: WEBHOOK_PATH, body: DISABLE },
    (asked, { params, body }) => disableWebhook(asked, params.webhook, body),
  ),
};
