import { PhrasedError } from "../core/told-error.ts";
import type { Phrase } from "../i18n/phrase.ts";

/** Why a data directory cannot be used, for an administrator. Nothing was changed. */
export class StoreError extends PhrasedError {
  override name = "StoreError";
  /** "locked": another process has the directory, perhaps only for a moment. */
  readonly kind: "locked" | "unusable" | "foreign" | "newer";

  constructor(kind: StoreError["kind"], told: Phrase) {
    super(told);
    this.kind = kind;
  }
}
