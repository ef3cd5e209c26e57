import { diskStatesOf } from "../circumstances.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { SUBMIT_PATH } from "../submissions.ts";

const found = finder("full-disk", "Below the reserve of the disk no submission is accepted that is new.");

/** How long it may take until it is noticed that room is short: it is measured every second. */
const NOTICED_MS = 2000;

/** A submission that came while room was short, and was answered before there was any, is no 202 of its own. */
export const fullDisk: Rule = (history) => {
  const short = shortTimes(history);
  if (short.length === 0) return [];
  return history.exchanges.flatMap(({ id, path, method, askedAtMs, answer }) => {
    if (path !== SUBMIT_PATH || method !== "POST" || answer?.status !== 202) return [];
    if (answer.headers["idempotency-replayed"] === "true") return [];
    const time = short.find(({ fromMs, toMs }) => fromMs + NOTICED_MS <= askedAtMs && answer.atMs <= toMs);
    if (!time || isHeldUp(history, time.fromMs, askedAtMs)) return [];
    const what = `request ${id} came at ${at(askedAtMs)} and was accepted, though room was short since ${at(time.fromMs)}`;
    return [found(answer.atMs, what, `request ${id}`)];
  });
};

type Time = { readonly fromMs: number; readonly toMs: number };

/** When less than the reserve was left, and the disk took what was written. */
function shortTimes(history: History): readonly Time[] {
  const states = diskStatesOf(history);
  return states.flatMap(({ state, atMs }, index) =>
    state === "reserved" || state === "spent"
      ? [{ fromMs: atMs, toMs: states[index + 1]?.atMs ?? history.endAtMs }]
      : [],
  );
}

/** Whether others kept the machine busy, so that the process may have measured later. */
function isHeldUp({ observations }: History, fromMs: number, toMs: number): boolean {
  let isBusy = false;
  for (const seen of observations) {
    if (seen.atMs > toMs) break;
    if (seen.kind !== "machine") continue;
    isBusy = seen.state === "busy";
    if (!isBusy && seen.atMs >= fromMs) return true;
  }
  return isBusy;
}
