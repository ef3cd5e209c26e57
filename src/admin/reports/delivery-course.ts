/** What became of messages over time: the figures of the report, and for the largest of its keys how they went from day to day. */
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import {
  type DeliveryKey,
  type DeliveryQuery,
  type DeliveryRow,
  type DeliveryView,
  keyOf,
  nameOf,
  readQuestion,
  rowOf,
} from "./delivery.ts";
import { addSum, figuresView, newSum, type Sum, sumByDay } from "./delivery-sums.ts";

/** How one key went: a figure for each of the days, null where there was nothing. */
export type TimelineRow = Pick<DeliveryRow, "key" | "account"> & {
  readonly accepted: readonly number[];
  /** Delivered of those sent, from 0 to 1. */
  readonly share: readonly (number | null)[];
  /** Seconds to the receipt: half of them took less, and nine of ten. */
  readonly p50: readonly (number | null)[];
  readonly p90: readonly (number | null)[];
};

export type DeliveryTimeline = DeliveryView & {
  /** Every day on which something was accepted, the oldest first. */
  readonly days: readonly string[];
  /** The keys that most was accepted for; of a report by day there is one, of all. */
  readonly lines: readonly TimelineRow[];
};

/** A picture with more lines is read by nobody. */
const MAX_LINES = 4;
/** Stands in no day. */
const BETWEEN = "\n";

/** The report with its course; the rows by what was accepted, the most first, those of days by day. */
export async function reportDeliveryTimeline(
  context: AdminContext,
  query: DeliveryQuery,
): Promise<AdminOutcome<DeliveryTimeline>> {
  const question = readQuestion(context, query);
  if (!question.ok) return question;
  const { read } = context.store;
  const { by, asked, timezone } = question.value;
  const ofDays = await sumByDay(
    context,
    asked,
    (figures) => `${figures.day}${BETWEEN}${keyOf(figures, by)}`,
  );
  const totals = newSum();
  const byKey = new Map<string, Sum>();
  const days = new Set<string>();
  for (const [name, sum] of ofDays) {
    const [day = "", key = ""] = name.split(BETWEEN);
    days.add(day);
    addSum(totals, sum);
    addSum(sumAt(byKey, key), sum);
  }
  const keys = [...byKey].sort(by === "day" ? byName : byAccepted);
  return done({
    by,
    from: asked.fromDay,
    to: asked.toDay,
    timezone,
    totals: figuresView(totals),
    rows: keys.map(([key, sum]) => rowOf(read, by, key, sum)),
    days: [...days].sort(),
    lines: linesOf(ofDays, [...days].sort(), keys, by).map(({ key, ...line }) => ({
      ...(by === "day" ? { key: null } : nameOf(read, by, key)),
      ...line,
    })),
  });
}

type NamedLine = Omit<TimelineRow, "key" | "account"> & { readonly key: string };

function linesOf(
  ofDays: ReadonlyMap<string, Sum>,
  days: readonly string[],
  keys: readonly (readonly [string, Sum])[],
  by: DeliveryKey,
): NamedLine[] {
  if (by === "day") return [lineOf("", days, (day) => ofDays.get(`${day}${BETWEEN}${day}`))];
  // What has no error is no error.
  const named = by === "error" ? keys.filter(([key]) => key !== "") : keys;
  return named
    .slice(0, MAX_LINES)
    .map(([key]) => lineOf(key, days, (day) => ofDays.get(`${day}${BETWEEN}${key}`)));
}

function lineOf(key: string, days: readonly string[], sumOf: (day: string) => Sum | undefined): NamedLine {
  const figures = days.map((day) => figuresView(sumOf(day) ?? newSum()));
  return {
    key,
    accepted: figures.map(({ accepted }) => accepted),
    share: figures.map(({ delivered_share: share }) => share),
    p50: figures.map(({ receipt_seconds: { p50 } }) => p50),
    p90: figures.map(({ receipt_seconds: { p90 } }) => p90),
  };
}

function sumAt(sums: Map<string, Sum>, key: string): Sum {
  const sum = sums.get(key) ?? newSum();
  sums.set(key, sum);
  return sum;
}

function byName([one]: readonly [string, Sum], [other]: readonly [string, Sum]): number {
  return one < other ? -1 : 1;
}

function byAccepted([name, one]: readonly [string, Sum], [other, two]: readonly [string, Sum]): number {
  return two.accepted - one.accepted || (name < other ? -1 : 1);
}
