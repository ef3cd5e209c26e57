/** Endpoints that an administrator or a user of the console adds, and new secrets: as their account does through the API. */
import { refused } from "../../core/failures.ts";
import type { EventType } from "../../domain/events/catalogue.ts";
import { findDescriptionFault, readEndpointRequest } from "../../webhooks/endpoint-request.ts";
import type { PublicEndpoint } from "../../webhooks/endpoints.ts";
import { createEndpointClient } from "../../webhooks/outbound.ts";
import { type Registration, registration, type WebhookOutcome } from "../../webhooks/registration.ts";
import { openSecretSeal } from "../../webhooks/sealing.ts";
import { isClosed } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, ifGiven } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { DESCRIPTION, ENDPOINT_URL, EVENTS, findWebhook, WEBHOOK, wayToEndpoints } from "./webhooks.ts";

export type WebhookInput = {
  readonly url: string;
  readonly description: string;
  /** Empty: the two that docs/public-api.md promises; null: the usual ones. */
  readonly events: readonly EventType[] | null;
};

/** Registers an endpoint; its secret is told here and never again. */
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

/** Gives an endpoint a new secret, told here and never again; the one before verifies for another 24 hours. */
export async function webhookRotate(
  context: AdminContext,
  webhookId: string,
): Promise<
  AdminOutcome<PublicEndpoint & { readonly secret: string; readonly previous_secret_expires_at: string }>
> {
  const found = findWebhook(context.store.read, webhookId);
  if (!found.ok) return found;
  const { accountId, ulid } = found.value;
  return told(context, await desk(context).rotate({ accountId, actor: context.actor }, ulid));
}

function desk(context: AdminContext): Registration {
  const { store, clock, chance, newId, machine } = context;
  return registration({
    ...createEndpointClient(wayToEndpoints(context), clock, machine.https),
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
  "webhook rotate": operation({
    may: "webhooks.change",
    params: { webhook: WEBHOOK },
    run: (context, { webhook }) => webhookRotate(context, webhook),
  }),
};
