import { accountById, listAccountNames } from "../accounts/accounts.ts";
import type { Xof } from "../base/money.ts";
import { slicer } from "../base/slices.ts";
import { dateIn } from "../base/zoned-time.ts";
import type { AdminContext } from "../operations/context.ts";
import { daysOf } from "../operations/days-of.ts";
import { findAccount } from "../operations/find-account.ts";
import { readTypedSpan, type TypedSpan } from "../operations/instants.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { eachBlock, fatesOfBlock } from "../search/blocks.ts";
import { facetById, figuresOfDays, noteOfFigures, toldOf } from "../search/figure-rows.ts";
import { type DayFigures, type DaysOf, figuresOf, percentile } from "../search/figures.ts";
import { changedBlocks } from "../search/follow.ts";
import { idAt } from "../search/rows.ts";
import type { Reader } from "../store/read.ts";

export const DELIVERY_KEYS = ["operator", "class", "account", "sender", "error", "day"] as const;
export type DeliveryKey = (typeof DELIVERY_KEYS)[number];

export type DeliveryFigures = {
  readonly accepted: number;
  /** Accepted by the operator, whatever came afterwards. */
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  /** Sent, and no receipt has come, or none ever will. */
  readonly without_receipt: number;
  /** Delivered of those sent; null where none was. */
  readonly delivered_share: number | null;
  /** From the last submit to the last receipt, within 5 %; null where none came. */
  readonly receipt_seconds: {
    readonly p50: number | null;
    readonly p90: number | null;
    readonly p99: number | null;
  };
  readonly segments: number;
  readonly charged: Xof;
};

export type DeliveryRow = { readonly key: string | null; readonly account?: string } & DeliveryFigures;

export type DeliveryView = {
  readonly by: DeliveryKey;
  readonly from: string;
  /** The last day, with it. */
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
  readonly from: string | null;
  readonly to: string | null;
};

const DAY_MS = 86_400_000;
const USUAL_DAYS = 31;

/** Figures of days read in one go. */
const PAGE = 500;

/** What became of what was accepted on some days, over all accounts or of one (docs/administration.md#what-became-of-messages). */
export async function deliveryReport(
  context: AdminContext,
  query: DeliveryQuery,
): Promise<AdminOutcome<DeliveryView>> {
  const { read } = context.store;
  const by = DELIVERY_KEYS.find((key) => key === (query.by ?? "day"));
  if (by === undefined) return refuse("INVALID_KEY", `--by is one of ${DELIVERY_KEYS.join(", ")}`);
  const found = query.account === null ? done(null) : findAccount(read, query.account);
  if (!found.ok) return found;
  const all = context.config.defaults.timezone;
  const timezone = found.value?.timezone ?? all;
  const time = readTypedSpan(query, timezone, context.clock.nowMs(), USUAL_DAYS * DAY_MS);
  if (!time.ok) return time;
  const asked: Asked = {
    accountId: found.value?.id ?? null,
    operator: query.operator ?? null,
    zone: timezone === all ? 0 : 1,
    fromDay: dateIn(time.value.fromMs, timezone),
    toDay: dateIn(Math.max(time.value.fromMs, time.value.toMs - 1), timezone),
    time: time.value,
  };
  const sums = await collected(context, asked, by);
  const rows = [...sums].sort(byKey).map(([key, sum]) => rowOf(read, by, key, sum));
  const totals = newSum();
  for (const sum of sums.values()) addSum(totals, sum);
  return done({ by, from: asked.fromDay, to: asked.toDay, timezone, rows, totals: figuresView(totals) });
}

type Asked = {
  readonly accountId: number | null;
  readonly operator: string | null;
  readonly zone: 0 | 1;
  readonly fromDay: string;
  readonly toDay: string;
  readonly time: TypedSpan;
};

/** Adds up; once more where blocks told something meanwhile, so that nothing counts twice. */
async function collected(context: AdminContext, asked: Asked, by: DeliveryKey): Promise<Map<string, Sum>> {
  const { read } = context.store;
  for (;;) {
    const before = noteOfFigures(read);
    const sums = new Map<string, Sum>();
    const take = (figures: DayFigures, sign: 1 | -1): void => {
      if (!isAsked(figures, asked)) return;
      const key = keyOf(figures, by);
      const sum = sums.get(key) ?? newSum();
      sums.set(key, sum);
      addFigures(sum, figures, sign);
    };
    await addTold(context, asked, take);
    await addUntold(context, asked, take);
    if (noteOfFigures(read) === before) {
      for (const [key, { accepted }] of sums) if (accepted === 0) sums.delete(key);
      return sums;
    }
  }
}

type Take = (figures: DayFigures, sign: 1 | -1) => void;

function isAsked({ zone, day, facet }: DayFigures, { accountId, operator, ...asked }: Asked): boolean {
  const isOfDays = zone === asked.zone && day >= asked.fromDay && day <= asked.toDay;
  const isOfOperator = operator === null || facet.operator === operator;
  return isOfDays && isOfOperator && (accountId === null || facet.accountId === accountId);
}

/** What blocks have told of these days. */
async function addTold({ store, clock }: AdminContext, asked: Asked, take: Take): Promise<void> {
  const pause = slicer(clock);
  let after = { day: asked.fromDay, facetId: 0 };
  for (let isWhole = false; !isWhole; ) {
    const page = figuresOfDays(store.read, asked, after, PAGE);
    for (const figures of page) take(figures, 1);
    after = page.at(-1) ?? after;
    isWhole = page.length < PAGE;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** What changed since in blocks that have not told it, or that never told anything. */
async function addUntold({ store, clock, config }: AdminContext, { time }: Asked, take: Take): Promise<void> {
  const { read } = store;
  const pause = slicer(clock);
  const days = daysOf(read, () => config.defaults.timezone);
  const accounts = listAccountNames(read).map(({ id }) => id);
  const changed = await changedBlocks(read, accounts, pause);
  const span = { fromId: idAt(read, time.fromMs - DAY_MS), belowId: idAt(read, time.toMs + DAY_MS) };
  if (span.belowId <= span.fromId) return;
  for (const { block, facets } of eachBlock(read, span)) {
    if (facets === null || changed.has(block)) addBlock(read, block, days, take);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

function addBlock(read: Reader, block: number, days: DaysOf, take: Take): void {
  const told = toldOf(read, block);
  const fates = fatesOfBlock(read, block);
  if (fates.length < told.messages) return;
  for (const figures of figuresOf(fates, days).values()) take(figures, 1);
  for (const { facetId, ...figures } of told.figures) {
    const facet = facetById(read, facetId);
    if (facet) take({ ...figures, facet }, -1);
  }
}

/** Figures on their way to be added up. */
type Sum = {
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  withoutReceipt: number;
  segments: number;
  charged: number;
  readonly times: Record<string, number>;
};

function newSum(): Sum {
  const counts = {
    accepted: 0,
    sent: 0,
    delivered: 0,
    failed: 0,
    withoutReceipt: 0,
    segments: 0,
    charged: 0,
  };
  return { ...counts, times: {} };
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
  for (const bucket in times) sum.times[bucket] = (sum.times[bucket] ?? 0) + sign * (times[bucket] ?? 0);
}

function addSum(sum: Sum, { times, ...counts }: Sum): void {
  sum.accepted += counts.accepted;
  sum.sent += counts.sent;
  sum.delivered += counts.delivered;
  sum.failed += counts.failed;
  sum.withoutReceipt += counts.withoutReceipt;
  sum.segments += counts.segments;
  sum.charged += counts.charged;
  for (const bucket in times) sum.times[bucket] = (sum.times[bucket] ?? 0) + (times[bucket] ?? 0);
}

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
  if (by !== "account") return { key: key === "" ? null : key, ...figuresView(sum) };
  const account = accountById(read, Number(key));
  return { key: account?.ulid ?? key, account: account?.name ?? "", ...figuresView(sum) };
}

function figuresView({ withoutReceipt, times, ...sum }: Sum): DeliveryFigures {
  const { accepted, sent, delivered, failed, segments, charged } = sum;
  return {
    ...{ accepted, sent, delivered, failed, without_receipt: withoutReceipt },
    delivered_share: sent === 0 ? null : Math.round((delivered / sent) * 10_000) / 10_000,
    receipt_seconds: {
      p50: percentile(times, 0.5),
      p90: percentile(times, 0.9),
      p99: percentile(times, 0.99),
    },
    ...{ segments, charged },
  };
}
