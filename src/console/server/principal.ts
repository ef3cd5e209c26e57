import type { Role, UserLanguage } from "../../domain/accounts/role.ts";
import type { Session } from "../../domain/accounts/sessions.ts";
import type { ConsoleUser } from "../../domain/accounts/users.ts";
import type { KnownCaller } from "../../ingress/http/exchange.ts";
import { resolveLanguage } from "./language.ts";

/** Who is signed in. */
export type UserPrincipal = {
  readonly userId: number;
  readonly login: string;
  readonly role: Role;
  /** The account that a user is confined to; null: staff. */
  readonly accountId: number | null;
  readonly language: UserLanguage | null;
  readonly timezone: string | null;
};

/** Somebody with a session, as the console's door knows them. */
export type SignedInCaller = KnownCaller & {
  readonly principal: UserPrincipal;
  readonly user: ConsoleUser;
  readonly session: Session;
  /** What they read: what they chose, else what their browser asks for. */
  readonly reads: UserLanguage;
};

export function toSignedInCaller(user: ConsoleUser, session: Session, headers: Headers): SignedInCaller {
  const { id: userId, login, role, accountId, language, timezone } = user;
  return {
    // The log names no e-mail addresses.
    keyId: `user:${userId}`,
    principal: { userId, login, role, accountId, language, timezone },
    user,
    session,
    reads: resolveLanguage(headers, language),
  };
}
