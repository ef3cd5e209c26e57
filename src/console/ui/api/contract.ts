/** What the shell and the pages around signing in ask, and what they are answered. */
import type { SignInContract } from "../../contract.ts";
import type { LiveView } from "../../live/live-view.ts";

/** One place that what was typed into the search box may mean. */
export type SearchHit = {
  readonly kind: "number" | "message" | "batch" | "account" | "webhook" | "reference";
  readonly id: string;
  readonly title: string;
};

/** Method and path below `/console/api`, with what each takes and answers. */
export type Contract = SignInContract & {
  "GET /search": {
    readonly query: { readonly q: string };
    readonly answer: { readonly hits: readonly SearchHit[] };
  };
  "GET /start": { readonly answer: LiveView };
};
