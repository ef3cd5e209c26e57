/** What is told of what fires: once when it starts, once a day, once when it ends. Pure. */
import type { AlertFacts, Firing, RuleName } from "./rules.ts";

/** One alarm, firing or just over. Times are epoch milliseconds. */
export type AlertState = {
  readonly rule: RuleName;
  readonly subject: string;
  readonly sinceMs: number;
  readonly isFiring: boolean;
  /** When somebody was last told of it; null where nobody was, or its end was told. */
  readonly toldAtMs: number | null;
  readonly clearedAtMs: number | null;
  /** When it started within the last hour. */
  readonly startsMs: readonly number[];
  readonly facts: AlertFacts;
};

/** Something to tell. */
export type AlertEvent = Pick<AlertState, "rule" | "subject" | "sinceMs" | "facts"> & {
  readonly state: "start" | "repeat" | "end";
};

export type AlertTransitions = {
  /** As they stand now, of those that are others than before. */
  readonly changed: readonly AlertState[];
  /** Those of which nothing need be remembered any more. */
  readonly over: readonly AlertState[];
  readonly news: readonly AlertEvent[];
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Of more starts in an hour only one more is told, and its end once it has been quiet for an hour. */
const MAX_STARTS = 3;

/** The name of an alarm among all. */
export function toAlertKey({ rule, subject }: Pick<AlertState, "rule" | "subject">): string {
  return `${rule} ${subject}`;
}

/** What becomes of all alarms when this fires at this moment; of a rule that `isSilenced` nothing is told. */
export function advanceAlerts(
  before: ReadonlyMap<string, AlertState>,
  firings: readonly Firing[],
  isSilenced: (rule: RuleName) => boolean,
  nowMs: number,
): AlertTransitions {
  const changed: AlertState[] = [];
  const over: AlertState[] = [];
  const news: AlertEvent[] = [];
  const take = (known: AlertState | null, step: Step | null): void => {
    if (step === null) return;
    if (step.after === null) over.push(...(known ? [known] : []));
    else changed.push(step.after);
    const told = step.after ?? known;
    if (step.tell && told) news.push(newsOf(told, step.tell));
  };
  const firing = new Set(firings.map(toAlertKey));
  for (const found of firings) {
    const known = before.get(toAlertKey(found)) ?? null;
    take(known, whileFiring(known, found, isSilenced(found.rule), nowMs));
  }
  for (const known of before.values())
    if (!firing.has(toAlertKey(known))) take(known, whenQuiet(known, isSilenced(known.rule), nowMs));
  return { changed, over, news };
}

/** What becomes of one alarm, null where nothing does; `after` null: it is forgotten. */
type Step = { readonly after: AlertState | null; readonly tell: AlertEvent["state"] | null };

function whileFiring(
  known: AlertState | null,
  { rule, subject, sinceMs, facts }: Firing,
  isSilenced: boolean,
  nowMs: number,
): Step | null {
  if (known?.isFiring) {
    if (isSilenced || (known.toldAtMs !== null && nowMs - known.toldAtMs < DAY_MS)) return null;
    const tell = known.toldAtMs === null ? "start" : "repeat";
    return { after: { ...known, facts, toldAtMs: nowMs }, tell };
  }
  const startsMs = [...recent(known, nowMs), nowMs];
  const toldAtMs = known?.toldAtMs ?? (isSilenced ? null : nowMs);
  const after = { rule, subject, sinceMs, facts, startsMs, toldAtMs, isFiring: true, clearedAtMs: null };
  const isTold = known !== null && known.toldAtMs !== null;
  return { after, tell: isTold || isSilenced ? null : "start" };
}

function whenQuiet(known: AlertState, isSilenced: boolean, nowMs: number): Step | null {
  const startsMs = recent(known, nowMs);
  if (known.isFiring) {
    const cleared = { ...known, isFiring: false, clearedAtMs: nowMs, startsMs };
    // It starts again and again: its end is believed when it has lasted.
    if (startsMs.length > MAX_STARTS) return { after: cleared, tell: null };
    const tell = known.toldAtMs === null || isSilenced ? null : "end";
    return { after: { ...cleared, toldAtMs: null }, tell };
  }
  if (nowMs - (known.clearedAtMs ?? nowMs) < HOUR_MS) return null;
  return { after: null, tell: known.toldAtMs === null || isSilenced ? null : "end" };
}

function recent(known: AlertState | null, nowMs: number): readonly number[] {
  return (known?.startsMs ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
}

function newsOf({ rule, subject, sinceMs, facts }: AlertState, state: AlertEvent["state"]): AlertEvent {
  return { rule, subject, sinceMs, facts, state };
}
