import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { Reader } from "../db/read.ts";
import type { Seal } from "../db/seal.ts";
import type { Store } from "../db/store.ts";
import type { Post } from "../https/post.ts";
import { readEndpointUrl } from "./endpoint-url.ts";
import { type Endpoint, endpointById } from "./endpoints.ts";
import { attemptOutcome, type EndpointAttempt, saveAttempts } from "./outcomes.ts";
import { renderEventBody } from "./payload.ts";
import { readSigningKeys } from "./secrets.ts";
import { toSignedHeaders } from "./signature.ts";

export type TestEventDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seal: Seal;
  readonly post: Post;
};

/** No change makes an event of this type: it goes to one endpoint because somebody asked for it. */
const TRIAL_TYPE = "WEBHOOK_TEST";

/**
 * Posts a test event to an endpoint, whatever its status and whatever it is subscribed to, signed like any other. It
 * counts neither for nor against the endpoint. Null when its secrets cannot be opened.
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  endpoint: Endpoint,
  stop?: AbortSignal,
): Promise<EndpointAttempt | null> {
  const { clock } = deps;
  const keys = readSigningKeys(deps.read, deps.seal, endpoint);
  const url = readEndpointUrl(endpoint.url);
  if (keys === null || "fault" in url) return null;
  const eventId = deps.newId();
  const at = clock.nowMs();
  const began = clock.steadyMs();
  const envelope = {
    type: TRIAL_TYPE,
    atMs: at,
    eventId,
    accountUlid: endpoint.accountUlid,
    isSandbox: isSandbox(endpoint.accountId),
  };
  const body = renderEventBody(envelope, { webhook_id: endpoint.ulid });
  const end = await deps.post(url.target, toSignedHeaders(keys, eventId, body, at), body, stop);
  const durationMs = Math.round(clock.steadyMs() - began);
  return { eventId, type: TRIAL_TYPE, at, durationMs, status: end.status, error: end.error };
}

/** Notes a test among the endpoint's last attempts, if it is still there. */
export function recordTestEvent(
  { write }: Pick<Store, "write">,
  { id }: Endpoint,
  attempt: EndpointAttempt,
): Promise<void> {
  return write((tx) => {
    if (endpointById(tx, id)) saveAttempts(tx, id, [attempt]);
  });
}

/** What came of a test. */
export function toTestEventView({ ulid, accountId }: Endpoint, attempt: EndpointAttempt) {
  const { eventId, error, status, durationMs } = attempt;
  return {
    webhook_id: ulid,
    event_id: eventId,
    delivered: error === null,
    outcome: attemptOutcome(attempt),
    status,
    duration_ms: durationMs,
    is_sandbox: isSandbox(accountId),
  };
}

export type TestEventView = ReturnType<typeof toTestEventView>;
