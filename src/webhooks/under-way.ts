import type { WaitingEvent } from "./fan-out.ts";
import type { OutcomeBook } from "./outcome-book.ts";

/** The attempts of a lane that have no end yet. */
export type UnderWay = {
  readonly began: (waiting: WaitingEvent, body: string) => void;
  /** Whether notice is taken of its end. */
  readonly ended: (waiting: WaitingEvent) => boolean;
  /**
   * No notice is taken of an end any more. Events without a row get one, as tried and due at `nowMs`: so they hold up no cursor, and
   * what was told behind them need not be told again.
   */
  readonly leaveOff: (nowMs: number) => void;
};

export function underWay(book: OutcomeBook): UnderWay {
  const rowless = new Map<WaitingEvent, string>();
  let takesNotice = true;
  return {
    began: (waiting, body) => {
      if (waiting.leave) rowless.set(waiting, body);
    },
    ended: (waiting) => {
      rowless.delete(waiting);
      return takesNotice;
    },
    leaveOff: (nowMs) => {
      takesNotice = false;
      for (const [{ eventId, type, attempts, leave }, body] of rowless) {
        book.retry({ eventId, type, body, attempts: attempts + 1, dueAt: nowMs });
        leave?.();
      }
    },
  };
}
