import { operatorOfNumber } from "../../config/whatsapp-codes.ts";
import { isAnyUntimed, timeTurns } from "../../domain/messages/second-ways.ts";
import type { NumberLineDeps } from "./line-deps.ts";

/** The turns of messages that would have been posted by now, had anything left by the number. Times are of the steady clock. */
export type MissedTurns = {
  /** Something may leave: no turn is missed until now. */
  readonly begin: (nowMs: number) => void;
  /**
   * Nothing has left since the last look, or nothing of these batches: for so many messages as the number writes meanwhile the time of
   * their way begins.
   */
  readonly pass: (nowMs: number, isMeant?: (batchId: number) => boolean) => void;
};

/** Most turns of one look: the next look takes the others. */
const MOST_TURNS = 250;

export function missedTurns({
  code,
  number,
  store,
  clock,
  log,
}: Pick<NumberLineDeps, "code" | "number" | "store" | "clock" | "log">): MissedTurns {
  let sinceMs = clock.steadyMs();
  let isWriting = false;
  return {
    begin: (nowMs) => {
      sinceMs = nowMs;
    },
    pass: (nowMs, isMeant) => {
      const turns = Math.floor(((nowMs - sinceMs) * number().throughput) / 1000);
      if (turns < 1 || isWriting) return;
      sinceMs = nowMs;
      if (!isAnyUntimed(store.read)) return;
      isWriting = true;
      const most = Math.min(turns, MOST_TURNS);
      store
        .write((tx) => timeTurns(tx, operatorOfNumber(code), clock.nowMs(), most, isMeant), "with the next")
        .catch(() => log.warn("turns that were missed are noted later", {}))
        .finally(() => {
          isWriting = false;
        });
    },
  };
}
