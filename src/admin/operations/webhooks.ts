/**
 * Operations on webhook endpoints: register, list, show, update, enable, disable, delete, send a test event, replay events,
 * rotate the secret.
 */
import { Type as t } from "typebox";
import { assert } from "../../core/assert.ts";
import { isoUtc } from "../../core/clock.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import { EVENT_TYPES, type EventType } from "../../domain/events/outbox.ts";
import { said } from "../../i18n/phrase.ts";
import {
  createEndpointClient,
  readEndpointRules,
  type WebhookNetworkRules,
} from "../../webhooks/endpoint-client.ts";
import { findDescriptionFault, readEndpointRequest } from "../../webhooks/endpoint-request.ts";
import { type EndpointView, toAttemptsView, toEndpointView } from "../../webhooks/endpoint-stats.ts";
import {
  changeEndpoint,
  deleteEndpoint,
  disableEndpoint,
  type Endpoint,
  type EndpointChanges,
  enableEndpoint,
  endpointById,
  endpointByUlid,
  listEndpoints,
  type PublicEndpoint,
  rewindEndpoint,
} from "../../webhooks/endpoints.ts";
import {
  findHostFault,
  type Registration,
  registration,
  toOrigin,
  type WebhookOutcome,
} from "../../webhooks/registration.ts";
import { openSecretSeal } from "../../webhooks/signing.ts";
import { recordTestEvent, sendTestEvent, toTestEventView } from "../../webhooks/test-events.ts";
import { findAccount } from "./account-names.ts";
import { change, isClosed } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation, type Parameter } from "./operation.ts";
import {
  ACCOUNT,
  ifGiven,
  MODE,
  naming,
  REASON,
  readTime,
  severalOf,
  text,
  typedAlone,
  typedAs,
  word,
} from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { findAccountByMode } from "./sandboxes.ts";

/** Changes an endpoint's URL, events or description; pending events go to the new address. */
export async function webhookUpdate(
  context: AdminContext,
  webhookId: string,
  changes: EndpointChanges,
): Promise<AdminOutcome<EndpointView>> {
  const { url, description, events } = changes;
  if (url === undefined && description === undefined && events === undefined) {
    return refuse("NOTHING_TO_CHANGE");
  }
  const nameFault = description === undefined ? null : findDescriptionFault(description);
  if (nameFault !== null) return refuse("INVALID_NAME.description", { fault: nameFault });
  const urlFault =
    url === undefined
      ? null
      : await findHostFault(
          createEndpointClient(readEndpointNetworkRules(context), context.clock, context.machine.https),
          url,
        );
  if (urlFault !== null) return refuse("INVALID_URL", { fault: urlFault });
  return changeWebhook(context, webhookId, (tx, endpoint) => {
    changeEndpoint(tx, endpoint.id, changes);
    return {
      action: "webhook update",
      detail: { origin: url === undefined ? undefined : toOrigin(url), description, events },
    };
  });
}

/**
 * Replays to an enabled endpoint all events since an instant, under their original ids; as far back as the feed
 * reaches.
 */
export async function webhookReplay(context: AdminContext, webhookId: string, sinceMs: number) {
  const { config, clock, store } = context;
  const earliestMs = clock.nowMs() - config.api.max_lookback_hours * 3_600_000;
  const fromMs = Math.max(sinceMs, earliestMs);
  if (fromMs > clock.nowMs()) return refuse("INVALID_TIME.future", { at: fromMs });
  const rewound = await change(context, (tx) => {
    const found = findWebhook(tx, webhookId);
    if (!found.ok) return found;
    const { id, ulid, status } = found.value;
    if (status !== "ENABLED") {
      return refuse("WEBHOOK_DISABLED", { status });
    }
    rewindEndpoint(tx, found.value, fromMs);
    const detail = { account_id: found.value.accountUlid, since: isoUtc(fromMs) };
    return done({
      value: { id, ulid },
      audit: { action: "webhook replay", subject: ulid, detail },
      concern: { kind: "webhooks" },
    });
  });
  if (!rewound.ok) return rewound;
  const found = findWebhook(store.read, webhookId);
  if (!found.ok) return found;
  const { backlog } = toEndpointView(store.read, found.value, clock.nowMs());
  return done({ webhook_id: found.value.ulid, since: isoUtc(fromMs), backlog });
}

type AuditLine = { readonly action: string; readonly detail: AuditDetail };

function changeWebhook(
  context: AdminContext,
  webhookId: string,
  work: (tx: Tx, endpoint: Endpoint) => AuditLine,
): Promise<AdminOutcome<EndpointView>> {
  return change(context, (tx, nowMs) => {
    const found = findWebhook(tx, webhookId);
    if (!found.ok) return found;
    const { id, ulid, accountUlid } = found.value;
    const { action, detail } = work(tx, found.value);
    const after = endpointById(tx, id);
    assert(after, `endpoint ${id} exists`);
    return done({
      value: toEndpointView(tx, after, nowMs),
      audit: { action, subject: ulid, detail: { account_id: accountUlid, ...detail } },
      concern: { kind: "webhooks" },
    });
  });
}

export function findWebhook(read: Reader, webhookId: string): AdminOutcome<Endpoint> {
  const endpoint = endpointByUlid(read, webhookId.toUpperCase());
  return endpoint ? done(endpoint) : refuse("WEBHOOK_NOT_FOUND", { id: webhookId });
}

/** The network rules for endpoints by the configuration in force. */
function readEndpointNetworkRules({ config, file }: AdminContext): WebhookNetworkRules {
  return readEndpointRules({ now: () => config, pem: (path) => file?.pems.get(path) ?? null });
}

/** An endpoint by its id. */
const WEBHOOK = word("WEBHOOK", naming("webhook", text("WEBHOOK", 40)));

/** Where an endpoint is. */
const ENDPOINT_URL = text("URL", 2048);

/** What an endpoint is called; it may be empty. */
const DESCRIPTION: Parameter<string, false> = {
  schema: t.String({ maxLength: 255 }),
  typed: { value: "TEXT", read: done },
};

const KNOWN_EVENTS = EVENT_TYPES.join(", ");

/** What an endpoint is told of. */
const EVENTS = typedAs(
  { helpValues: { events: KNOWN_EVENTS } },
  severalOf(EVENT_TYPES, (event) => refuse("INVALID_EVENT", { text: event, known: KNOWN_EVENTS })),
);

/** An instant, typed in UTC. The console has its own route, which reads one in the account's timezone. */
const SINCE: Parameter<number, false> = {
  schema: t.Integer({ minimum: 0 }),
  typed: {
    value: "ISO",
    read: (typed) => {
      const time = readTime(typed);
      return time.ok ? done(time.value.beginMs) : time;
    },
  },
};

export const WEBHOOK_OPERATIONS = {
  /** Every endpoint of an account, newest first, with what waits for it. */
  "webhook list": operation({
    may: "webhooks.read",
    does: "reads",
    params: { account: ACCOUNT, mode: typedAlone(MODE) },
    run: (context, { account: accountId, mode }) => {
      const { read } = context.store;
      const account = findAccountByMode(read, accountId, mode);
      if (!account.ok) return account;
      const nowMs = context.clock.nowMs();
      return done({
        webhooks: listEndpoints(read, account.value.id).map((endpoint) =>
          toEndpointView(read, endpoint, nowMs),
        ),
      });
    },
  }),
  /** One endpoint: how it is doing, what waits for it, and its last attempts. */
  "webhook show": operation({
    may: "webhooks.read",
    does: "reads",
    params: { webhook: WEBHOOK },
    run: (context, { webhook: webhookId }) => {
      const { read } = context.store;
      const found = findWebhook(read, webhookId);
      if (!found.ok) return found;
      return done({
        ...toEndpointView(read, found.value, context.clock.nowMs()),
        attempts: toAttemptsView(read, found.value.id),
      });
    },
  }),
  "webhook update": operation({
    may: "webhooks.change",
    params: {
      webhook: WEBHOOK,
      url: ifGiven(ENDPOINT_URL),
      events: ifGiven(EVENTS),
      description: ifGiven(DESCRIPTION),
    },
    run: (context, { webhook, url, events, description }) =>
      webhookUpdate(context, webhook, {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events }),
      }),
  }),
  /** Enables an endpoint, as its account can; it gets events from now on. */
  "webhook enable": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK },
    run: (context, { webhook: webhookId }) => {
      const found = findWebhook(context.store.read, webhookId);
      const account = found.ok ? accountById(context.store.read, found.value.accountId) : null;
      if (account?.status === "CLOSED") return Promise.resolve(isClosed(account));
      return changeWebhook(context, webhookId, (tx, endpoint) => {
        enableEndpoint(tx, endpoint, context.clock.nowMs());
        return { action: "webhook enable", detail: {} };
      });
    },
  }),
  /** Disables an endpoint and drops its pending events. */
  "webhook disable": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK, reason: REASON },
    run: (context, { webhook: webhookId, reason }) =>
      changeWebhook(context, webhookId, (tx, endpoint) => {
        disableEndpoint(tx, endpoint.id, "DISABLED_BY_USER", said(reason));
        return { action: "webhook disable", detail: { reason } };
      }),
  }),
  /** Deletes an endpoint for good, with its secrets and pending events. */
  "webhook delete": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK },
    run: (context, { webhook: webhookId }) =>
      change(context, (tx) => {
        const found = findWebhook(tx, webhookId);
        if (!found.ok) return found;
        const { id, ulid, accountUlid, url } = found.value;
        deleteEndpoint(tx, id);
        const detail = { account_id: accountUlid, origin: toOrigin(url) };
        return done({
          value: { webhook_id: ulid, account_id: accountUlid },
          audit: { action: "webhook delete", subject: ulid, detail },
          concern: { kind: "webhooks" },
        });
      }),
  }),
  /** Sends a signed test event now and returns the receiver's answer. */
  "webhook test": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK },
    run: async (context, { webhook: webhookId }) => {
      const { store, clock, chance, newId } = context;
      const found = findWebhook(store.read, webhookId);
      if (!found.ok) return found;
      const seal = openSecretSeal(store.directory, chance);
      const { post } = createEndpointClient(readEndpointNetworkRules(context), clock, context.machine.https);
      const attempt = await sendTestEvent(
        { read: store.read, clock, newId, seal, post },
        found.value,
        context.breakOff,
      );
      if (!attempt) {
        return refuse("SECRET_UNREADABLE");
      }
      await recordTestEvent(store, found.value, attempt);
      return done(toTestEventView(found.value, attempt));
    },
  }),
  "webhook replay": operation({
    params: { webhook: WEBHOOK, since: SINCE },
    run: (context, { webhook, since }) => webhookReplay(context, webhook, since),
  }),
  /** Delivery since the server started: attempts by result, and their durations. */
  "webhook status": operation({
    does: "reads",
    params: {},
    run: (context) => {
      const figures = context.server?.webhookFigures();
      const attempts = figures ? figures.delivered + figures.failed : 0;
      return done({
        server: figures ? "running" : "not running",
        endpoints: figures?.endpoints ?? 0,
        in_flight: figures?.inFlight ?? 0,
        delivered: figures?.delivered ?? 0,
        failed: figures?.failed ?? 0,
        given_up: figures?.givenUp ?? 0,
        disabled: figures?.disabled ?? 0,
        mean_ms: figures && attempts > 0 ? Math.round(figures.attemptsMs / attempts) : 0,
      });
    },
  }),
};

// Endpoints that an administrator or a console user adds, and new secrets: as their account does through the API.

type WebhookInput = {
  readonly url: string;
  readonly description: string;
  /** Empty: the two that docs/public-api.md promises; null: the usual ones. */
  readonly events: readonly EventType[] | null;
};

/** Registers an endpoint; its secret is returned here and never again. */
export async function webhookCreate(
  context: AdminContext,
  accountId: string,
  wanted: WebhookInput,
): Promise<AdminOutcome<PublicEndpoint & { readonly secret: string }>> {
  const account = findAccount(context.store.read, accountId);
  if (!account.ok) return account;
  if (account.value.status === "CLOSED") return isClosed(account.value);
  const fault = findDescriptionFault(wanted.description);
  if (fault !== null) return refuse("INVALID_NAME.description", { fault });
  const request = readEndpointRequest(wanted);
  if (!request.ok) return refused("INVALID_URL", request.refusal.detail);
  const { id } = account.value;
  return told(context, await desk(context).create({ accountId: id, actor: context.actor }, request.value));
}

function desk(context: AdminContext): Registration {
  const { store, clock, chance, newId, machine } = context;
  return registration({
    ...createEndpointClient(readEndpointNetworkRules(context), clock, machine.https),
    store,
    chance,
    newId,
    seal: openSecretSeal(store.directory, chance),
  });
}

function told<T>({ server }: AdminContext, outcome: WebhookOutcome<T>): AdminOutcome<T> {
  if (outcome.ok) {
    server?.changed({ kind: "webhooks" });
    return done(outcome.value);
  }
  const { code, detail } = outcome.refusal;
  return refused(code === "NOT_FOUND" ? "WEBHOOK_NOT_FOUND" : "INVALID_URL", detail);
}

export const WEBHOOK_SECRET_OPERATIONS = {
  "webhook create": operation({
    may: "webhooks.change",
    params: {
      account: ACCOUNT,
      url: ENDPOINT_URL,
      events: ifGiven(EVENTS),
      description: ifGiven(DESCRIPTION),
    },
    run: (context, { account, url, events, description }) =>
      webhookCreate(context, account, { url, events: events ?? null, description: description ?? "" }),
  }),
  /** Gives an endpoint a new secret, returned here and never again; the one before verifies for another 24 hours. */
  "webhook rotate": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK },
    run: async (context, { webhook: webhookId }) => {
      const found = findWebhook(context.store.read, webhookId);
      if (!found.ok) return found;
      const { accountId, ulid } = found.value;
      return told(context, await desk(context).rotate({ accountId, actor: context.actor }, ulid));
    },
  }),
};
