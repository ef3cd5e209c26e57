/**
 * Messages that may be open when a run ends that cannot wait: those that `operator unanswered` lists at rest, each with the hour at
 * which its wait ends (docs/behaviour.md#unanswered-submits). Their batches are open with them, and their money is reserved.
 */
import { finalStatesOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { list, number, text } from "./json.ts";
import { commandsNamed, once } from "./once.ts";
import type { MessageView } from "./sightings.ts";
import { wallClockOf } from "./wall-clock.ts";

/** By their ids, as they were last shown. Nothing where a run has waited for everything. */
export const waitingAtRest = once((history): ReadonlyMap<string, MessageView> => {
  const listed = listedWaits(history);
  const open = [...finalStatesOf(history).values()].filter(
    ({ messageId, status }) => status === "SUBMITTED" && listed.has(messageId),
  );
  return new Map(open.map(({ messageId, view }) => [messageId, view]));
});

/** Whether every message of a batch that is open waits so; there is one at least. */
export function onlyWaits(history: History, batchId: string): boolean {
  const open = openByBatch(history).get(batchId) ?? [];
  return open.length > 0 && open.every((messageId) => waitingAtRest(history).has(messageId));
}

/** What the waiting messages of an account, or of one batch of it, have reserved. */
export function reservedByWaits(
  history: History,
  wanted: { readonly account: string } | { readonly batchId: string },
): number {
  return [...waitingAtRest(history).values()]
    .filter((view) =>
      "account" in wanted ? view.account === wanted.account : view.batchId === wanted.batchId,
    )
    .reduce((sum, { json }) => sum + (number(json, "reserved_amount") ?? 0), 0);
}

const openByBatch = once((history): ReadonlyMap<string, readonly string[]> => {
  const ids = new Map<string, string[]>();
  for (const { isFinal, messageId, view } of finalStatesOf(history).values()) {
    if (!isFinal) ids.set(view.batchId, [...(ids.get(view.batchId) ?? []), messageId]);
  }
  return ids;
});

const WAIT_HOURS = 24;

/** The last list after rest: what waits until an hour that is to come, and no later than it may. */
function listedWaits(history: History): ReadonlySet<string> {
  const { restAtMs, isCutShort, settings } = history;
  const clock = wallClockOf(history);
  if (!isCutShort || restAtMs === null || clock === null) return new Set();
  const last = commandsNamed(history, "operator unanswered").findLast(
    ({ outcome, askedAtMs, args }) => outcome?.ok && askedAtMs >= restAtMs && args.operator === undefined,
  );
  if (!last?.outcome?.ok) return new Set();
  const nowMs = clock.wallAtStartMs + last.askedAtMs;
  const hours = settings.map(
    ({ document }) => number(document, "delivery", "unanswered", "wait_hours") ?? WAIT_HOURS,
  );
  const latestMs = nowMs + Math.max(...hours) * 3_600_000;
  return new Set(
    list(last.outcome.data, "messages").flatMap((row) => {
      const untilMs = Date.parse(text(row, "until") ?? "");
      return untilMs > nowMs && untilMs <= latestMs ? [text(row, "message_id") ?? ""] : [];
    }),
  );
}
