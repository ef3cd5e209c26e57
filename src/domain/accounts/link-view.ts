/**
 * What the page behind a sign-in link shows: what the link offers, or why it no longer works (docs/console.md#signing-in). Types alone,
 * for the browser too.
 */
import type { Role } from "./roles.ts";

/**
 * Why a link no longer works, as far as its holder may know: one that ran out was theirs, and names them. Of an unknown secret it says only
 * whether anybody can sign in at all.
 */
export type LinkEnd =
  | { readonly why: "FIRST_RAN_OUT" | "NOBODY_YET" | "UNKNOWN" }
  | { readonly why: "STAFF_RAN_OUT" | "CLIENT_RAN_OUT"; readonly login: string };

/** What a link offers: whose password it sets, and the second factor that it proposes. */
export type LinkView = {
  /** Empty for the link that makes the first user, who types their own. */
  readonly login: string;
  readonly role: Role;
  readonly totp: { readonly uri: string; readonly secretBase32: string };
  /** Brings that second factor back: another one is drawn each time that somebody looks. */
  readonly proposal: string;
};
