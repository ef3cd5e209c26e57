/**
 * Who may call a route of the console (docs/console.md#who-sees-what). `Guard` checks, in this order: TLS, that a change comes from a
 * page of ours (against CSRF), the session in the cookie, the role's permission, and the second factor where it is asked again.
 * `RequestOrigins` says how a request came. Sessions are begun by domain/accounts/sign-in.ts; which role has which permission is in
 * domain/accounts/roles.ts.
 */
import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import { networkMatcher } from "../../core/ip-networks.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { findRule, isAccountRole, may, type Permission, type Role } from "../../domain/accounts/roles.ts";
import {
  findSession,
  isConfirmed,
  isLasting,
  isSeenDue,
  noteSeen,
  type Session,
} from "../../domain/accounts/sessions.ts";
import { canSignIn, userById } from "../../domain/accounts/users.ts";
import { isLoopbackPeer, readPeer } from "../../ingress/http/peer.ts";
import type { RequestContext } from "../../ingress/http/request-context.ts";
import { requireCaller, type Server } from "../../ingress/http/router.ts";
import { resolveLanguage, type SignedInCaller, toSignedInCaller } from "./principal.ts";
import { noteRefusalCause, refusal } from "./refusals.ts";

/** Who may call a route: anybody, somebody whose password was right, or somebody who is signed in. */
export type RequiredSession = "ANYBODY" | "PASSWORD" | "SIGNED_IN";

type GuardDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly origins: RequestOrigins;
};

type DataRequest = {
  readonly exchange: RequestContext<SignedInCaller>;
  readonly request: Request;
  readonly server: Server | null;
};

/** Decides who may call a route, from what a request brings: how it came, its session, the role of its user. */
export class Guard {
  constructor(private readonly deps: GuardDeps) {}

  /** Checks every data request before its body is read; returns the refusal, or undefined. */
  admit({ exchange, request, server }: DataRequest, admits: RequiredSession): Response | undefined {
    const { origins, log } = this.deps;
    const origin = origins.of(request, server);
    const language = resolveLanguage(request.headers, null);
    if (!origin.isServed) return refusal(exchange, "TLS_NEEDED", language);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead && !origins.isSameOrigin(request, origin)) return refusal(exchange, "OTHER_SITE", language);
    if (admits === "ANYBODY") return undefined;
    const caller = this.findCaller(request, origin);
    const wanted = admits === "PASSWORD" ? "PASSWORD" : "FULL";
    if (caller?.session.stage !== wanted) {
      const isOver = caller === null && readSessionToken(request.headers, origin.isTls) !== null;
      if (isOver) noteRefusalCause(exchange, "SESSION_OVER");
      return refusal(exchange, "UNAUTHORIZED", language);
    }
    exchange.caller = caller;
    if (isUnattended(exchange, request)) return undefined;
    // The request must not wait for this, nor fail with it.
    this.noteUse(caller.session).catch((error: unknown) => {
      log.warn("that a session is used could not be written down", errorFields(error));
    });
    return undefined;
  }

  /** Whether an admitted caller may do an operation: the refusal, or undefined. */
  permit(exchange: RequestContext<SignedInCaller>, operation: Permission): Response | undefined {
    const { principal, session, reads: language } = requireCaller(exchange);
    if (!may(principal.role, operation)) return refusal(exchange, "FORBIDDEN", language);
    if (findRule(operation)?.asksAgain && !isConfirmed(session, this.deps.clock.nowMs())) {
      return refusal(exchange, "SECOND_FACTOR_NEEDED", language);
    }
    return undefined;
  }

  /** Whether an admitted session is still valid, and its user still has the same role. */
  isSessionStillValid({ session, principal }: SignedInCaller): boolean {
    const { store, clock } = this.deps;
    const user = userById(store.read, principal.userId);
    return (
      isLasting(store.read, session, clock.nowMs()) &&
      canSignIn(store.read, user) &&
      user.role === principal.role
    );
  }

  /** The session that a request brings, of any stage, wherever it comes from. */
  sessionOf(request: Request, { isTls }: RequestOrigin): Session | null {
    const { store, clock } = this.deps;
    const token = readSessionToken(request.headers, isTls);
    return token === null ? null : findSession(store.read, token, clock.nowMs());
  }

  /** The user of that session, where they may sign in from there. */
  private findCaller(request: Request, origin: RequestOrigin): SignedInCaller | null {
    const { store, origins } = this.deps;
    const session = this.sessionOf(request, origin);
    if (session === null) return null;
    const user = userById(store.read, session.userId);
    if (!canSignIn(store.read, user) || !origins.mayComeFrom(origin, user.role)) return null;
    return toSignedInCaller(user, session, request.headers);
  }

  private async noteUse(session: Session): Promise<void> {
    const { store, clock } = this.deps;
    const nowMs = clock.nowMs();
    if (isSeenDue(session, nowMs)) await store.write((tx) => noteSeen(tx, session.id, nowMs));
  }
}

/** Whether a page asks by itself, with nobody there: that does not count as use of the session. */
function isUnattended({ path }: RequestContext, { headers }: Request): boolean {
  return path === "/console/api/live" || headers.has("x-unattended");
}

/** The account that a user is confined to, null for all. */
export function deriveAccountScope({ principal }: SignedInCaller): number | null {
  return isAccountRole(principal.role) ? principal.accountId : null;
}

// The cookie of a session: for this host alone, never read by a script, never sent by another site.

/** Cookie name over TLS: the prefix binds it to this host and to TLS (RFC 6265bis section 4.1.3.2). */
const OVER_TLS = "__Host-bendre";
const WITHOUT = "bendre";

/** Form of session tokens. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Reads the session token of the cookie; null where there is none of that form. */
function readSessionToken(headers: Headers, isTls: boolean): string | null {
  const name = isTls ? OVER_TLS : WITHOUT;
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && TOKEN.test(value) ? value : null;
}

/** Renders the `Set-Cookie` that keeps a token until the browser is closed. */
export function renderSessionCookie(token: string, isTls: boolean): string {
  return isTls ? `${OVER_TLS}=${token}; ${ATTRIBUTES}; Secure` : `${WITHOUT}=${token}; ${ATTRIBUTES}`;
}

/** Renders the `Set-Cookie` that deletes it. */
export function renderExpiredCookie(isTls: boolean): string {
  return `${renderSessionCookie("", isTls)}; Max-Age=0`;
}

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";

// Origin of a request: from which address, over TLS or not, from a page of ours or of another site.

export type RequestOrigin = {
  /** Null where the system does not know it. */
  readonly address: string | null;
  readonly isTls: boolean;
  /** Whether the console may be served to it: over TLS, by a trusted proxy that says so, or to this machine. */
  readonly isServed: boolean;
};

export type RequestOrigins = {
  readonly of: (request: Request, server: Server | null) => RequestOrigin;
  /** Whether a role may be let in from an address (`[console] staff_networks`). */
  readonly mayComeFrom: (origin: RequestOrigin, role: Role) => boolean;
  /** Whether a change comes from a page of this appliance: of the same scheme, host and port. */
  readonly isSameOrigin: (request: Request, origin: RequestOrigin) => boolean;
};

export function createRequestOrigins(settings: Settings<Pick<Config, "server" | "console">>): RequestOrigins {
  const trusted = deriveCached(() => settings.now().server.trusted_proxies, networkMatcher);
  const staff = deriveCached(() => settings.now().console.staff_networks, networkMatcher);
  return {
    of: (request, server) => {
      const peer = readPeer(server?.requestIP(request)?.address ?? null, request.headers, trusted());
      const isTls = peer.isDirect ? request.url.startsWith("https:") : peer.proto === "https";
      return { address: peer.address, isTls, isServed: isTls || isLoopbackPeer(peer) };
    },
    mayComeFrom: ({ address }, role) =>
      isAccountRole(role) ||
      settings.now().console.staff_networks.length === 0 ||
      (address !== null && staff()(address)),
    isSameOrigin: ({ headers }, { isTls }) => {
      const site = headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin") return false;
      const origin = headers.get("origin");
      if (origin === null) return site !== null;
      const own = toOrigin(`${isTls ? "https" : "http"}://${headers.get("host") ?? ""}`);
      return origin === own || origin === settings.now().server.public_url;
    },
  };
}

/** An address as browsers write it in `Origin` (RFC 6454, 6.1); null where it is none. */
function toOrigin(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}
