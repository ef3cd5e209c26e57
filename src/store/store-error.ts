import { type Phrase, said } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

/** Why a data directory cannot be used. Nothing was changed. */
export class StoreError extends Error {
  override name = "StoreError";
  /** "locked": another process has the directory, perhaps only for a moment. */
  readonly kind: "locked" | "unusable" | "foreign" | "newer";
  readonly detail: Phrase;

  constructor(kind: StoreError["kind"], detail: Phrase | string) {
    const told = typeof detail === "string" ? said(detail) : detail;
    super(english(told));
    this.kind = kind;
    this.detail = told;
  }
}
