import type { Clock } from "../core/clock.ts";
import type { WritePriority } from "../db/turn.ts";
import type { Tx } from "../db/write.ts";
import { isUrgent } from "../domain/accounts/classes.ts";
import { findBar } from "../domain/accounts/suppressions.ts";
import type { FactSession } from "../domain/messages/apply-facts.ts";
import { acceptedParts } from "../domain/messages/queue.ts";
import type { BatchQueue } from "./backlog.ts";
import type { Candidate } from "./lanes.ts";
import type { WorkerTools } from "./line.ts";
import { WRITE_RETRY_MS } from "./recorder.ts";

export type ClaimerDeps = Pick<WorkerTools, "recorder" | "holds"> & {
  readonly queue: Pick<BatchQueue, "requeued" | "settled">;
  readonly clock: Clock;
  /** Nothing is claimed any more, neither what is asked of the writer already. */
  readonly isStopping: () => boolean;
  /** The highest number that a parked receipt has by now. */
  readonly parkedBefore: () => number;
};

/** The segments of a claimed message that were accepted before; null where it was not claimed. */
export type Claimed = ReadonlySet<number> | null;

/**
 * Claims a message; `told` is called once that is durable, with all that were claimed in one commit in one turn. From then on a
 * claimed one is held, and whoever claimed it releases it at the end of the attempt.
 */
export type Claim = (candidate: Candidate, told: (claimed: Claimed) => void, note?: NoteClaim) => void;

/**
 * Told inside the transaction of a claim which segments were accepted before, for what the channel notes of it. That transaction may be
 * run again.
 */
export type NoteClaim = (tx: Tx, accepted: ReadonlySet<number>) => void;

export function claimer(deps: ClaimerDeps): Claim {
  const { queue, recorder, holds, clock, isStopping, parkedBefore } = deps;
  return (candidate, told, note) => {
    const { batch, message } = candidate;
    const settle = (claimed: Claimed): void => {
      queue.settled(message.id);
      if (claimed === null) holds.release(message.id);
      told(claimed);
    };
    /** It is still queued. A disk that cannot be read either is asked again later. */
    const lookAgain = (): void => {
      if (isStopping()) return;
      try {
        queue.requeued(batch, clock.nowMs());
      } catch {
        clock.after(WRITE_RETRY_MS, lookAgain);
      }
    };
    const apply = (tx: Tx, session: FactSession): Claimed => {
      if (isStopping() || !mayClaim(tx, session, candidate, parkedBefore())) return null;
      const accepted = message.segments > 1 && message.attempts > 0 ? acceptedParts(tx, message.id) : NONE;
      note?.(tx, accepted);
      return accepted;
    };
    const followed = (outcome: PromiseSettledResult<Claimed>): void => {
      if (outcome.status === "fulfilled") settle(outcome.value);
      else if (isStopping()) settle(null);
      // The recorder has said why it could not be claimed. It keeps its room meanwhile, or a disk that takes nothing would be
      // asked again and again.
      else {
        clock.after(WRITE_RETRY_MS, () => {
          settle(null);
          lookAgain();
        });
      }
    };
    holds.hold(message.id);
    recorder.enter(apply, followed, turnOf(candidate));
  };
}

/**
 * An urgent message that was never claimed goes ahead: no answer and no receipt that waits to be written can be about it.
 */
function turnOf({ batch, message }: Candidate): WritePriority {
  return isUrgent(batch.messageClass) && message.attempts === 0 ? "ahead" : "in turn";
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Claims a message, if it is still queued and may leave: what was said before this commit holds, though the message was
 * read before. An opt-out that came since it was accepted wins: then it is cancelled and released instead.
 */
function mayClaim(
  tx: Tx,
  session: FactSession,
  { batch, message }: Candidate,
  parkedBefore: number,
): boolean {
  const messageId = message.id;
  switch (findBar(tx, batch.accountId, message.msisdn, batch.messageClass)) {
    case "SUSPENDED":
      return false;
    case "SUPPRESSED":
      session.apply({ kind: "cancelled", messageId, error: { code: "SUPPRESSED", operatorCode: null } });
      return false;
    case null: {
      const { from, to } = session.apply({
        kind: "claimed",
        messageId,
        parkedBefore,
        operator: batch.operator,
      });
      return from === "QUEUED" && to === "SUBMITTED";
    }
  }
}
