/** Recovers claimed messages without a lease: after a crash, or a lost answer. */

import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { applyFacts, openFacts } from "../domain/messages/apply-facts.ts";
import {
  claimedMessage,
  claimedMessages,
  FIRST_CLAIMED,
  findOverdueUnanswered,
} from "../domain/messages/awaiting-outcome.ts";
import type { Fact } from "../domain/messages/facts.ts";
import { Leases } from "./leases.ts";
import type { RecoverClaim } from "./worker.ts";

/** Messages recovered in one transaction. */
const STEP = 250;

type LeaseRecoveryDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly recoverClaim: RecoverClaim;
};

/**
 * Searches for messages that are SUBMITTED and have no lease: claimed by a process that is gone, or whose end could not be
 * written. No answer to them will come, so each goes on as its channel says. `held` knows the leases of this process's workers;
 * it is asked inside the transaction. How many were found.
 */
export async function recoverLeases(
  { store, recoverClaim }: LeaseRecoveryDeps,
  nowMs: number,
  held: Pick<Leases, "has" | "isTaken" | "settled"> = new Leases(),
): Promise<number> {
  let rescued = 0;
  for (let after = FIRST_CLAIMED; ; ) {
    const page = claimedMessages(store.read, after, STEP);
    const last = page.at(-1);
    if (!last) return rescued;
    after = last;
    const unheld = page.filter(({ messageId }) => !held.has(messageId));
    if (unheld.length === 0) continue;
    rescued += await store.write((tx) => {
      const session = openFacts(tx, nowMs);
      const found = unheld
        .filter(({ messageId }) => !held.has(messageId))
        .map(({ messageId }) => claimedMessage(tx, messageId))
        .filter((message) => message !== null);
      for (const message of found) {
        const { messageId } = message;
        recoverClaim(tx, session, { ...message, isTaken: held.isTaken(messageId) }, nowMs);
        tx.afterCommit(() => held.settled(messageId));
      }
      session.close();
      return found.length;
    });
  }
}

/** Gives up waiting for unanswered submits whose time is over, a step of them; how many. */
export function expireUnanswered(tx: Tx, nowMs: number): number {
  const facts: Fact[] = findOverdueUnanswered(tx, nowMs, STEP).map((messageId) => ({
    kind: "outcome_unknown",
    messageId,
  }));
  return applyFacts(tx, facts, nowMs).length;
}
