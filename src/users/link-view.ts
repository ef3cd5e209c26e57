import type { Role } from "./role.ts";

/** What a link offers: whose password it sets, and the second factor that it proposes. */
export type LinkView = {
  /** Empty for the link that makes the first user, who types their own. */
  readonly login: string;
  readonly role: Role;
  readonly totp: { readonly uri: string; readonly secretBase32: string };
};
