/** What the pages around signing in ask, and what they are answered. */
import type { LiveView } from "../../live/live-view.ts";
import type { ConsoleLanguage } from "../format.ts";

/** Who is signed in. */
export type Me = {
  readonly login: string;
  readonly role: string;
  /** The account that a client's user belongs to; null for staff. */
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly language: ConsoleLanguage | null;
  readonly timezone: string | null;
  /** The operations of the table of roles that they may do. */
  readonly capabilities: readonly string[];
};

/** One sign-in that still counts. */
export type SessionView = {
  readonly id: string;
  readonly address: string;
  readonly agent: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly is_current: boolean;
};

export type FoundLink = {
  /** Empty for the link that makes the first user. */
  readonly login: string;
  readonly role: string;
  readonly totp: { readonly uri: string; readonly secretBase32: string };
};

/** One place that what was typed into the search box may mean. */
export type SearchHit = {
  readonly kind: "number" | "message" | "batch" | "account" | "webhook" | "reference";
  readonly id: string;
  readonly title: string;
};

type Nothing = Readonly<Record<string, never>>;

/** Method and path below `/console/api`, with what each takes and answers. */
export type Contract = {
  "GET /me": { readonly answer: Me };
  "POST /sign-in": {
    readonly body: { readonly login: string; readonly password: string };
    readonly answer: { readonly step: "SECOND_FACTOR" | "DONE" };
  };
  "POST /second-factor": {
    readonly body: { readonly code: string } | { readonly recoveryCode: string };
    readonly answer: Nothing;
  };
  "POST /sign-out": { readonly answer: Nothing };
  "POST /link/look": { readonly body: { readonly secret: string }; readonly answer: FoundLink };
  "POST /link/use": {
    /** `login`: of the first user alone, who chooses it. */
    readonly body: {
      readonly secret: string;
      readonly login?: string;
      readonly password: string;
      readonly code: string;
    };
    readonly answer: { readonly recoveryCodes: readonly string[] };
  };
  "POST /confirm": { readonly body: { readonly code: string }; readonly answer: Nothing };
  "POST /me/language": { readonly body: { readonly language: ConsoleLanguage }; readonly answer: Nothing };
  "POST /me/password": {
    readonly body: { readonly password: string; readonly newPassword: string };
    readonly answer: Nothing;
  };
  "GET /me/sessions": { readonly answer: { readonly sessions: readonly SessionView[] } };
  "POST /me/sessions/end": { readonly body: { readonly id: string }; readonly answer: Nothing };
  "GET /search": {
    readonly query: { readonly q: string };
    readonly answer: { readonly hits: readonly SearchHit[] };
  };
  "GET /start": { readonly answer: LiveView };
};
