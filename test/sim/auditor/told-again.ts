/** What lets an event be told again that a receiver had taken, or sooner than its delay. */
import { clockSetsOf } from "./circumstances.ts";
import { commitMs, unwellTimes } from "./durable.ts";
import type { History, Life, SeenEvent } from "./history.ts";
import { type Json, text } from "./json.ts";
import { commandsNamed, once } from "./once.ts";
import { isSentOnceMore, longestTimeoutMs } from "./receiver-answers.ts";

/** What a person did to an endpoint may go on for so long: all that a replay tells again. */
const HOUR_MS = 3_600_000;

/** A 2xx is written down with others, a few times a second. */
export const WRITTEN_DOWN_MS = 5_000;

/** A jump ahead by more is doubted. */
const DOUBTED_MS = 6 * HOUR_MS;
const LASTING_MS = 600_000;

type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * When the time by which tries are due may have moved: at once, and where the jump was doubted, "when the new time has lasted ten
 * minutes, or when somebody says `bendre clock accept`".
 */
const clockMoves = once((history): readonly Stretch[] => {
  const accepts = commandsNamed(history, "clock accept").filter(({ wasDone }) => wasDone !== "no");
  return clockSetsOf(history).flatMap(({ atMs, byMs }) => {
    const set = { fromMs: atMs, toMs: atMs };
    if (byMs <= DOUBTED_MS) return [set];
    const lasted = { fromMs: atMs + LASTING_MS, toMs: atMs + LASTING_MS + WRITTEN_DOWN_MS };
    const accepted = accepts
      .filter(({ askedAtMs }) => askedAtMs >= atMs)
      .map(({ askedAtMs, endedAtMs }) => ({ fromMs: askedAtMs, toMs: endedAtMs ?? Infinity }));
    return [set, lasted, ...accepted];
  });
});

/** Accounts that change an endpoint, which begins anew with what was not yet written down as told. */
const endpointPosts = once(({ exchanges }) =>
  exchanges.filter(
    ({ method, path }) => method === "POST" && /\/webhooks\/[^/]+\/(enable|rotate)$/.test(path),
  ),
);

/** Whether something came between two tries that lets the second come as it did: a death, a disk, a person. */
export function isToldOver(history: History, earlier: SeenEvent, later: SeenEvent): boolean {
  const changes = ["webhook replay", "webhook update", "webhook enable"].flatMap((name) =>
    commandsNamed(history, name),
  );
  const wasChanged = changes.some(
    ({ askedAtMs }) => askedAtMs < later.atMs && askedAtMs > earlier.atMs - HOUR_MS,
  );
  const unwell = unwellTimes(history).some(
    ({ fromMs, toMs }) => fromMs <= later.atMs && toMs + WRITTEN_DOWN_MS >= earlier.atMs,
  );
  const jumped = clockMoves(history).some(({ fromMs, toMs }) => toMs >= earlier.atMs && fromMs <= later.atMs);
  const wasTurned = endpointPosts(history).some(
    ({ askedAtMs }) => askedAtMs <= later.atMs && askedAtMs >= earlier.atMs - WRITTEN_DOWN_MS,
  );
  return wasChanged || wasTurned || isUndone(history, earlier, later) || unwell || jumped;
}

/** Whether the end of a life between two tries may have undone that the first was written down. */
function isUndone(history: History, earlier: SeenEvent, later: SeenEvent): boolean {
  const heardAtMs = endOf(earlier, longestTimeoutMs(history));
  return history.lives.some((life, index) => {
    const next = history.lives[index + 1];
    if (!next || next.startedAtMs <= earlier.atMs || next.startedAtMs > later.atMs) return false;
    const endedAtMs = life.endedAtMs ?? 0;
    // What has no answer when an orderly stop does not wait any longer is tried again after the next start, and holds nothing up.
    if (life.end === "stopped") return (life.stoppingAtMs ?? endedAtMs) - heardAtMs <= commitMs(history);
    return endedAtMs - heardAtMs <= WRITTEN_DOWN_MS || isHeldUp(history, earlier, life, endedAtMs);
  });
}

/** Requests of one endpoint overtake each other by so much. */
const OVERTAKEN_MS = 1_000;

/**
 * Whether a death found a cursor held below an event: "up to here every final message, and every row of events, was delivered, given
 * up or put into webhook_retries". An event that was begun before it had no end yet, or its end was not written down.
 */
function isHeldUp(history: History, { url, atMs, json }: SeenEvent, life: Life, endedAtMs: number): boolean {
  const timeoutMs = longestTimeoutMs(history);
  return (firstTries(history).get(`${url} ${logOf(json)}`) ?? []).some(
    (holder) =>
      holder.atMs >= life.startedAtMs &&
      holder.atMs <= atMs + OVERTAKEN_MS &&
      endedAtMs - endOf(holder, timeoutMs) <= WRITTEN_DOWN_MS,
  );
}

/** Each log has a cursor of its own. */
function logOf(json: Json): "feed" | "outbox" | "none" {
  const type = text(json, "type");
  if (type === "WEBHOOK_TEST") return "none";
  return type === "MESSAGE_TERMINAL" ? "feed" : "outbox";
}

/** When a try was over for the appliance, at the latest. */
function endOf({ atMs, answer, answeredAtMs }: SeenEvent, timeoutMs: number): number {
  const isEnded = answer !== null && answer !== "silent" && answeredAtMs !== null;
  return Math.min(isEnded ? answeredAtMs : Infinity, atMs + timeoutMs);
}

/** The first try of each event at each endpoint in each life, by URL and log: later ones have a row of their own, and hold nothing up. */
const firstTries = once((history): ReadonlyMap<string, readonly SeenEvent[]> => {
  const lasts = new Map<string, SeenEvent>();
  const isNewLife = (fromMs: number, toMs: number) =>
    history.lives.some(({ startedAtMs }) => startedAtMs > fromMs && startedAtMs <= toMs);
  const firsts = history.events.filter((event) => {
    const name = `${event.url} ${text(event.json, "event_id")}`;
    const last = lasts.get(name);
    lasts.set(name, event);
    return last === undefined || isSentOnceMore(last, event) || isNewLife(last.atMs, event.atMs);
  });
  return Map.groupBy(firsts, ({ url, json }) => `${url} ${logOf(json)}`);
});
