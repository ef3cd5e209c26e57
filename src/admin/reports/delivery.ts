/**
 * Delivery report: accepted, sent, delivered and failed messages by day, operator, class, account, sender or error, as a
 * table and a timeline. Sums stored daily figures, not messages.
 */
import { toLocalDate } from "../../core/calendar.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById, listAccountNames, readTimezone } from "../../domain/accounts/accounts.ts";
import {
  APPLIANCE,
  areSomeGone,
  changesBesideGone,
  type DayFigures,
  type DaysOf,
  deriveFigures,
  facetById,
  figuresOfDays,
  findStaleZones,
  percentile,
  readRecordedFacets,
  readRecordedFigures,
  subscribeToFigures,
} from "../../domain/messages/search/delivery-figures.ts";
import {
  changedBlocks,
  eachBlock,
  facetsOfAccounts,
  fatesOfBlock,
  mayHoldMessages,
  toBlock,
} from "../../domain/messages/search/search-blocks.ts";
import { findIdAt } from "../../domain/messages/search/search-rows.ts";
import { createDayResolver } from "../operations/account-days.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import {
  FROM,
  type InstantRange,
  OF_ACCOUNT,
  optional,
  readInstantRange,
  TO,
  text,
  typedAs,
} from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";

export const DELIVERY_KEYS = ["operator", "class", "account", "sender", "error", "day"] as const;
export type DeliveryKey = (typeof DELIVERY_KEYS)[number];

type DeliveryRow = { readonly key: string | null; readonly account?: string } & DeliveryFigures;

export type DeliveryView = {
  readonly by: DeliveryKey;
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  readonly timezone: string;
  readonly rows: readonly DeliveryRow[];
  readonly totals: DeliveryFigures;
};

export type DeliveryQuery = {
  readonly by: string | null;
  readonly account: string | null;
  /** Of this operator alone, by its code. */
  readonly operator?: string | null;
  readonly messageClass?: string | null;
  readonly sender?: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

/** The range that is added up unless another is asked for. */
export const USUAL_DAYS_MS = 31 * 86_400_000;

/** Delivery figures of messages accepted on a range of days, of one account or all (docs/administration.md#what-became-of-messages). */
export async function deliveryReport(
  context: AdminContext,
  query: DeliveryQuery,
): Promise<AdminOutcome<DeliveryView>> {
  const read = readQuestion(context, query);
  if (!read.ok) return read;
  const { by, asked, timezone } = read.value;
  const sums = await sumByDay(context, asked, (figures) => keyOf(figures, by));
  const rows = [...sums].sort(byKey).map(([key, sum]) => rowOf(context.store.read, by, key, sum));
  const totals = newSum();
  for (const sum of sums.values()) addSum(totals, sum);
  return done({ by, from: asked.fromDay, to: asked.toDay, timezone, rows, totals: figuresView(totals) });
}

/** Reads the typed filters; without times the last 31 days, in the account's zone or else the appliance's. */
function readQuestion(
  { store, config, clock }: Pick<AdminContext, "store" | "config" | "clock">,
  query: DeliveryQuery,
) {
  const by = DELIVERY_KEYS.find((key) => key === (query.by ?? "day"));
  if (by === undefined) return refuse("INVALID_KEY", { known: DELIVERY_KEYS.join(", ") });
  const found = findAccountOrNull(store.read, query.account);
  if (!found.ok) return found;
  const all = config.defaults.timezone;
  const timezone = found.value?.timezone ?? all;
  const time = readInstantRange(query, timezone, clock.nowMs(), USUAL_DAYS_MS);
  if (!time.ok) return time;
  const asked: DayRange = {
    accountId: found.value?.id ?? null,
    operator: query.operator ?? null,
    messageClass: query.messageClass ?? null,
    sender: query.sender ?? null,
    zone: timezone === all ? 0 : 1,
    ...toDays(time.value, timezone),
    time: time.value,
  };
  return done({ by, asked, timezone });
}

/** The days of a range in a timezone, the last included. */
export function toDays({ fromMs, toMs }: InstantRange, timezone: string) {
  return {
    fromDay: toLocalDate(fromMs, timezone),
    toDay: toLocalDate(Math.max(fromMs, toMs - 1), timezone),
  };
}

/** What was charged for the messages of an account, operator and class that were accepted on a day. */
export type DayCharge = {
  readonly day: string;
  readonly operator: string;
  readonly accountId: number;
  readonly messageClass: string;
  readonly charged: Xof;
};

/** The charges of the days of a range in the appliance's timezone. */
export async function listCharges(context: AdminContext, time: InstantRange): Promise<DayCharge[]> {
  const days = toDays(time, context.config.defaults.timezone);
  const anybody = { accountId: null, operator: null, messageClass: null, sender: null } as const;
  const found = new Map<string, Omit<DayCharge, "charged">>();
  const sums = await sumByDay(context, { ...anybody, ...days, zone: 0, time }, ({ day, facet }) => {
    const { operator, accountId, messageClass } = facet;
    const name = JSON.stringify([day, operator, accountId, messageClass]);
    found.set(name, { day, operator, accountId, messageClass });
    return name;
  });
  return [...sums].flatMap(([name, { charged }]) => {
    const of = found.get(name);
    return of && charged !== 0 ? [{ ...of, charged }] : [];
  });
}

/** The key that figures are grouped by. */
function keyOf({ day, facet }: DayFigures, by: DeliveryKey): string {
  switch (by) {
    case "operator":
      return facet.operator;
    case "class":
      return facet.messageClass;
    case "account":
      return String(facet.accountId);
    case "sender":
      return facet.sender;
    case "error":
      return facet.errorCode;
    case "day":
      return day;
  }
}

function byKey([one]: readonly [string, Sum], [other]: readonly [string, Sum]): number {
  return one < other ? -1 : 1;
}

function rowOf(read: Reader, by: DeliveryKey, key: string, sum: Sum): DeliveryRow {
  return { ...nameOf(read, by, key), ...figuresView(sum) };
}

/** A key as it is shown: an account's by its id, with its name. */
function nameOf(read: Reader, by: DeliveryKey, key: string): Pick<DeliveryRow, "key" | "account"> {
  if (by !== "account") return { key: key === "" ? null : key };
  const account = accountById(read, Number(key));
  return { key: account?.ulid ?? key, account: account?.name ?? "" };
}

export const REPORT_OPERATIONS = {
  "report delivery": operation({
    does: "reads",
    params: {
      by: optional(typedAs({ choices: DELIVERY_KEYS }, text("KEY", 20))),
      from: FROM,
      to: TO,
      account: OF_ACCOUNT,
    },
    run: deliveryReport,
  }),
};

// Sums of the stored daily figures, grouped by a key. What is not in the daily figures yet is added from the search blocks.

/** How far ends of days differ by timezone (UTC-12 and UTC+14), with a margin for ids, which tell time within minutes. */
const CLOCKS_APART_MS = 2 * 86_400_000;

/** Daily figures read at once. */
const PAGE = 500;

/** Which days, and whose, are summed; null: any. */
type DayRange = {
  readonly accountId: number | null;
  readonly operator: string | null;
  readonly messageClass: string | null;
  readonly sender: string | null;
  readonly zone: 0 | 1;
  readonly fromDay: string;
  readonly toDay: string;
  readonly time: InstantRange;
};

/**
 * Sums under the name that `nameOf` gives, while blocks go on adding to daily figures. What a block adds meanwhile counts with its day
 * where that is read later, is added where the day was read already, and is skipped where the block itself was read: so nothing counts
 * twice, and nothing is read again.
 */
async function sumByDay(
  context: AdminContext,
  asked: DayRange,
  nameOf: (figures: DayFigures) => string,
): Promise<Map<string, Sum>> {
  const { read, tally } = context.store;
  const sums = new Map<string, Sum>();
  const take = (figures: DayFigures, sign: 1 | -1): void => {
    if (!isAsked(figures, asked)) return;
    const key = nameOf(figures);
    const sum = sums.get(key) ?? newSum();
    sums.set(key, sum);
    addFigures(sum, figures, sign);
  };
  const progress: Progress = { after: { day: asked.fromDay, facetId: 0 }, blocks: null };
  const stopHearing = subscribeToFigures(tally, (block, { facetId, ...change }) => {
    const isCounted =
      progress.blocks !== null && block >= progress.blocks.from && block <= progress.blocks.to;
    if (isCounted || change.zone !== asked.zone || !isRead(progress, change.day, facetId)) return;
    const facet = facetById(read, facetId);
    if (facet) take({ ...change, facet }, 1);
  });
  try {
    await addShares(context, asked, take, progress);
    await addUntold(context, asked, take, progress);
  } finally {
    stopHearing();
  }
  for (const [key, { accepted }] of sums) if (accepted === 0) sums.delete(key);
  return sums;
}

/** How far the summing has come. */
type Progress = {
  /** Daily figures up to here are read; null: all of them. */
  after: { readonly day: string; readonly facetId: number } | null;
  /** The range of blocks read, inclusive; null: none yet. */
  blocks: { readonly from: number; readonly to: number } | null;
};

function isRead({ after }: Progress, day: string, facetId: number): boolean {
  return after === null || day < after.day || (day === after.day && facetId <= after.facetId);
}

type Take = (figures: DayFigures, sign: 1 | -1) => void;

function isAsked({ zone, day, facet }: DayFigures, asked: DayRange): boolean {
  const isOfDays = zone === asked.zone && day >= asked.fromDay && day <= asked.toDay;
  return isOfDays && FIELDS.every((field) => asked[field] === null || asked[field] === facet[field]);
}

/** The facet fields that can be filtered. */
const FIELDS = ["accountId", "operator", "messageClass", "sender"] as const;

/** Adds what blocks added to these days meanwhile. */
async function addShares(
  { store, clock }: AdminContext,
  asked: DayRange,
  take: Take,
  progress: Progress,
): Promise<void> {
  const pause = createYielder(clock);
  for (let after = progress.after; after !== null; ) {
    const page = figuresOfDays(store.read, asked, after, PAGE);
    for (const figures of page) take(figures, 1);
    const last = page.at(-1);
    after = page.length < PAGE || !last ? null : { day: last.day, facetId: last.facetId };
    progress.after = after;
    await pause();
  }
}

/** Adds changes that are not in the daily figures: of blocks changed since, never counted, or counted in another timezone. */
async function addUntold(
  { store, clock, config }: AdminContext,
  asked: DayRange,
  take: Take,
  progress: Progress,
): Promise<void> {
  const { read } = store;
  const pause = createYielder(clock);
  const days = createDayResolver(read, () => config.defaults.timezone);
  const accounts = listAccountNames(read).map(({ id }) => id);
  const changed = await changedBlocks(read, accounts, pause);
  const { fromMs, toMs } = asked.time;
  const span = {
    fromId: findIdAt(read, fromMs - CLOCKS_APART_MS),
    belowId: findIdAt(read, toMs + CLOCKS_APART_MS),
  };
  if (span.belowId <= span.fromId) return;
  const { accountId } = asked;
  const zones = new Map([[APPLIANCE, config.defaults.timezone]]);
  if (asked.zone === 1 && accountId !== null)
    zones.set(accountId, readTimezone(read, accountId) ?? config.defaults.timezone);
  const isOtherwise = findStaleZones(read, zones).size > 0;
  const theirs = accountId === null ? null : facetsOfAccounts(read, [accountId]);
  const to = toBlock(span.belowId - 1);
  for (const known of eachBlock(read, span)) {
    const { block, facets } = known;
    if (facets === null || changed.has(block) || (isOtherwise && mayHoldMessages(known, theirs)))
      addBlock(read, block, days, take);
    progress.blocks = { from: block, to };
    await pause();
  }
}

function addBlock(read: Reader, block: number, days: DaysOf, take: Take): void {
  const told = readRecordedFigures(read, block);
  const figures = deriveFigures(fatesOfBlock(read, block), days);
  if (areSomeGone(told, figures.values())) {
    for (const each of changesBesideGone(readRecordedFacets(read, told), [...figures.values()]))
      take(each, 1);
    return;
  }
  for (const each of figures.values()) take(each, 1);
  for (const each of readRecordedFacets(read, told)) take(each, -1);
}

const COUNTED = [
  ...(["accepted", "sent", "delivered", "failed", "withoutReceipt", "cancelled"] as const),
  ...(["segments", "charged"] as const),
] as const;

/** Running sums. */
type Sum = Record<(typeof COUNTED)[number], number> & { readonly times: Record<string, number> };

function newSum(): Sum {
  return {
    accepted: 0,
    sent: 0,
    delivered: 0,
    failed: 0,
    withoutReceipt: 0,
    cancelled: 0,
    segments: 0,
    charged: 0,
    times: {},
  };
}

function addFigures(
  sum: Sum,
  { facet, messages, sent, segments, charged, times }: DayFigures,
  sign: 1 | -1,
): void {
  sum.accepted += sign * messages;
  sum.sent += sign * sent;
  sum.segments += sign * segments;
  sum.charged += sign * charged;
  if (facet.status === "DELIVERED") sum.delivered += sign * messages;
  if (facet.status === "FAILED") sum.failed += sign * messages;
  if (facet.status === "SENT") sum.withoutReceipt += sign * messages;
  if (facet.status === "CANCELLED") sum.cancelled += sign * messages;
  for (const bucket in times) sum.times[bucket] = (sum.times[bucket] ?? 0) + sign * (times[bucket] ?? 0);
}

function addSum(sum: Sum, { times, ...counts }: Sum): void {
  for (const name of COUNTED) sum[name] += counts[name];
  for (const bucket in times) sum.times[bucket] = (sum.times[bucket] ?? 0) + (times[bucket] ?? 0);
}

/** Sums as they are shown. */
function figuresView({ withoutReceipt, times, ...sum }: Sum) {
  const { accepted, sent, delivered, failed, cancelled, segments, charged } = sum;
  return {
    accepted,
    /** Accepted by the operator, whatever came afterwards. */
    sent,
    delivered,
    failed,
    /** Sent, and no receipt has come, or none ever will. */
    without_receipt: withoutReceipt,
    cancelled,
    /** Delivered of those sent; null where none was. */
    delivered_share: sent === 0 ? null : Math.round((delivered / sent) * 10_000) / 10_000,
    /** From the last submit to the last receipt, within 5 %; null where none came. */
    receipt_seconds: {
      p50: percentile(times, 0.5),
      p90: percentile(times, 0.9),
      p99: percentile(times, 0.99),
    },
    segments,
    charged,
  };
}

type DeliveryFigures = Readonly<ReturnType<typeof figuresView>>;

// The delivery timeline: the figures of the report, and for its largest keys the course from day to day.

export type DeliveryTimeline = DeliveryView & {
  /** Every day on which something was accepted, the oldest first. */
  readonly days: readonly string[];
  /** The keys that most was accepted for; of a report by day there is one, of all. */
  readonly lines: readonly (Pick<DeliveryRow, "key" | "account"> & Omit<ReturnType<typeof lineOf>, "key">)[];
};

/** The most lines in the chart. */
const MAX_LINES = 4;
/** A separator that occurs in no day. */
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
  const ofDays = await sumByDay(context, asked, (figures) => `${figures.day}${BETWEEN}${keyOf(figures, by)}`);
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

function linesOf(
  ofDays: ReadonlyMap<string, Sum>,
  days: readonly string[],
  keys: readonly (readonly [string, Sum])[],
  by: DeliveryKey,
) {
  if (by === "day") return [lineOf("", days, (day) => ofDays.get(`${day}${BETWEEN}${day}`))];
  // By error, messages without one are left out.
  const named = by === "error" ? keys.filter(([key]) => key !== "") : keys;
  return named
    .slice(0, MAX_LINES)
    .map(([key]) => lineOf(key, days, (day) => ofDays.get(`${day}${BETWEEN}${key}`)));
}

/** The course of one key: a figure for each day, null where there was nothing. */
function lineOf(key: string, days: readonly string[], sumOf: (day: string) => Sum | undefined) {
  const figures = days.map((day) => figuresView(sumOf(day) ?? newSum()));
  return {
    key,
    accepted: figures.map(({ accepted }) => accepted),
    /** Delivered of those sent, from 0 to 1. */
    share: figures.map(({ delivered_share: share }) => share),
    /** Seconds to the receipt: half of them took less, and nine of ten. */
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
