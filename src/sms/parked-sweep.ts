/**
 * Parked receipts are tried again when what they are about appears. Two things change without that, and are looked after
 * here, a step at a time: operators share an account since, and an account is known by now to mark its receipts, or not to.
 */
import type { Clock } from "../base/clock.ts";
import type { InboundRules } from "../inbound/inbound.ts";
import { openFacts } from "../messages/apply-facts.ts";
import { hasUnswept, noteSwept } from "../messages/operator-family.ts";
import type { Store } from "../store/store.ts";
import { parkedAfter } from "./parked-receipts.ts";
import { accountToSweep, noteAccountSwept } from "./receipt-habit.ts";
import { retryParked } from "./receipts.ts";
import { giveUpTexts, hasOldTexts, settleTexts } from "./unmarked-receipts.ts";

/** Receipts looked after in one transaction. */
const STEP = 100;

/**
 * One step at each call; true when there may be more. A round that a stop cuts short begins again at the next start.
 */
export function parkedSweep(store: Store, clock: Clock, rules: InboundRules): () => Promise<boolean> {
  let round: { readonly of: string | null; readonly after: number } | null = null;

  /** The account whose texts are to be settled, or null for all receipts of changed families; undefined for neither. */
  const due = (): string | null | undefined =>
    accountToSweep(store.read) ?? (hasUnswept(store.read) ? null : undefined);

  const stepOf = (of: string | null): Promise<number | null> => {
    const after = round?.of === of ? round.after : 0;
    return store.write((tx) => {
      const session = openFacts(tx, clock.nowMs());
      let last: number | null;
      if (of === null) {
        const page = parkedAfter(tx, after, STEP);
        for (const parked of page) retryParked(tx, session, parked);
        last = page.length < STEP ? null : (page.at(-1)?.rowId ?? null);
        if (last === null) noteSwept(tx);
      } else {
        last = settleTexts(tx, session, rules, { account: of, after, limit: STEP });
        if (last === null) noteAccountSwept(tx, of);
      }
      session.close();
      return last;
    });
  };

  return async () => {
    const of = due();
    if (of === undefined) return false;
    const last = await stepOf(of);
    round = last === null ? null : { of, after: last };
    return true;
  };
}

/** One step: makes parked texts inbound texts when their account was not sure for so long. True when there may be more. */
export async function giveUpParkedTexts(store: Store, clock: Clock, rules: InboundRules): Promise<boolean> {
  if (!hasOldTexts(store.read, clock.nowMs())) return false;
  return (await store.write((tx) => giveUpTexts(tx, rules, clock.nowMs(), STEP))) === STEP;
}
