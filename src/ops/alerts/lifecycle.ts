/** The lifecycle of an alert: notified when it starts, once a day, and when it ends. Pure. */
import type { AlertFacts, Firing, RuleName } from "./rules.ts";

/** One alert, firing or just over. Times are epoch milliseconds. */
export type AlertState = {
  readonly rule: RuleName;
  readonly subject: string;
  readonly sinceMs: number;
  readonly isFiring: boolean;
  /** When it was last notified; null where it never was, or its end was. */
  readonly notifiedAtMs: number | null;
  readonly clearedAtMs: number | null;
  /** When it started within the last hour. */
  readonly startsMs: readonly number[];
  readonly facts: AlertFacts;
};

/** An event to notify. */
export type AlertEvent = Pick<AlertState, "rule" | "subject" | "sinceMs" | "facts"> & {
  readonly state: "start" | "repeat" | "end";
};

export type AlertTransitions = {
  /** The new states of alerts that changed. */
  readonly changed: readonly AlertState[];
  /** Alerts that can be forgotten. */
  readonly over: readonly AlertState[];
  readonly events: readonly AlertEvent[];
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** After this many starts in an hour only one more is notified, and its end after an hour of quiet. */
const MAX_STARTS = 3;

/** The unique key of an alert. */
export function toAlertKey({ rule, subject }: Pick<AlertState, "rule" | "subject">): string {
  return `${rule} ${subject}`;
}

/** Advances all alerts by what fires now; a rule that `isSilenced` notifies nothing. */
export function advanceAlerts(
  before: ReadonlyMap<string, AlertState>,
  firings: readonly Firing[],
  isSilenced: (rule: RuleName) => boolean,
  nowMs: number,
): AlertTransitions {
  const changed: AlertState[] = [];
  const over: AlertState[] = [];
  const events: AlertEvent[] = [];
  const take = (known: AlertState | null, step: Step | null): void => {
    if (step === null) return;
    if (step.after === null) over.push(...(known ? [known] : []));
    else changed.push(step.after);
    const subject = step.after ?? known;
    if (step.notify && subject) events.push(toEvent(subject, step.notify));
  };
  const firing = new Set(firings.map(toAlertKey));
  for (const found of firings) {
    const known = before.get(toAlertKey(found)) ?? null;
    take(known, whileFiring(known, found, isSilenced(found.rule), nowMs));
  }
  for (const known of before.values())
    if (!firing.has(toAlertKey(known))) take(known, whenQuiet(known, isSilenced(known.rule), nowMs));
  return { changed, over, events };
}

/** The next state of one alert, null where nothing changes; `after` null: it is forgotten. */
type Step = { readonly after: AlertState | null; readonly notify: AlertEvent["state"] | null };

function whileFiring(
  known: AlertState | null,
  { rule, subject, sinceMs, facts }: Firing,
  isSilenced: boolean,
  nowMs: number,
): Step | null {
  if (known?.isFiring) {
    if (isSilenced || (known.notifiedAtMs !== null && nowMs - known.notifiedAtMs < DAY_MS)) return null;
    const notify = known.notifiedAtMs === null ? "start" : "repeat";
    return { after: { ...known, facts, notifiedAtMs: nowMs }, notify };
  }
  const startsMs = [...recent(known, nowMs), nowMs];
  const notifiedAtMs = known?.notifiedAtMs ?? (isSilenced ? null : nowMs);
  const after = { rule, subject, sinceMs, facts, startsMs, notifiedAtMs, isFiring: true, clearedAtMs: null };
  const wasNotified = known !== null && known.notifiedAtMs !== null;
  return { after, notify: wasNotified || isSilenced ? null : "start" };
}

function whenQuiet(known: AlertState, isSilenced: boolean, nowMs: number): Step | null {
  const startsMs = recent(known, nowMs);
  if (known.isFiring) {
    const cleared = { ...known, isFiring: false, clearedAtMs: nowMs, startsMs };
    // It flaps: its end counts only once it has lasted.
    if (startsMs.length > MAX_STARTS) return { after: cleared, notify: null };
    const notify = known.notifiedAtMs === null || isSilenced ? null : "end";
    return { after: { ...cleared, notifiedAtMs: null }, notify };
  }
  if (nowMs - (known.clearedAtMs ?? nowMs) < HOUR_MS) return null;
  return { after: null, notify: known.notifiedAtMs === null || isSilenced ? null : "end" };
}

function recent(known: AlertState | null, nowMs: number): readonly number[] {
  return (known?.startsMs ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
}

function toEvent({ rule, subject, sinceMs, facts }: AlertState, state: AlertEvent["state"]): AlertEvent {
  return { rule, subject, sinceMs, facts, state };
}
