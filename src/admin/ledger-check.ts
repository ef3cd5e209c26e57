import { isoUtc } from "../base/clock.ts";
import { askThread } from "../base/thread.ts";
import type { Store } from "../store/store.ts";
import { type BooksCheck, lastCheck, recordCheck } from "../wallet/checks.ts";
import type { Recount } from "./books.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What was compared when nothing differed. */
export type LedgerView = Omit<Recount, "differences"> & { readonly checked_at: string };

/** How many differences an answer names. */
const MOST_NAMED = 20;

/**
 * Recomputes every stored amount from its entries, while the server runs (decisions.md section 5), and keeps what was
 * found: `GET /health` tells it until the next check.
 */
export async function ledgerCheck(
  context: Pick<AdminContext, "store" | "clock">,
): Promise<AdminOutcome<LedgerView>> {
  const { found, checkedAtMs } = await checkBooks(context);
  const { differences, ...counts } = found;
  if (differences.length === 0) return done({ ...counts, checked_at: isoUtc(checkedAtMs) });
  return refuse("LEDGER_DIFFERENCES", `${differences.length} difference(s): ${inWords(differences)}`);
}

/** Recomputes the books as they stand now, in a thread of its own, and records the result. */
export async function checkBooks({ store, clock }: Pick<AdminContext, "store" | "clock">): Promise<{
  readonly found: Recount;
  readonly checkedAtMs: number;
}> {
  const checkedAtMs = clock.nowMs();
  const found = (await askThread("admin/books-thread.ts", store.directory)) as Recount;
  const { entries, batches, messages, differences } = found;
  const check = { entries, batches, messages, differences: differences.length, detail: inWords(differences) };
  await store.write((tx) => recordCheck(tx, { ...check, checkedAtMs }));
  return { found, checkedAtMs };
}

/** What the last check of the books found; null before the first. */
export function lastLedgerCheck(store: Pick<Store, "read">): BooksCheck | null {
  return lastCheck(store.read);
}

function inWords(differences: readonly string[]): string {
  const rest = differences.length > MOST_NAMED ? `; and ${differences.length - MOST_NAMED} more` : "";
  return differences.slice(0, MOST_NAMED).join("; ") + rest;
}
