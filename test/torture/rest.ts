/** The end of a run: the last life is left alone until nothing moves any more. */
import { type Clock, wait } from "../../src/core/clock.ts";
import type { Command } from "../sim/actors.ts";
import type { Seen } from "../sim/observation.ts";
import type { Recorder } from "./recorder.ts";

const LOOK_MS = 250;
/** Longer than anything waits that is not told to wait for an hour: backed-off submits, the search for what nobody holds. */
const MAX_PAUSE_MS = 65_000;
/** What a pause must be at least, when nothing is owed any more. */
const SHORT_PAUSE_MS = 3000;

/**
 * Resolves true when nothing was seen to move for as long as anything may pause, false when `limitMs` were not enough. `isDone`
 * asks whether nothing is owed to anybody any more; then a short pause will do.
 */
export async function comesToRest(
  clock: Clock,
  recorder: Recorder,
  isDone: () => Promise<boolean>,
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
      if (pauseMs > MAX_PAUSE_MS) return true;
      if (pauseMs > SHORT_PAUSE_MS && (await isDone())) return true;
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

/** Whether nothing waits: all money is squared, or what is reserved is listed as in doubt, and endpoints were told everything. */
export async function nothingIsOwed(command: Command): Promise<boolean> {
  const says = async (name: string, words: RegExp): Promise<boolean> => {
    const outcome = await command(name, {});
    return outcome?.ok === true && words.test(JSON.stringify(outcome.data));
  };
  if (await says("webhook status", /"(retrying|waiting)":[1-9]/)) return false;
  if (await says("operator status", /"(waiting|scheduled|in_flight)":[1-9]/)) return false;
  if (await says("operator unanswered", /"until":null/)) return false;
  return (
    (await says("operator unanswered", /"until":"/)) || !(await says("account list", /"reserved":[1-9]/))
  );
}
