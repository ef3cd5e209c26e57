/** What leaves next by a number: no user twice in a few seconds, and no more users in a day than it may write to. */

import type { Clock } from "../../core/clock.ts";
import { MAX_BACKOFF_MS } from "../../dispatch/attempt.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { OperatorQueue } from "../../dispatch/line-queue.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { putOff } from "../../domain/messages/queue.ts";
import type { DailyLimit } from "./day-room.ts";
import type { UserSpacing } from "./user-turns.ts";

export type PostSelector = {
  /** The next message, taken off the queue; null where none may leave at this moment of the steady clock. */
  readonly take: (nowMs: number) => Candidate | null;
  /** When it is worth asking again, seen from the moment at which nothing was left; null: when something is queued. */
  readonly againMs: (nowMs: number) => number | null;
};

type Deps = {
  readonly clock: Pick<Clock, "nowMs">;
  readonly queue: Pick<OperatorQueue, "take" | "settled" | "requeued">;
  readonly recorder: Pick<Recorder, "enter">;
  readonly users: UserSpacing;
  readonly room: DailyLimit;
};

/** In each class what waited for its user goes before what comes off the queue, and no class before a more urgent one. */
export function createPostSelector({ clock, queue, recorder, users, room }: Deps): PostSelector {
  /** More wait for its user than are kept at hand: it is read again when those have gone. */
  const later = ({ batch, message }: Candidate, nowMs: number): void => {
    const waitMs = users.throughMs(message.msisdn, batch.messageClass, nowMs) - nowMs;
    const untilMs = clock.nowMs() + Math.ceil(Math.min(waitMs, MAX_BACKOFF_MS));
    recorder.enter(
      (tx) => putOff(tx, message.id, untilMs),
      () => {
        queue.settled(message.id);
        queue.requeued(batch, untilMs);
      },
    );
  };
  const fromQueue = (isWanted: (messageClass: MessageClass) => boolean, nowMs: number): Candidate | null => {
    for (;;) {
      const candidate = queue.take((one) => isWanted(one) && !users.isFull(one));
      if (candidate === null) return null;
      if (!room.has(candidate)) continue;
      const freeAtMs = users.freeAtMs(candidate.message.msisdn, nowMs);
      if (freeAtMs <= nowMs) return candidate;
      if (!users.keep(candidate, freeAtMs)) later(candidate, nowMs);
    }
  };
  const fromAside = (nowMs: number): Candidate | null => {
    for (;;) {
      const candidate = users.due(nowMs);
      // The day may have been used up since it was set aside.
      if (candidate === null || room.has(candidate)) return candidate;
    }
  };
  return {
    take: (nowMs) => {
      room.letIn();
      const waited = fromAside(nowMs);
      if (waited === null) return fromQueue(() => true, nowMs);
      const rank = MESSAGE_CLASSES.indexOf(waited.batch.messageClass);
      const moreUrgent = fromQueue((one) => MESSAGE_CLASSES.indexOf(one) < rank, nowMs);
      if (moreUrgent === null) return waited;
      if (!users.keep(waited, nowMs)) later(waited, nowMs);
      return moreUrgent;
    },
    againMs: (nowMs) => {
      const known = [users.nextMs(), room.nextMs(nowMs)].filter((at) => at !== null);
      return known.length === 0 ? null : Math.max(nowMs, Math.min(...known));
    },
  };
}
