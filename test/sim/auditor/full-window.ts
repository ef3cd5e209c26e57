/** How long a link took no submit, because nobody answered those that it had. */
import { connectionsTo } from "./connections.ts";
import type { History } from "./history.ts";
import type { Submit } from "./wire-submits.ts";
import { wiresOf } from "./wires.ts";

/**
 * For how long between two moments the places of a link's window, of the smallest that its centre's connections have, were all held by
 * submits that had no answer in time, ms. Such a submit holds its place until its answer, for twice the time for one at most.
 */
export function fullForMs(
  history: History,
  { centre, link }: Submit,
  fromMs: number,
  untilMs: number,
): number {
  const connections = connectionsTo(history, centre);
  const places = Math.min(...connections.map(({ window }) => window));
  const soonMs = Math.min(...connections.map(({ responseTimeoutMs }) => responseTimeoutMs));
  const heldForMs = 2 * Math.max(...connections.map(({ responseTimeoutMs }) => responseTimeoutMs));
  const turns = wiresOf(history).submits.flatMap((submit) => {
    const heardAtMs = submit.answers[0]?.heardAtMs ?? Infinity;
    if (submit.link !== link || heardAtMs - submit.writtenAtMs < soonMs) return [];
    const endMs = Math.min(heardAtMs, submit.writtenAtMs + heldForMs, untilMs);
    const beginMs = Math.max(submit.writtenAtMs, fromMs);
    if (endMs <= beginMs) return [];
    return [
      { atMs: beginMs, by: 1 },
      { atMs: endMs, by: -1 },
    ];
  });
  let held = 0;
  let beforeMs = fromMs;
  let fullMs = 0;
  for (const { atMs, by } of turns.sort((a, b) => a.atMs - b.atMs)) {
    if (held >= places) fullMs += atMs - beforeMs;
    held += by;
    beforeMs = atMs;
  }
  return fullMs;
}
