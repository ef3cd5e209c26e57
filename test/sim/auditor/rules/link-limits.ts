import { type Connection, connectionsTo } from "../connections.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const window = finder("window", "window is how many submit_sm may be unanswered on a connection.");
const pace = finder("throughput", "throughput is how many submit_sm a connection takes a second.");

/** No link has more in flight, or goes faster, than its connection may. */
export function linkLimits(history: History): readonly Finding[] {
  const { submits, isWatched } = wiresOf(history);
  const byLink = Map.groupBy(submits, ({ link }) => link);
  return [...byLink].flatMap(([link, sent]) => {
    const connections = connectionsTo(history, sent[0]?.centre ?? "");
    if (connections.length === 0) return [];
    return [...tooMany(link, sent, connections), ...tooFast(link, sent, connections, isWatched)];
  });
}

/**
 * Counted where the centre stands: what it has answered may not have been heard yet, so this never counts too many. The time for an
 * answer runs from the writing, which on a slow link is long before the centre has it.
 */
function tooMany(
  link: number,
  sent: readonly Submit[],
  connections: readonly Connection[],
): readonly Finding[] {
  const most = Math.max(...connections.map((connection) => connection.window));
  const patienceMs = Math.min(...connections.map(({ responseTimeoutMs }) => responseTimeoutMs));
  const open: { readonly takenAtMs: number; readonly endsAtMs: number }[] = [];
  for (const { takenAtMs, writtenAtMs, answers } of sent) {
    if (takenAtMs === null) continue;
    const stillOpen = open.filter(({ endsAtMs }) => endsAtMs >= takenAtMs);
    open.splice(0, open.length, ...stillOpen);
    const answeredAtMs = answers[0]?.writtenAtMs ?? Infinity;
    open.push({ takenAtMs, endsAtMs: Math.min(answeredAtMs, writtenAtMs + patienceMs - 1) });
    if (open.length > most)
      return [
        window(
          takenAtMs,
          `link ${link} had ${open.length} submits unanswered at ${at(takenAtMs)}, its window being ${most}`,
        ),
      ];
  }
  return [];
}

/** A second's worth may leave at once; a network that bunches may add a window's. */
function tooFast(
  link: number,
  sent: readonly Submit[],
  connections: readonly Connection[],
  isWatched: boolean,
): readonly Finding[] {
  const rate = Math.max(...connections.map(({ throughput }) => throughput));
  const bunched = isWatched ? 0 : Math.max(...connections.map((connection) => connection.window));
  let level = 0;
  let beforeMs = 0;
  for (const { writtenAtMs } of sent) {
    level = Math.max(0, level - ((writtenAtMs - beforeMs) * rate) / 1000) + 1;
    beforeMs = writtenAtMs;
    if (level > rate + bunched + 1)
      return [
        pace(
          writtenAtMs,
          `link ${link} was ${Math.round(level)} submits ahead of its ${rate} a second at ${at(writtenAtMs)}`,
        ),
      ];
  }
  return [];
}
