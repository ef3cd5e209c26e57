import { isUrgent } from "../accounts/classes.ts";
import { barOf } from "../accounts/suppressions.ts";
import { type Clock, wait } from "../base/clock.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import { acceptedParts } from "../messages/queue.ts";
import type { Turn } from "../store/turn.ts";
import type { Tx } from "../store/write.ts";
import type { Backlog } from "./backlog.ts";
import type { Candidate } from "./lanes.ts";
import type { LineTools } from "./line.ts";
import { WRITE_AGAIN_MS } from "./recorder.ts";

export type ClaimerDeps = Pick<LineTools, "recorder" | "holds"> & {
  readonly queue: Pick<Backlog, "requeued" | "settled">;
  readonly clock: Clock;
  /** Nothing is claimed any more, neither what is asked of the writer already. */
  readonly isStopping: () => boolean;
  /** The highest number that a parked receipt has by now. */
  readonly parkedBefore: () => number;
};

/**
 * Claims a message and resolves, once that is durable, with the segments of it that were accepted before: from then on it
 * is held, and whoever claimed it releases it at the end of the attempt. Resolves with null where it was not claimed.
 */
export type Claim = (candidate: Candidate) => Promise<ReadonlySet<number> | null>;

export function claimer({ queue, recorder, holds, clock, isStopping, parkedBefore }: ClaimerDeps): Claim {
  return async (candidate) => {
    const { batch, message } = candidate;
    let accepted: ReadonlySet<number> | null = null;
    let isFailed = false;
    holds.hold(message.id);
    try {
      accepted = await recorder.record((tx, session) => {
        if (isStopping() || !mayClaim(tx, session, candidate, parkedBefore())) return null;
        return message.segments > 1 && message.attempts > 0 ? acceptedParts(tx, message.id) : NONE;
      }, turnOf(candidate));
    } catch {
      // It is still queued; the recorder has said why it could not be claimed. It keeps its room meanwhile, or a disk that takes
      // nothing would be asked again and again.
      isFailed = true;
      if (!isStopping()) await wait(clock, WRITE_AGAIN_MS);
    }
    queue.settled(message.id);
    if (isFailed && !isStopping()) queue.requeued(batch, clock.nowMs());
    if (accepted === null) holds.release(message.id);
    return accepted;
  };
}

/**
 * An urgent message that was never claimed goes ahead: no answer and no receipt that waits to be written can be about it.
 */
function turnOf({ batch, message }: Candidate): Turn {
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
  switch (barOf(tx, batch.accountId, message.msisdn, batch.messageClass)) {
    case "SUSPENDED":
      return false;
    case "SUPPRESSED":
      session.apply({ kind: "cancelled", messageId, error: { code: "SUPPRESSED", operatorCode: null } });
      return false;
    case null: {
      const { from, to } = session.apply({ kind: "claimed", messageId, parkedBefore });
      return from === "QUEUED" && to === "SUBMITTED";
    }
  }
}
