/** Who is signed in, and the language and timezone that they read in. */
import type { Config } from "../../config/config.ts";
import type { Reader as RowReader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { Role, UserLanguage } from "../../domain/accounts/roles.ts";
import type { Session } from "../../domain/accounts/sessions.ts";
import type { ConsoleUser } from "../../domain/accounts/users.ts";
import type { Reader } from "../../i18n/phrase.ts";
import type { KnownCaller } from "../../ingress/http/request-context.ts";

/** Who is signed in. */
type UserPrincipal = {
  readonly userId: number;
  readonly login: string;
  readonly role: Role;
  /** The account that a user is confined to; null: staff. */
  readonly accountId: number | null;
  readonly language: UserLanguage | null;
  readonly timezone: string | null;
};

/** A signed-in caller, as the console's router knows them. */
export type SignedInCaller = KnownCaller & {
  readonly principal: UserPrincipal;
  readonly user: ConsoleUser;
  readonly session: Session;
  /** Their language: their choice, else what their browser asks for. */
  readonly reads: UserLanguage;
};

export function toSignedInCaller(user: ConsoleUser, session: Session, headers: Headers): SignedInCaller {
  const { id: userId, login, role, accountId, language, timezone } = user;
  return {
    // Logs hold no e-mail addresses.
    keyId: `user:${userId}`,
    principal: { userId, login, role, accountId, language, timezone },
    user,
    session,
    reads: resolveLanguage(headers, language),
  };
}

/** Resolves a reader's language: their choice, else what their browser asks for, else French. */
export function resolveLanguage(headers: Headers, chosen: UserLanguage | null): UserLanguage {
  if (chosen !== null) return chosen;
  const first = (headers.get("accept-language") ?? "")
    .split(",")
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .find((tag) => tag === "fr" || tag === "en");
  return first === "en" ? "en" : "fr";
}

/** The reader of a page: their language; their zone, else that of their account, else that of the appliance. */
export function resolvePageReader(
  { principal, reads }: Pick<SignedInCaller, "principal" | "reads">,
  read: RowReader,
  { defaults }: Pick<Config, "defaults">,
): Reader & { readonly timeZone: string } {
  const { accountId, timezone } = principal;
  const account = accountId === null ? null : accountById(read, accountId);
  return { locale: reads, timeZone: timezone ?? account?.timezone ?? defaults.timezone };
}
