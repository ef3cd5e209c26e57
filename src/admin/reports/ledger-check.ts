/**
 * Runs the proof of the books in a thread of its own, one check at a time, and stores the result
 * (docs/behaviour.md#proof-of-the-books).
 */
import { isoUtc } from "../../core/clock.ts";
import { createMutex } from "../../core/concurrency.ts";
import { errorText } from "../../core/log.ts";
import type { MetricsRegistry } from "../../core/metrics-registry.ts";
import { askThread } from "../../core/thread.ts";
import { type BooksCheck, lastCheck, recordCheck } from "../../domain/ledger/books-check.ts";
import { type Phrase, phrase, readPhrase, written } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { done, refuse } from "../operations/refusal.ts";
import type { LedgerCheckWork } from "./books-thread.ts";
import type { LedgerVerification } from "./ledger-verification.ts";

/** How many differences an answer names. */
const MAX_NAMED = 20;

/**
 * Recomputes the books as they stand now, in a thread of its own, and records the result. Rejects when that could not be
 * done, and then it is the failure that is recorded: an older answer must not pass for today's. A check that `stop` broke
 * off did not fail: nothing is recorded of it.
 */
export function runLedgerCheck(
  context: Pick<AdminContext, "store" | "clock" | "machine">,
  stop?: AbortSignal,
): Promise<CheckedBooks> {
  const { tally } = context.store;
  const inTurn = checks.get(tally) ?? createMutex();
  checks.set(tally, inTurn);
  return inTurn(() => recomputed(context, stop));
}

type CheckedBooks = { readonly found: LedgerVerification; readonly checkedAtMs: number };

/**
 * The checks of each store (known by its tally), one at a time: each reads in short moments so that the write-ahead log can begin
 * again between two of them, and the moments of several at a time leave no such gap.
 */
const checks = new WeakMap<MetricsRegistry, ReturnType<typeof createMutex>>();

async function recomputed(
  { store, clock, machine }: Pick<AdminContext, "store" | "clock" | "machine">,
  stop?: AbortSignal,
): Promise<CheckedBooks> {
  const checkedAtMs = clock.nowMs();
  const record = async (check: Omit<BooksCheck, "checkedAtMs">): Promise<void> => {
    if (!store.isReadOnly) await store.write((tx) => recordCheck(tx, { ...check, checkedAtMs }));
  };
  try {
    const found = (await askThread(
      machine.startThread,
      "admin/reports/books-thread.ts",
      { directory: store.directory, isReadOnly: store.isReadOnly } satisfies LedgerCheckWork,
      stop,
    )) as LedgerVerification;
    const { entries, batches, messages, differences } = found;
    const detail =
      differences.length === 0
        ? ""
        : written(phrase("fault.books.differences", { first: firstOf(differences) }));
    await record({ entries, batches, messages, differences: differences.length, detail, failure: null });
    return { found, checkedAtMs };
  } catch (error) {
    if (stop?.aborted) throw error;
    await record({ ...NOTHING_READ, failure: errorText(error) });
    throw error;
  }
}

const NOTHING_READ = { entries: 0, batches: 0, messages: 0, differences: 0, detail: "" };

function firstOf(differences: readonly Phrase[]): readonly Phrase[] {
  const more = differences.length - MAX_NAMED;
  return more > 0 ? [...differences.slice(0, MAX_NAMED), phrase("more", { more })] : differences;
}

export const LEDGER_CHECK_OPERATIONS = {
  /**
   * Recomputes every stored amount from its entries, while the server runs (docs/behaviour.md#proof-of-the-books), and
   * keeps what was found: `GET /health` tells it until the next check.
   */
  "ledger check": operation({
    does: "notes",
    params: {},
    run: async (context) => {
      const { found, checkedAtMs } = await runLedgerCheck(context, context.breakOff);
      const { differences, ...counts } = found;
      if (differences.length === 0) return done({ ...counts, checked_at: isoUtc(checkedAtMs) });
      return refuse("LEDGER_DIFFERENCES", { differences: differences.length, first: firstOf(differences) });
    },
  }),
};

// What the last proof of the books said.

export const LAST_CHECK_OPERATIONS = {
  /** The last check as it was recorded: nothing is read anew. */
  "ledger last": operation({
    may: "books.read",
    does: "reads",
    params: {},
    run: ({ store: { read } }) => {
      const check = lastCheck(read);
      return done({ last_check: check && toCheckView(check) });
    },
  }),
};

function toCheckView({ checkedAtMs, ...figures }: BooksCheck) {
  return { checked_at: isoUtc(checkedAtMs), ...figures, detail: readPhrase(figures.detail) };
}
