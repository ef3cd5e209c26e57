import { type Connection, connectionsIn, connectionsTo } from "../connections.ts";
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
    const connections = connectionsOf(history, link, sent[0]?.centre ?? "");
    if (connections.length === 0) return [];
    return [...tooMany(link, sent, connections), ...tooFast(link, sent, connections, isWatched)];
  });
}

/**
 * The connections that a link may be one of: to its centre, of the kind that it was bound as, and in a configuration of its time, the one
 * that its process began with included. All that there ever were where none fits.
 */
function connectionsOf(history: History, link: number, centre: string): readonly Connection[] {
  const { links, byLink, lifeAt } = wiresOf(history);
  const opened = links.get(link);
  const fromMs = opened ? (lifeAt(opened.openedAtMs)?.startedAtMs ?? opened.openedAtMs) : 0;
  const toMs = opened?.closedAtMs ?? history.endAtMs;
  // A process is started with a configuration, and may get others.
  const first = history.settings.findLast(({ atMs }) => atMs <= fromMs);
  const later = history.settings.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
  const settings = first ? [first, ...later] : later;
  const bound = byLink.get(link)?.find(({ pdu }) => pdu.kind === "bind")?.pdu;
  const fitting = connectionsIn(settings, centre).filter(
    ({ bind }) => bound?.kind === "bind" && bind === bound.command,
  );
  return fitting.length > 0 ? fitting : connectionsTo(history, centre);
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
