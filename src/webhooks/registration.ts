/** Operations of clients on their endpoints (docs/public-api.md sections 4.8 to 4.11). */

import { assert } from "../core/assert.ts";
import type { Chance } from "../core/chance.ts";
import { isoUtc, wait } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import { accepted, type Outcome, refuse, refuseFault, toRefusal } from "../core/refusals.ts";
import type { Seal } from "../db/data-keys.ts";
import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { accountById } from "../domain/accounts/accounts.ts";
import { recordAudit } from "../domain/accounts/audit.ts";
import { type AddressRules, explainRefusal as addressRefusal } from "../https/address-guard.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type EndpointRequest, findEndpointUrlFault, readEndpointUrl } from "./endpoint-request.ts";
import {
  countEndpoints,
  createEndpoint,
  disableEndpoint,
  type Endpoint,
  enableEndpoint,
  endpointById,
  endpointByUlid,
  type PublicEndpoint,
  toPublicEndpoint,
  touchEndpoint,
} from "./endpoints.ts";
import { drawSecret, issueSecret } from "./signing.ts";

type RegistrationDeps = AddressRules & {
  readonly store: Pick<Store, "read" | "write">;
  readonly chance: Chance;
  readonly newId: NewId;
  readonly seal: Seal;
};

/** Whose endpoint, and who asks for the audit list. */
export type Requester = { readonly accountId: number; readonly actor: string };

/** A refusal is about what was asked for, or about an endpoint that the account does not have. */
export type WebhookOutcome<T> = Outcome<T, "VALIDATION_FAILED" | "NOT_FOUND">;

export type Registration = {
  readonly create: (
    by: Requester,
    request: EndpointRequest,
  ) => Promise<WebhookOutcome<PublicEndpoint & { readonly secret: string }>>;
  /** Gives an endpoint a new secret; the previous one verifies for another 24 hours. */
  readonly rotate: (
    by: Requester,
    webhookId: string,
  ) => Promise<
    WebhookOutcome<PublicEndpoint & { readonly secret: string; readonly previous_secret_expires_at: string }>
  >;
  readonly enable: (by: Requester, webhookId: string) => Promise<WebhookOutcome<PublicEndpoint>>;
  readonly disable: (by: Requester, webhookId: string) => Promise<WebhookOutcome<PublicEndpoint>>;
};

/** Endpoints of one account: enough for any client, too few to make the appliance a nuisance to others. */
const MAX_ENDPOINTS = 100;

const NOT_FOUND = toRefusal("NOT_FOUND");

export function registration(deps: RegistrationDeps): Registration {
  const { store, clock } = deps;

  /** Changes an endpoint of the requester's account, with a line for the audit list. */
  const change = <T>(
    { accountId, actor }: Requester,
    webhookId: string,
    action: string,
    work: (tx: Tx, endpoint: Endpoint, nowMs: number) => T,
  ): Promise<WebhookOutcome<PublicEndpoint & T>> =>
    store.write((tx): WebhookOutcome<PublicEndpoint & T> => {
      const endpoint = endpointByUlid(tx, webhookId);
      if (endpoint?.accountId !== accountId) return { ok: false, refusal: NOT_FOUND };
      const nowMs = clock.nowMs();
      const more = work(tx, endpoint, nowMs);
      const detail = { account_id: endpoint.accountUlid };
      recordAudit(tx, { atMs: nowMs, actor, action, subject: endpoint.ulid, detail });
      return accepted({ ...shown(tx, endpoint.id), ...more });
    });

  return {
    create: async ({ accountId, actor }, { url, description, events }) => {
      const fault = await findHostFault(deps, url);
      if (fault !== null) return refuseFault("/url", fault);
      const ulid = deps.newId();
      const secret = drawSecret(deps.chance, deps.seal, ulid);
      return store.write((tx) => {
        if (countEndpoints(tx, accountId) >= MAX_ENDPOINTS) {
          return refuse("VALIDATION_FAILED.webhooks", { most: MAX_ENDPOINTS });
        }
        const nowMs = clock.nowMs();
        const id = createEndpoint(tx, { ulid, accountId, url, description, events }, nowMs);
        issueSecret(tx, { id, ulid }, secret, nowMs);
        const account = accountById(tx, accountId);
        const detail = { account_id: account?.ulid, origin: toOrigin(url), events };
        recordAudit(tx, { atMs: nowMs, actor, action: "webhook create", subject: ulid, detail });
        return accepted({ ...shown(tx, id), secret: secret.text });
      });
    },
    rotate: (by, webhookId) => {
      const secret = drawSecret(deps.chance, deps.seal, webhookId);
      return change(by, webhookId, "webhook rotate", (tx, endpoint, nowMs) => {
        const previousUntilMs = issueSecret(tx, endpoint, secret, nowMs);
        touchEndpoint(tx, endpoint.id);
        return { secret: secret.text, previous_secret_expires_at: isoUtc(previousUntilMs ?? nowMs) };
      });
    },
    enable: (by, webhookId) =>
      change(by, webhookId, "webhook enable", (tx, endpoint, nowMs) => {
        enableEndpoint(tx, endpoint, nowMs);
        return {};
      }),
    disable: (by, webhookId) =>
      change(by, webhookId, "webhook disable", (tx, endpoint) => {
        disableEndpoint(tx, endpoint.id, "DISABLED_BY_USER", phrase("webhook.disabled.through_api"));
        return {};
      }),
  };
}

/** How long a name may take to resolve before it counts as one that does not resolve yet. */
const RESOLVE_MS = 3000;

/**
 * What is wrong with a URL or its host; null when nothing is, and when its name does not resolve
 * (yet): every connection is checked again. The addresses behind a name are kept private, so they are not told.
 */
export async function findHostFault(check: AddressRules, url: string): Promise<Phrase | null> {
  const fault = findEndpointUrlFault(url);
  if (fault !== null) return fault;
  const read = readEndpointUrl(url);
  if ("fault" in read) return read.fault;
  if (check.allowPrivate()) return null;
  const { host, isAddress } = read.target;
  const addresses = isAddress
    ? [host]
    : await Promise.race([
        check.resolve(host).catch(() => []),
        wait(check.clock, RESOLVE_MS).then((): string[] => []),
      ]);
  return addressRefusal(addresses, check.own(), host) === null ? null : phrase("fault.url.private");
}

/** Scheme, host and port: the rest of a URL may hold what only its owner should know. */
export function toOrigin(url: string): string {
  return URL.parse(url)?.origin ?? "";
}

function shown(tx: Tx, id: number): PublicEndpoint {
  const endpoint = endpointById(tx, id);
  assert(endpoint, `endpoint ${id} exists`);
  return toPublicEndpoint(endpoint);
}
