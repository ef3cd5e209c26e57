import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { may, type Permission, ruleOf } from "../../domain/accounts/permissions.ts";
import { isAccountRole } from "../../domain/accounts/role.ts";
import {
  isConfirmed,
  isLasting,
  isSeenDue,
  noteSeen,
  type Session,
  sessionOf,
} from "../../domain/accounts/sessions.ts";
import { canSignIn, userById } from "../../domain/accounts/users.ts";
import type { Server } from "../../ingress/http/door.ts";
import type { RequestContext } from "../../ingress/http/exchange.ts";
import { requireCaller } from "../../ingress/http/routes.ts";
import { readSessionToken } from "./cookie.ts";
import { resolveLanguage } from "./language.ts";
import { type SignedInCaller, toSignedInCaller } from "./principal.ts";
import { refusal } from "./refusal.ts";
import { noteRefusalCause } from "./refusal-notes.ts";
import type { RequestOrigin, RequestOrigins } from "./way.ts";

/** Who may ask at a route: anybody, somebody whose password was right, or somebody who is signed in. */
export type RequiredSession = "ANYBODY" | "PASSWORD" | "SIGNED_IN";

export type GuardDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly ways: RequestOrigins;
};

type Asked = {
  readonly exchange: RequestContext<SignedInCaller>;
  readonly request: Request;
  readonly server: Server | null;
};

export type Guard = {
  /** What every request to data passes before anything of its body is read; the refusal, or undefined. */
  readonly admit: (asked: Asked, admits: RequiredSession) => Response | undefined;
  /** Whether whoever was admitted may do an operation: the refusal, or undefined. */
  readonly permit: (exchange: RequestContext<SignedInCaller>, operation: Permission) => Response | undefined;
  /** Whether a session that was admitted still lasts, and its user still has the role of then. */
  readonly isSessionStillValid: (visitor: SignedInCaller) => boolean;
  /** The session that a request brings, of any stage, wherever it comes from. */
  readonly sessionOf: (request: Request, way: RequestOrigin) => Session | null;
};

export function guard({ store, clock, log, ways }: GuardDeps): Guard {
  const brought = (request: Request, way: RequestOrigin): Session | null => {
    const token = readSessionToken(request.headers, way.isTls);
    return token === null ? null : sessionOf(store.read, token, clock.nowMs());
  };
  const visitor = (request: Request, way: RequestOrigin): SignedInCaller | null => {
    const session = brought(request, way);
    if (session === null) return null;
    const user = userById(store.read, session.userId);
    if (!canSignIn(store.read, user) || !ways.mayComeFrom(way, user.role)) return null;
    return toSignedInCaller(user, session, request.headers);
  };
  const touch = async (session: Session): Promise<void> => {
    const nowMs = clock.nowMs();
    if (isSeenDue(session, nowMs)) await store.write((tx) => noteSeen(tx, session.id, nowMs));
  };
  return {
    sessionOf: brought,
    isSessionStillValid: ({ session, principal }) => {
      const user = userById(store.read, principal.userId);
      return (
        isLasting(store.read, session, clock.nowMs()) &&
        canSignIn(store.read, user) &&
        user.role === principal.role
      );
    },
    admit: ({ exchange, request, server }, admits) => {
      const way = ways.of(request, server);
      const language = resolveLanguage(request.headers, null);
      if (!way.isServed) return refusal(exchange, "TLS_NEEDED", language);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (!isRead && !ways.isSameOrigin(request, way)) return refusal(exchange, "OTHER_SITE", language);
      if (admits === "ANYBODY") return undefined;
      const found = visitor(request, way);
      const wanted = admits === "PASSWORD" ? "PASSWORD" : "FULL";
      if (found?.session.stage !== wanted) {
        const isOver = found === null && readSessionToken(request.headers, way.isTls) !== null;
        if (isOver) noteRefusalCause(exchange, "SESSION_OVER");
        return refusal(exchange, "UNAUTHORIZED", language);
      }
      exchange.caller = found;
      if (isUnattended(exchange, request)) return undefined;
      // A request must not wait for it, nor fail with it.
      touch(found.session).catch((error: unknown) => {
        log.warn("that a session is used could not be written down", errorFields(error));
      });
      return undefined;
    },
    permit: (exchange, operation) => {
      const { principal, session, reads: language } = requireCaller(exchange);
      if (!may(principal.role, operation)) return refusal(exchange, "FORBIDDEN", language);
      if (ruleOf(operation)?.asksAgain && !isConfirmed(session, clock.nowMs())) {
        return refusal(exchange, "SECOND_FACTOR_NEEDED", language);
      }
      return undefined;
    },
  };
}

/** What pages ask by themselves, with nobody there: a session is not used by it. */
function isUnattended({ path }: RequestContext, { headers }: Request): boolean {
  return path === "/console/api/live" || headers.has("x-unattended");
}

/** The account whose things a user may see, null for all. */
export function confinedTo({ principal }: SignedInCaller): number | null {
  return isAccountRole(principal.role) ? principal.accountId : null;
}
