import { type Clock, wait } from "../../src/core/clock.ts";
import type { Seen } from "../sim/observation.ts";
import type { Recorder } from "./recorder.ts";

/** About how many submit_sm are still to come, as far as anybody outside can tell. */
export type Backlog = { readonly about: () => number };

const SUBMIT_SM = 0x0000_0004;
/** Some texts have two parts. */
const PARTS = 1.25;

/** Counts what is accepted and what leaves. */
export function backlogOf(recorder: Recorder): Backlog {
  let owed = 0;
  recorder.watch((seen) => {
    owed += PARTS * acceptedIn(seen) - (isSubmit(seen) ? 1 : 0);
  });
  return { about: () => owed };
}

function acceptedIn(seen: Seen): number {
  if (seen.kind !== "answer" || seen.status !== 202 || "idempotency-replayed" in seen.headers) return 0;
  return Number(/"accepted":(\d+)/.exec(seen.body)?.[1] ?? 0);
}

function isSubmit(seen: Seen): boolean {
  if (seen.kind !== "pdu" || seen.from !== "appliance") return false;
  return new DataView(seen.octets.buffer, seen.octets.byteOffset).getUint32(4) === SUBMIT_SM;
}

const LOOK_MS = 20;

/** Resolves when no more than `most` are to come, or after so long. */
export async function caughtUp(clock: Clock, backlog: Backlog, most: number, limitMs: number): Promise<void> {
  const endMs = clock.steadyMs() + limitMs;
  while (backlog.about() > most && clock.steadyMs() < endMs) await wait(clock, LOOK_MS);
}
