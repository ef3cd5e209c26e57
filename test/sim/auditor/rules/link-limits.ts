import { type Connection, connectionsIn, connectionsTo } from "../connections.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const window = finder("window", "window is how many submit_sm may be unanswered on a connection.");
const pace = finder("throughput", "throughput is how many submit_sm a connection takes a second.");
const sharedPace = finder("shared-pace", "Connections of one shared_pace share one throughput.");

/** No link has more in flight, or goes faster, than its connection may. */
export function linkLimits(history: History): readonly Finding[] {
  const { submits, isWatched } = wiresOf(history);
  const byLink = Map.groupBy(submits, ({ link }) => link);
  const links = [...byLink].map(([link, sent]) => ({
    link,
    sent,
    connections: connectionsOf(history, link, sent[0]?.centre ?? ""),
  }));
  return [
    ...links.flatMap(({ link, sent, connections }) => {
      if (connections.length === 0) return [];
      const ahead = firstAhead(sent, connections, isWatched);
      return [
        ...tooMany(link, sent, connections),
        ...(ahead ? [pace(ahead.atMs, `link ${link} was ${ahead.words}`)] : []),
      ];
    }),
    ...(isWatched ? sharedTooFast(links) : []),
  ];
}

type LinkTraffic = {
  readonly link: number;
  readonly sent: readonly Submit[];
  readonly connections: readonly Connection[];
};

/** In one life; the next knows nothing of what left before. */
function sharedTooFast(links: readonly LinkTraffic[]): readonly Finding[] {
  const sharing = links.flatMap((each) => {
    const words = new Set(each.connections.map((connection) => connection.sharedPace));
    const [word = ""] = words;
    return words.size === 1 && word !== "" ? [{ ...each, word }] : [];
  });
  const ofWord = Map.groupBy(sharing, ({ word, sent }) => `${word} of life ${sent[0]?.life}`);
  return [...ofWord].flatMap(([word, all]) => {
    const sent = all.flatMap((each) => each.sent).sort((a, b) => a.writtenAtMs - b.writtenAtMs);
    const ahead = firstAhead(
      sent,
      all.flatMap(({ connections }) => connections),
      true,
    );
    const names = all.map(({ link }) => link).join(", ");
    return ahead ? [sharedPace(ahead.atMs, `links ${names}, which share ${word}, were ${ahead.words}`)] : [];
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

/** The first submit that came too early; a second's worth may leave at once, and a network that bunches may add a window's. */
function firstAhead(
  sent: readonly Submit[],
  connections: readonly Connection[],
  isWatched: boolean,
): { readonly atMs: number; readonly words: string } | null {
  const rate = Math.max(...connections.map(({ throughput }) => throughput));
  const bunched = isWatched ? 0 : Math.max(...connections.map((connection) => connection.window));
  let level = 0;
  let beforeMs = 0;
  for (const { writtenAtMs } of sent) {
    level = Math.max(0, level - ((writtenAtMs - beforeMs) * rate) / 1000) + 1;
    beforeMs = writtenAtMs;
    if (level > rate + bunched + 1)
      return {
        atMs: writtenAtMs,
        words: `${Math.round(level)} submits ahead of ${rate} a second at ${at(writtenAtMs)}`,
      };
  }
  return null;
}
