import type { Phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

/** Why a data directory cannot be used, for an administrator; its message is that in English, for logs. Nothing was changed. */
export class StoreError extends Error {
  override name = "StoreError";
  /** "locked": another process has the directory, perhaps only for a moment. */
  readonly kind: "locked" | "unusable" | "foreign" | "newer";
  readonly told: Phrase;

  constructor(kind: StoreError["kind"], told: Phrase) {
    super(english(told));
    this.kind = kind;
    this.told = told;
  }
}
