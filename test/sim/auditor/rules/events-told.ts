import { clockSetsOf } from "../circumstances.ts";
import { commitMs, unwellTimes } from "../durable.ts";
import { doubtfulUrls, type Endpoint, endpointsOf } from "../endpoints.ts";
import { finalStatesOf } from "../final-states.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History, Life, SeenEvent } from "../history.ts";
import { type Json, list, number, text } from "../json.ts";
import { commandsNamed, once } from "../once.ts";

const untold = finder(
  "events-told",
  "Every event that an endpoint asked for is delivered at least once, or given up after its last try.",
);
const again = finder(
  "events-again",
  "An event whose 2xx arrived is told again only where a death may have lost that.",
);
const hasty = finder(
  "events-hasty",
  "A failed event is tried again after a delay of retry_seconds, ±20 %, and a failing endpoint is probed after probe_seconds.",
);
const disabled = finder(
  "events-disabled",
  "An endpoint is DISABLED_AFTER_FAILURES after 20 failures in a row, and not before.",
);

/** What an endpoint was to be told, it was told, and not more often or sooner than it should. */
export function eventsTold(history: History): readonly Finding[] {
  const attempts = Map.groupBy(history.events, ({ url, json }) => `${url} ${text(json, "event_id")}`);
  return [
    ...endpointsOf(history).flatMap((endpoint) => untoldAt(history, endpoint)),
    ...[...attempts.values()].flatMap((tries) =>
      isOneEndpoint(history, tries) ? repeatedIn(history, tries) : [],
    ),
    ...wrongStandings(history),
  ];
}

/** Two endpoints at one URL hear the same event, and nobody can tell whose try is whose. */
function isOneEndpoint(history: History, [first]: readonly SeenEvent[]): boolean {
  if (!first || doubtfulUrls(history).has(first.url)) return false;
  return endpointsOf(history).filter(({ url }) => url === first.url).length === 1;
}

const RETRIES = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];
const PROBES = [10, 30, 60, 120, 300, 600, 900, 1800, 3600];

function delaysOf({ settings }: History, key: "retry_seconds" | "probe_seconds"): readonly number[] {
  const usual = key === "retry_seconds" ? RETRIES : PROBES;
  return settings.flatMap(({ document }) => {
    const set = list(document, "webhooks", key).filter((delay) => typeof delay === "number");
    return set.length > 0 ? set : usual;
  });
}

function untoldAt(history: History, endpoint: Endpoint): readonly Finding[] {
  const { url, events, isUndisturbed, account, accountId, madeAtMs } = endpoint;
  if (!isUndisturbed || history.restAtMs === null) return [];
  const told = Map.groupBy(
    history.events.filter((event) => event.url === url && text(event.json, "account_id") === accountId),
    ({ json }) => `${text(json, "type")} ${subjectOf(json)}`,
  );
  const tries =
    Math.min(
      ...history.settings.map(
        (settings) => delaysOf({ ...history, settings: [settings] }, "retry_seconds").length,
      ),
    ) + 1;
  return dueEventsOf(history).flatMap(({ type, account: whose, batchId, id, status, atMs }) => {
    if (whose !== account || !events.includes(type) || !isAfter(history, batchId, madeAtMs)) return [];
    const seen = told.get(`${type} ${id}`) ?? [];
    const isOver = seen.some((event) => isGood(event) || event.answer === 410) || seen.length >= tries;
    if (isOver || isStillTried(history, url, seen)) return [];
    const what = `${url} of ${account} was told of ${type} ${id} (${status}) ${seen.length} times, and never took it`;
    return [untold(atMs, what, id)];
  });
}

/** Whether its next try may be yet to come: its own delay runs, or the endpoint fails and is told less. */
function isStillTried({ endAtMs, ...history }: History, url: string, seen: readonly SeenEvent[]): boolean {
  const endOf = ({ answeredAtMs, atMs }: SeenEvent) => answeredAtMs ?? atMs;
  const last = seen.at(-1) ?? history.events.findLast((event) => event.url === url && event.answer !== 200);
  if (last === undefined) return false;
  const delays = delaysOf({ ...history, endAtMs }, "retry_seconds");
  const seconds = Math.max(
    delays[Math.max(0, seen.length - 1)] ?? 0,
    ...delaysOf({ ...history, endAtMs }, "probe_seconds").slice(0, 3),
  );
  return endAtMs - endOf(last) < seconds * 1200 + WRITTEN_DOWN_MS;
}

/** Whether a batch was ordered after the endpoint was there, so that it must hear of it. */
function isAfter(history: History, batchId: string, madeAtMs: number): boolean {
  return (acceptedFrom(history).get(batchId) ?? -Infinity) > madeAtMs;
}

const acceptedFrom = once(
  ({ batches }) => new Map(batches.map(({ batchId, acceptedFromMs }) => [batchId, acceptedFromMs])),
);

function repeatedIn(history: History, tries: readonly SeenEvent[]): readonly Finding[] {
  const findings: Finding[] = [];
  const least = 0.8 * Math.min(...delaysOf(history, "retry_seconds"), ...delaysOf(history, "probe_seconds"));
  for (const [index, later] of tries.entries()) {
    const earlier = tries[index - 1];
    if (!earlier || isToldOver(history, earlier, later)) continue;
    const name = `${text(later.json, "type")} ${text(later.json, "event_id")} to ${later.url}`;
    const endedAtMs = earlier.answeredAtMs ?? earlier.atMs;
    if (isTaken(history, tries, index - 1)) {
      findings.push(
        again(later.atMs, `${name} was taken at ${at(endedAtMs)} and told again at ${at(later.atMs)}`),
      );
    } else if (
      isQuick(earlier, later, least) &&
      !isSentTwice(history, tries, index, least) &&
      !cameBack(history, later.url, endedAtMs, later.atMs)
    ) {
      findings.push(
        hasty(later.atMs, `${name} failed at ${at(endedAtMs)} and was tried again at ${at(later.atMs)}`),
      );
    }
  }
  return findings;
}

function isQuick(earlier: SeenEvent, later: SeenEvent, seconds: number): boolean {
  return later.atMs - earlier.atMs < seconds * 1000 - WRITTEN_DOWN_MS / 100;
}

/**
 * A kept connection may have been closing when it was used: that try is sent once more. What a death came between is no second sending of
 * the same try.
 */
function isSentTwice(history: History, tries: readonly SeenEvent[], index: number, seconds: number): boolean {
  const [before, earlier] = [tries[index - 2], tries[index - 1]];
  if (earlier?.answer !== "broken") return false;
  const isFirst = before === undefined || before.answer !== "broken" || isToldOver(history, before, earlier);
  return isFirst || !isQuick(before, earlier, seconds);
}

const MAX_FAILURES = 20;

function wrongStandings(history: History): readonly Finding[] {
  return history.exchanges.flatMap(({ path, answer }) => {
    if (path !== "/public/v1/webhooks" || answer?.status !== 200) return [];
    return list(answer.json, "data", "webhooks").flatMap((seen) => {
      const [status, failures] = [text(seen, "status"), number(seen, "consecutive_failures") ?? 0];
      const id = text(seen, "webhook_id") ?? "";
      const isWrong =
        status === "ENABLED"
          ? failures >= MAX_FAILURES
          : status === "DISABLED_AFTER_FAILURES" && failures < MAX_FAILURES;
      return isWrong
        ? [disabled(answer.atMs, `endpoint ${id} is ${status} with ${failures} failures in a row`, id)]
        : [];
    });
  });
}

// What endpoints must hear of at last: every end of a message, and what became of every batch.

/** Something that happened, of which every endpoint of its account that asked for it is told. */
type DueEvent = {
  readonly type: string;
  readonly account: string;
  readonly batchId: string;
  /** The message, or the batch. */
  readonly id: string;
  readonly status: string;
  /** When somebody was told of it over the API. */
  readonly atMs: number;
};

const BY_STATUS: Readonly<Record<string, string>> = {
  SETTLED: "BATCH_SETTLED",
  REJECTED: "BATCH_REJECTED",
  FAILED: "BATCH_FAILED",
  CANCELLED: "BATCH_CANCELLED",
};

/** Everything that had happened when the world came to rest, by what clients were told then. */
const dueEventsOf = once((history): readonly DueEvent[] => {
  const messages = [...finalStatesOf(history).values()].flatMap(({ messageId, view, status, isFinal }) =>
    isFinal
      ? [
          {
            type: "MESSAGE_TERMINAL",
            account: view.account,
            batchId: view.batchId,
            id: messageId,
            status,
            atMs: view.atMs,
          },
        ]
      : [],
  );
  const { sightings, exchanges, restAtMs } = history;
  const validated = new Set(
    exchanges.flatMap(({ method, path, answer }) => {
      const isLarge = method === "POST" && path === "/public/v1/batches" && answer?.status === 202;
      return isLarge && text(answer.json, "data", "status") === "VALIDATING"
        ? [text(answer.json, "data", "batch_id") ?? ""]
        : [];
    }),
  );
  const batches = new Map(
    sightings.batchViews
      .filter(({ by, askedAtMs }) => by === "client" && restAtMs !== null && askedAtMs >= restAtMs)
      .map((view) => [view.batchId, view]),
  );
  const ends = [...batches.values()].flatMap(({ batchId, account, status, atMs }) => {
    const type = BY_STATUS[status];
    const about = { account, batchId, id: batchId, status, atMs };
    // Who was told in the 202 that nobody is accepted need not be told again.
    const wasAnswered = status === "REJECTED" && !validated.has(batchId);
    const end = type === undefined || wasAnswered ? [] : [{ ...about, type }];
    return status === "SETTLED" && validated.has(batchId)
      ? [...end, { ...about, type: "BATCH_ACCEPTED" }]
      : end;
  });
  return [...messages, ...ends];
});

/** The message or the batch that an event is about. */
function subjectOf(json: Json): string | null {
  const key = text(json, "type") === "MESSAGE_TERMINAL" ? "message_id" : "batch_id";
  return text(json, "data", key);
}

// What lets an event be told again that a receiver had taken, or sooner than its delay.

/** What a person did to an endpoint may go on for so long: all that a replay tells again. */
const HOUR_MS = 3_600_000;

/** A 2xx is written down with others, a few times a second. */
const WRITTEN_DOWN_MS = 5_000;

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
function isToldOver(history: History, earlier: SeenEvent, later: SeenEvent): boolean {
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

// What receivers answered to events, and what the appliance can have made of it.

/** A 2xx, whether or not it was in time. */
function isGood({ answer }: SeenEvent): boolean {
  return typeof answer === "number" && answer >= 200 && answer < 300;
}

/** Closer to the time limit nobody outside knows whether an answer was in time. */
const IN_TIME = 0.75;
/** A try whose connection broke is sent once more, as soon as that is known there. */
const AT_ONCE_MS = 500;

/** Whether a try of an event was answered 2xx in time. One that was sent once more has the time of the first. */
function isTaken(history: History, tries: readonly SeenEvent[], index: number): boolean {
  const event = tries[index];
  if (!event || !isGood(event) || event.answeredAtMs === null) return false;
  const before = tries[index - 1];
  const beganMs = before && isSentOnceMore(before, event) ? before.atMs : event.atMs;
  return event.answeredAtMs - beganMs < timeoutMs(history) * IN_TIME;
}

/** Whether a try followed upon one whose connection broke, as its second half. */
function isSentOnceMore(before: SeenEvent, { atMs }: SeenEvent): boolean {
  return before.answer === "broken" && atMs - (before.answeredAtMs ?? before.atMs) < AT_ONCE_MS;
}

const timeoutsMs = once(({ settings }: History): readonly number[] =>
  settings.map(({ document }) => 1000 * (number(document, "webhooks", "timeout_seconds") ?? 15)),
);

const timeoutMs = once((history: History) => Math.min(...timeoutsMs(history)));

/** What no try lasts longer than, whenever it began. */
const longestTimeoutMs = once((history: History) => Math.max(...timeoutsMs(history)));

/** So many failures in a row, and an endpoint is only probed; with its next success what waits for it is due at once. */
const PROBED_AFTER = 3;

/** A time limit that is over by so much was over for the appliance too, also where a try had the time of the one before it. */
const CERTAINLY_LATE = 1.25;

/** When endpoints may have answered 2xx in time again after they were only probed, by their URL. */
const comebacks = once((history: History): ReadonlyMap<string, readonly number[]> => {
  const { events } = history;
  const latestMs = longestTimeoutMs(history) * CERTAINLY_LATE;
  const found = new Map<string, number[]>();
  const failures = new Map<string, number>();
  const endOf = ({ answeredAtMs, atMs }: SeenEvent) => answeredAtMs ?? atMs;
  for (const event of [...events].sort((a, b) => endOf(a) - endOf(b))) {
    const before = failures.get(event.url) ?? 0;
    const isSuccess = isGood(event) && endOf(event) - event.atMs <= latestMs;
    failures.set(event.url, isSuccess ? 0 : before + 1);
    if (!isSuccess || before < PROBED_AFTER) continue;
    found.set(event.url, [...(found.get(event.url) ?? []), endOf(event)]);
  }
  return found;
});

/** Whether what waited for an endpoint became due between two moments because it answered again. */
function cameBack(history: History, url: string, fromMs: number, toMs: number): boolean {
  return (comebacks(history).get(url) ?? []).some((atMs) => atMs >= fromMs && atMs <= toMs);
}
