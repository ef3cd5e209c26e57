/** What is told of what fires: once when it starts, once a day, once when it ends. Pure. */
import type { AlarmFacts, Firing, RuleName } from "./rules.ts";

/** One alarm, firing or just over. Times are epoch milliseconds. */
export type AlarmState = {
  readonly rule: RuleName;
  readonly subject: string;
  readonly sinceMs: number;
  readonly isFiring: boolean;
  /** When somebody was last told of it; null where nobody was, or its end was told. */
  readonly toldAtMs: number | null;
  readonly clearedAtMs: number | null;
  /** When it started within the last hour. */
  readonly startsMs: readonly number[];
  readonly facts: AlarmFacts;
};

/** Something to tell. */
export type AlarmNews = Pick<AlarmState, "rule" | "subject" | "sinceMs" | "facts"> & {
  readonly state: "start" | "repeat" | "end";
};

export type AlarmStep = {
  /** As they stand now, of those that are others than before. */
  readonly changed: readonly AlarmState[];
  /** Those of which nothing need be remembered any more. */
  readonly over: readonly AlarmState[];
  readonly news: readonly AlarmNews[];
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Of more starts in an hour only one more is told, and its end once it has been quiet for an hour. */
const MAX_STARTS = 3;

/** The name of an alarm among all. */
export function alarmKey({ rule, subject }: Pick<AlarmState, "rule" | "subject">): string {
  return `${rule} ${subject}`;
}

/** What becomes of all alarms when this fires at this moment; of a rule that `isSilenced` nothing is told. */
export function afterFirings(
  before: ReadonlyMap<string, AlarmState>,
  firings: readonly Firing[],
  isSilenced: (rule: RuleName) => boolean,
  nowMs: number,
): AlarmStep {
  const changed: AlarmState[] = [];
  const over: AlarmState[] = [];
  const news: AlarmNews[] = [];
  const take = (known: AlarmState | null, step: Step | null): void => {
    if (step === null) return;
    if (step.after === null) over.push(...(known ? [known] : []));
    else changed.push(step.after);
    const told = step.after ?? known;
    if (step.tell && told) news.push(newsOf(told, step.tell));
  };
  const firing = new Set(firings.map(alarmKey));
  for (const found of firings) {
    const known = before.get(alarmKey(found)) ?? null;
    take(known, whileFiring(known, found, isSilenced(found.rule), nowMs));
  }
  for (const known of before.values())
    if (!firing.has(alarmKey(known))) take(known, whenQuiet(known, isSilenced(known.rule), nowMs));
  return { changed, over, news };
}

/** What becomes of one alarm, null where nothing does; `after` null: it is forgotten. */
type Step = { readonly after: AlarmState | null; readonly tell: AlarmNews["state"] | null };

function whileFiring(
  known: AlarmState | null,
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

function whenQuiet(known: AlarmState, isSilenced: boolean, nowMs: number): Step | null {
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

function recent(known: AlarmState | null, nowMs: number): readonly number[] {
  return (known?.startsMs ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
}

function newsOf({ rule, subject, sinceMs, facts }: AlarmState, state: AlarmNews["state"]): AlarmNews {
  return { rule, subject, sinceMs, facts, state };
}
