/** When sandboxes have their turn: after all live work, and no faster than they may (docs/behaviour.md#test-keys). */
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { createPace } from "../../dispatch/pace.ts";

export type SandboxTurns = {
  /** There may be something to do. */
  readonly ask: () => void;
  readonly stop: () => void;
};

type TurnsDeps = {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
  /** Messages a second. */
  readonly throughput: () => number;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  /** Begins with up to `room` messages; how many they were. */
  readonly begin: (room: number) => number;
};

/** Messages begun with in one turn. */
const AT_ONCE = 10;
/** How often it is asked again while nothing may be claimed. */
const HELD_LOOK_MS = 1000;

export function turns({ store, clock, log, throughput, isHeld, begin }: TurnsDeps): SandboxTurns {
  let isUnderWay = false;
  let isAsked = false;
  let isStopped = false;
  let cancel: Cancel = () => {};
  const pace = createPace(throughput());

  const later = (waitMs: number): void => {
    cancel();
    cancel = clock.after(Math.max(1, waitMs), ask);
  };
  const go = (): void => {
    if (isStopped) return;
    if (isHeld()) {
      later(HELD_LOOK_MS);
      return;
    }
    pace.allow(throughput());
    const nowMs = clock.steadyMs();
    const room = Math.min(AT_ONCE, pace.available(nowMs));
    const begun = room > 0 ? begin(room) : 0;
    if (begun > 0) pace.take(nowMs, begun);
    if (begun < room) return;
    // There may be more: at once where the pace allows it, in the next turn.
    if (pace.available(nowMs) > 0) ask();
    else later(pace.nextAtMs(nowMs) - nowMs);
  };
  const run = async (): Promise<void> => {
    try {
      // Whatever was given to the writer by now goes before.
      await store.write(() => {}, "with the next");
      isAsked = false;
      go();
    } catch (error) {
      log.error("sandboxes could not go on", { ...errorFields(error) });
      later(HELD_LOOK_MS);
    }
    isUnderWay = false;
    if (isAsked) ask();
  };
  const ask = (): void => {
    if (isStopped) return;
    isAsked = true;
    if (isUnderWay) return;
    isUnderWay = true;
    clock.soon(() => void run());
  };
  return {
    ask,
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
