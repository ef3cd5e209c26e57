/** Tries parked receipts again when what they are looked for under has changed: operators share an account since. */
import type { Clock } from "../base/clock.ts";
import { openFacts } from "../messages/apply-facts.ts";
import { hasUnswept, noteSwept } from "../messages/operator-family.ts";
import type { Store } from "../store/store.ts";
import { parkedAfter } from "./parked-receipts.ts";
import { retryParked } from "./receipts.ts";

/** Receipts tried in one transaction. */
const STEP = 100;

/**
 * One step at each call, while families have changed since the last whole round; true when there may be more. A round
 * that a stop cuts short begins anew at the next start.
 */
export function parkedSweep(store: Store, clock: Clock): () => Promise<boolean> {
  let after = 0;
  return async () => {
    if (!hasUnswept(store.read)) return false;
    const last = await store.write((tx) => {
      const page = parkedAfter(tx, after, STEP);
      const session = openFacts(tx, clock.nowMs());
      for (const parked of page) retryParked(tx, session, parked);
      session.close();
      if (page.length < STEP) noteSwept(tx);
      return page.length < STEP ? null : (page.at(-1)?.rowId ?? null);
    });
    after = last ?? 0;
    return last !== null;
  };
}
