/**
 * Who was shown texts stands in the audit list before they are shown, whichever command shows them. A command that demands no reason
 * keeps the one it is given.
 */
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type TextAccess = {
  /** The command that shows them. */
  readonly action: string;
  readonly subject: string;
  /** What they are about, but never the texts. */
  readonly detail: Readonly<Record<string, string | number | undefined>>;
};

/** Records that texts are about to be shown; refused where nothing can be recorded, and then nothing may be shown. */
export async function recordTextAccess(
  context: AdminContext,
  { action, subject, detail }: TextAccess,
  reason: string | null,
): Promise<AdminOutcome<null>> {
  const words = reason === null ? done(null) : checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  if (context.store.isReadOnly) {
    return refuse("STORE_UNAVAILABLE.no_text_shown", { directory: context.store.directory });
  }
  const audit = { action, subject, detail: { ...detail, reason: words.value ?? undefined } };
  return change(context, () => done({ value: null, audit }));
}
