/** What the last proof of the books said. */
import { isoUtc } from "../../core/clock.ts";
import { lastCheck } from "../../domain/ledger/checks.ts";
import { type Phrase, readPhrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";

export type LastLedgerCheck = {
  /** Null: never checked yet. */
  readonly last_check: {
    readonly checked_at: string;
    readonly entries: number;
    readonly batches: number;
    readonly messages: number;
    readonly differences: number;
    /** The first differences; an empty text where there are none. */
    readonly detail: Phrase;
    /** Why it came to no end; null for one that did. */
    readonly failure: string | null;
  } | null;
};

/** The last check as it was recorded: nothing is read anew. */
function readLastCheck({ store: { read } }: AdminContext): AdminOutcome<LastLedgerCheck> {
  const check = lastCheck(read);
  if (!check) return done({ last_check: null });
  const { checkedAtMs, ...figures } = check;
  return done({
    last_check: { checked_at: isoUtc(checkedAtMs), ...figures, detail: readPhrase(figures.detail) },
  });
}

export const LAST_CHECK_OPERATIONS = {
  "ledger last": operation({
    may: "books.read",
    does: "reads",
    params: {},
    run: readLastCheck,
  }),
};
