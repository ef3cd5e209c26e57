/**
 * What is refused at the console and may be an attack stands in the audit, and cannot fill it: of one person or address and one cause
 * at most one entry a minute, which says how many it stands for; of more than some at once, one for all others.
 */

import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import type { RequestContext } from "../../ingress/http/exchange.ts";

/** Why something was refused that the audit is told of. What there is and what there is not is the same cause. */
export type RefusedCause =
  /** A change that no page of ours asked for. */
  | "OTHER_SITE"
  /** What a role may not do. */
  | "FORBIDDEN"
  /** Somebody of an account named what is not theirs, or is not there. */
  | "NOT_THEIRS"
  /** A file that is too large, unpacks to too much, or is none of those that are read. */
  | "FILE_REFUSED"
  /** More attempts to sign in, or to use a link, than are taken. */
  | "TOO_MANY_ATTEMPTS"
  /** The cookie of a session that is over, or never was. */
  | "SESSION_OVER";

export type RefusedRequest = {
  readonly cause: RefusedCause;
  /** Null of somebody who is not signed in: what was typed as a login may be a password. */
  readonly login: string | null;
  readonly address: string;
  readonly requestId: string;
  /** The pattern of the path: what it was asked about is not told. */
  readonly route: string | null;
};

const causes = new WeakMap<RequestContext, RefusedCause>();

/** Has the audit told, once the request is answered, why it was refused. */
export function noteRefusalCause(exchange: RequestContext, cause: RefusedCause): void {
  causes.set(exchange, cause);
}

/** Why a request was refused, where the audit is told of that. */
export function readRefusalCause(exchange: RequestContext): RefusedCause | null {
  return causes.get(exchange) ?? null;
}

const EVERY_MS = 60_000;
/** Persons, addresses and causes that are told apart at a time. */
const MAX_AT_ONCE = 30;
/** As `users` calls whoever is nobody that it knows. */
const NOBODY = "unknown login";

type Open = { times: number; last: RefusedRequest };

/** Takes refused requests; nobody waits until they are written down. */
export function createRefusalAuditor({
  store,
  clock,
  log,
}: {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
}): (request: RefusedRequest) => void {
  /** By who and why: what came since the last entry. */
  const open = new Map<string, Open>();
  const write = ({ cause, login, address, requestId, route }: RefusedRequest, times: number): void => {
    const actor = login ?? NOBODY;
    const detail = { cause, times, route, address, request_id: requestId };
    const entry = { atMs: clock.nowMs(), actor, action: "request refused", subject: actor, detail };
    store
      .write((tx) => recordAudit(tx, entry))
      .catch((error: unknown) => log.warn("a refused request is not in the audit", errorFields(error)));
  };
  const wait = (key: string): void => {
    clock.after(EVERY_MS, () => {
      const since = open.get(key);
      if (!since || since.times === 0) {
        open.delete(key);
        return;
      }
      write(since.last, since.times);
      since.times = 0;
      wait(key);
    });
  };
  return (request) => {
    const own = `${request.cause} ${request.login ?? request.address}`;
    const key = open.has(own) || open.size < MAX_AT_ONCE ? own : `${request.cause} of others`;
    const since = open.get(key);
    if (since) {
      since.times += 1;
      since.last = request;
      return;
    }
    open.set(key, { times: 0, last: request });
    write(request, 1);
    wait(key);
  };
}
