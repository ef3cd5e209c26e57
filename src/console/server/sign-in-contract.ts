/** What the pages around signing in ask and are answered, by method and path below `/console/api`. */

import type { LinkEnd, LinkView } from "../../domain/accounts/link-view.ts";
import type { Permission, Role, UserLanguage } from "../../domain/accounts/roles.ts";
import type { ProposedFactor } from "../../domain/accounts/second-factor.ts";

export type { Permission };

/** Who is signed in. */
export type Me = {
  readonly login: string;
  readonly role: Role;
  /** The account that a user is confined to; null of staff. */
  readonly account: { readonly id: string; readonly name: string } | null;
  /** Null: the browser's. */
  readonly language: UserLanguage | null;
  readonly timezone: string;
  /** Whether the second factor is one that followed from a link, and is to be renewed. */
  readonly renews_factor: boolean;
  readonly capabilities: readonly Permission[];
};

/** A session that lasts. */
export type SessionView = {
  readonly id: string;
  readonly address: string;
  readonly agent: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly is_current: boolean;
};

/** What to do about a link that works no more, beside its refusal. */
export type DeadLink = {
  readonly why: LinkEnd["why"];
  /** Whom it was for, where it may be told. */
  readonly login: string | null;
  /** What is typed for another; null where others make it. */
  readonly command: string | null;
};

type Nothing = Readonly<Record<string, never>>;
type Factor = { readonly code: string } | { readonly recoveryCode: string };
type Texts<Names extends string> = Readonly<Record<Names, string>>;

export type SignInContract = {
  "GET /me": { readonly answer: Me };
  "POST /sign-in": {
    readonly body: Texts<"login" | "password">;
    readonly answer: { readonly step: "SECOND_FACTOR" | "DONE" };
  };
  "POST /second-factor": { readonly body: Factor; readonly answer: Nothing };
  "POST /sign-out": { readonly answer: Nothing };
  "POST /link/look": { readonly body: Texts<"secret">; readonly answer: LinkView };
  /** `login`: of the first user alone. Whoever used a link is signed in. */
  "POST /link/use": {
    readonly body: Texts<"secret" | "password" | "code" | "proposal"> & { readonly login?: string };
    readonly answer: { readonly recoveryCodes: readonly string[] };
  };
  "POST /confirm": { readonly body: Factor; readonly answer: Nothing };
  "POST /me/language": { readonly body: { readonly language: UserLanguage }; readonly answer: Nothing };
  /** Every other session ends with it. */
  "POST /me/password": { readonly body: Texts<"password" | "newPassword">; readonly answer: Nothing };
  /** Another second factor, as a picture and in letters; nothing is kept until it comes back with a code of its own. */
  "POST /me/factor": { readonly answer: ProposedFactor };
  /** Every other session ends with it. */
  "POST /me/factor/use": { readonly body: Texts<"proposal" | "code">; readonly answer: Nothing };
  /** Those before are worth nothing from then on. */
  "POST /me/recovery-codes": { readonly answer: { readonly recoveryCodes: readonly string[] } };
  "GET /me/sessions": { readonly answer: { readonly sessions: readonly SessionView[] } };
  "POST /me/sessions/end": { readonly body: Texts<"id">; readonly answer: Nothing };
};

export type SignInRoute = keyof SignInContract;
export type AnswerOf<Name extends SignInRoute> = SignInContract[Name]["answer"];
