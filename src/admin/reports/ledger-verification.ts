/** Compares wallets, ledger entries and batches for the proof of the books (docs/behaviour.md#proof-of-the-books). */
import type { InSnapshot } from "../../db/connections.ts";
import type { Reader } from "../../db/reader.ts";
import { listAccounts } from "../../domain/accounts/accounts.ts";
import { priceDifferences } from "../../domain/accounts/prices.ts";
import { type LedgerRecount, recountLedger, walletFigures } from "../../domain/ledger/books-check.ts";
import { batchesByAccount, recountBatches } from "../../domain/messages/batch-totals.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

const NO_ENTRIES = { funds: 0, reserved: 0, reserve: 0, charge: 0, release: 0 };
const NO_BATCHES = {
  reserved: 0,
  postedCharged: 0,
  postedReleased: 0,
  unpostedCharged: 0,
  unpostedReleased: 0,
};

/**
 * Recomputes every stored amount from what it was made of (docs/behaviour.md#proof-of-the-books): wallets and
 * checkpoints from the entries of the ledger, batches from their messages and entries, prices from their history. It
 * reads everything: some 16 to 27 seconds for ten million entries on two cores that are busy besides, which is why it
 * is done in a thread of its own, and in many short moments, which the write-ahead log need not outlive. The last of
 * them sees the wallets, the figures of all batches and the last entries together.
 */
export function verifyLedger(inSnapshot: InSnapshot) {
  const finishLedger = recountLedger(inSnapshot);
  const batches = recountBatches(inSnapshot);
  return inSnapshot((read) => {
    const ledger = finishLedger(read);
    return {
      accounts: listAccounts(read).length,
      batches: batches.batches,
      messages: batches.messages,
      entries: ledger.entries,
      differences: [
        ...accountDifferences(read, ledger.sums),
        ...ledger.differences,
        ...batches.differences,
        ...priceDifferences(read),
      ],
    };
  });
}

/** What was recomputed, and what differs. */
export type LedgerVerification = Readonly<ReturnType<typeof verifyLedger>>;

/** Compares wallets with their entries and movements not posted yet; entries with what batches say they posted. */
function accountDifferences(read: Reader, sums: LedgerRecount["sums"]): Phrase[] {
  const wallets = new Map(walletFigures(read).map((figures) => [figures.accountId, figures]));
  const moved = new Map(batchesByAccount(read).map((figures) => [figures.accountId, figures]));
  const accounts = listAccounts(read);
  const known = new Set(accounts.map(({ id }) => id));
  const strays = [...new Set([...sums.keys(), ...moved.keys()])].filter((id) => !known.has(id));
  return [
    ...strays.map((id) => phrase("fault.books.stray", { account: id })),
    ...accounts.flatMap(({ id, ulid }) => {
      const wallet = wallets.get(id);
      if (!wallet) return [phrase("fault.books.no_wallet", { account: ulid })];
      const entered = sums.get(id) ?? NO_ENTRIES;
      const batches = moved.get(id) ?? NO_BATCHES;
      return compare(ulid, [
        ["funds", wallet.funds, entered.funds + batches.unpostedReleased],
        ["reserved", wallet.reserved, entered.reserved - batches.unpostedCharged - batches.unpostedReleased],
        ["reserved_by_batches", batches.reserved, entered.reserve],
        ["charged_by_batches", batches.postedCharged, entered.charge],
        ["released_by_batches", batches.postedReleased, entered.release],
      ]);
    }),
  ];
}

/** Figures of an account that are compared. */
type Figure = "funds" | "reserved" | "reserved_by_batches" | "charged_by_batches" | "released_by_batches";

function compare(
  account: string,
  pairs: readonly (readonly [what: Figure, shown: number, recounted: number])[],
): Phrase[] {
  return pairs
    .filter(([, shown, recounted]) => shown !== recounted)
    .map(([what, shown, recounted]) =>
      phrase("fault.books.account", {
        account,
        what: phrase(`fault.books.what.${what}`),
        shown,
        recounted,
      }),
    );
}
