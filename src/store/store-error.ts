/** Why a data directory cannot be used, in words for an administrator. Nothing was changed. */
export class StoreError extends Error {
  override name = "StoreError";
  /** "locked": another process has the directory, perhaps only for a moment. */
  readonly kind: "locked" | "unusable" | "foreign" | "newer";

  constructor(kind: StoreError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
