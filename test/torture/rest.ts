/** The end of a run: the last life is left alone until nothing moves any more. */
import { type Clock, wait } from "../../src/base/clock.ts";
import type { Seen } from "../sim/observation.ts";
import type { Recorder } from "./recorder.ts";

const LOOK_MS = 250;
/** Longer than anything waits that is not told to wait for an hour: backed-off submits, the search for what nobody holds. */
const LONGEST_PAUSE_MS = 65_000;
/** What a pause must be at least, when nothing is reserved any more. */
const SHORT_PAUSE_MS = 6000;

/**
 * Resolves true when nothing was seen to move for as long as anything may pause, false when `limitMs` were not enough. `isSquared`
 * asks whether all money is charged or released; then a short pause will do.
 */
export async function comesToRest(
  clock: Clock,
  recorder: Recorder,
  isSquared: () => Promise<boolean>,
  limitMs: number,
): Promise<boolean> {
  const beganMs = clock.steadyMs();
  let movedMs = beganMs;
  const forget = recorder.watch((seen) => {
    if (moves(seen)) movedMs = clock.steadyMs();
  });
  try {
    for (;;) {
      await wait(clock, LOOK_MS);
      const nowMs = clock.steadyMs();
      const pauseMs = nowMs - movedMs;
      if (pauseMs > LONGEST_PAUSE_MS) return true;
      if (pauseMs > SHORT_PAUSE_MS && (await isSquared())) return true;
      if (nowMs - beganMs > limitMs) return false;
    }
  } finally {
    forget();
  }
}

const ENQUIRE_LINK = 0x15;
const OF_ANSWERS = 0x8000_0000;

/** Whether something goes on; a link that is asked whether it lives does not. */
function moves(seen: Seen): boolean {
  if (seen.kind === "event") return true;
  if (seen.kind !== "pdu") return false;
  const command = new DataView(seen.octets.buffer, seen.octets.byteOffset).getUint32(4);
  return (command & ~OF_ANSWERS) >>> 0 !== ENQUIRE_LINK;
}
