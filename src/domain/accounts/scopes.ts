/** What a key may be used for (docs/public-api.md section 5). */
export type Scope =
  | "MESSAGES_SEND"
  | "MESSAGES_READ"
  | "ACCOUNT_READ"
  | "SENDER_IDS_READ"
  | "WEBHOOKS_MANAGE";

/** Every scope, in the order of the public specification. */
export const SCOPES: readonly Scope[] = [
  "MESSAGES_SEND",
  "MESSAGES_READ",
  "ACCOUNT_READ",
  "SENDER_IDS_READ",
  "WEBHOOKS_MANAGE",
];

export function isScope(text: string): text is Scope {
  return SCOPES.some((known) => known === text);
}

/** Stored scopes, comma-separated, as a list in the order of SCOPES; what is not a scope is left out. */
export function parseScopes(text: string): Scope[] {
  const named = text.split(",");
  return SCOPES.filter((known) => named.includes(known));
}

/** The stored form of a set of scopes: without repeats, in the order of SCOPES. */
export function joinScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((known) => scopes.includes(known)).join(",");
}
