import { dueEventsOf, subjectOf } from "../due-events.ts";
import { doubtfulUrls, type Endpoint, endpointsOf } from "../endpoints.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History, SeenEvent } from "../history.ts";
import { list, number, text } from "../json.ts";
import { once } from "../once.ts";
import { cameBack, isGood, isTaken } from "../receiver-answers.ts";
import { isToldOver, WRITTEN_DOWN_MS } from "../told-again.ts";

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
