/** Inputs and answers of the routes for signing in, by method and path below `/console/api`. */

import type { Todo } from "../../domain/accounts/dismissed-todos.ts";
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
  /** Whether the second factor came from a link, and is to be renewed. */
  readonly renews_factor: boolean;
  readonly capabilities: readonly Permission[];
};

/** A session that is valid. */
export type SessionView = {
  readonly id: string;
  readonly address: string;
  readonly agent: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly is_current: boolean;
};

/** What to do about a link that is no longer valid, beside its refusal. */
export type DeadLink = {
  readonly why: LinkEnd["why"];
  /** The login it was for, where it may be shown. */
  readonly login: string | null;
  /** The command that makes another; null where others make it. */
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
  /** `login`: of the first user alone. The user of a link is signed in. */
  "POST /link/use": {
    readonly body: Texts<"secret" | "password" | "code" | "proposal"> & { readonly login?: string };
    readonly answer: { readonly recoveryCodes: readonly string[] };
  };
  "POST /confirm": { readonly body: Factor; readonly answer: Nothing };
  "POST /me/language": { readonly body: { readonly language: UserLanguage }; readonly answer: Nothing };
  /** Of what is left to be set up, by commas, what its reader has dismissed. What is not left any more counts as never dismissed. */
  "POST /me/todos": {
    readonly body: Texts<"left">;
    readonly answer: { readonly dismissed: readonly Todo[] };
  };
  "POST /me/todos/dismiss": { readonly body: { readonly todo: Todo }; readonly answer: Nothing };
  /** Ends every other session. */
  "POST /me/password": { readonly body: Texts<"password" | "newPassword">; readonly answer: Nothing };
  /** Proposes another second factor, as a picture and in letters; nothing is stored until it comes back with a code of its own. */
  "POST /me/factor": { readonly answer: ProposedFactor };
  /** Ends every other session. */
  "POST /me/factor/use": { readonly body: Texts<"proposal" | "code">; readonly answer: Nothing };
  /** Voids the earlier codes. */
  "POST /me/recovery-codes": { readonly answer: { readonly recoveryCodes: readonly string[] } };
  "GET /me/sessions": { readonly answer: { readonly sessions: readonly SessionView[] } };
  "POST /me/sessions/end": { readonly body: Texts<"id">; readonly answer: Nothing };
};

export type SignInRoute = keyof SignInContract;
export type AnswerOf<Name extends SignInRoute> = SignInContract[Name]["answer"];
