/**
 * The lease of a claimed message, and the recovery of one without: after a crash, or where the end of an attempt could not be
 * written. Every claim of a channel acquires a lease, and whoever ends its attempt releases it.
 */
import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { applyFacts, type FactSession, openFacts } from "../domain/messages/apply-facts.ts";
import {
  claimedMessage,
  claimedMessages,
  FIRST_CLAIMED,
  findOverdueUnanswered,
  type UnansweredClaim,
} from "../domain/messages/awaiting-outcome.ts";
import type { Fact } from "../domain/messages/facts.ts";

/**
 * Which claimed messages this process has a lease of: from before their claim is committed until the end of the attempt is
 * durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, is to be recovered
 * (`recoverLeases`). The end of one attempt may let the next begin before its lease is released, as where a message goes on
 * by another channel: leases of a message are counted.
 */
export class Leases {
  /** How many leases each message has. */
  readonly #counts = new Map<number, number>();
  /** Messages of which the operator accepted something that could not be written, until they are recovered. */
  readonly #taken = new Set<number>();

  acquire(messageId: number): void {
    this.#counts.set(messageId, (this.#counts.get(messageId) ?? 0) + 1);
  }

  release(messageId: number): void {
    const others = (this.#counts.get(messageId) ?? 0) - 1;
    if (others > 0) this.#counts.set(messageId, others);
    else this.#counts.delete(messageId);
  }

  has(messageId: number): boolean {
    return this.#counts.has(messageId);
  }

  /** Released, though the operator accepted something of it that could not be written. */
  releaseTaken(messageId: number): void {
    this.release(messageId);
    this.#taken.add(messageId);
  }

  /** Whether it was released so, and not recovered since. */
  isTaken(messageId: number): boolean {
    return this.#taken.has(messageId);
  }

  /** It was recovered, and what becomes of it is durable. */
  settled(messageId: number): void {
    this.#taken.delete(messageId);
  }
}

/**
 * Says by a fact how a claimed message goes on whose attempt has no known end, and notes in the channel's own tables that the
 * operator may have it. `isTaken`: it accepted something of it, which could not be written.
 */
export type RecoverClaim = (
  tx: Tx,
  session: FactSession,
  message: UnansweredClaim & { readonly isTaken: boolean },
  nowMs: number,
) => void;

/** Messages recovered in one transaction. */
const STEP = 250;

type LeaseRecoveryDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly recoverClaim: RecoverClaim;
};

/**
 * Searches for messages that are SUBMITTED and have no lease: claimed by a process that is gone, or whose end could not be
 * written. No answer to them will come, so each goes on as its channel says. `leases` are those of this process's
 * workers, looked at inside the transaction. How many were found.
 */
export async function recoverLeases(
  { store, recoverClaim }: LeaseRecoveryDeps,
  nowMs: number,
  leases: Pick<Leases, "has" | "isTaken" | "settled"> = new Leases(),
): Promise<number> {
  let recovered = 0;
  for (let after = FIRST_CLAIMED; ; ) {
    const page = claimedMessages(store.read, after, STEP);
    const last = page.at(-1);
    if (!last) return recovered;
    after = last;
    const unleased = page.filter(({ messageId }) => !leases.has(messageId));
    if (unleased.length === 0) continue;
    recovered += await store.write((tx) => {
      const session = openFacts(tx, nowMs);
      const found = unleased
        .filter(({ messageId }) => !leases.has(messageId))
        .map(({ messageId }) => claimedMessage(tx, messageId))
        .filter((message) => message !== null);
      for (const message of found) {
        const { messageId } = message;
        recoverClaim(tx, session, { ...message, isTaken: leases.isTaken(messageId) }, nowMs);
        tx.afterCommit(() => leases.settled(messageId));
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
