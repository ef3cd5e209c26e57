/** The figures that days keep, added up: of whom, of what, by a name. What has not been told to days yet is added from its blocks. */

import type { Xof } from "../../core/money.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { listAccountNames, timezoneOf } from "../../domain/accounts/accounts.ts";
import {
  blockOf,
  eachBlock,
  facetsOfAccounts,
  fatesOfBlock,
  mayBeOf,
} from "../../domain/messages/search/blocks.ts";
import { facetById, readRecordedFacets, figuresOfDays, toldOf } from "../../domain/messages/search/figure-rows.ts";
import { APPLIANCE, toldOtherwise } from "../../domain/messages/search/figure-zones.ts";
import { type DayFigures, type DaysOf, figuresOf, percentile } from "../../domain/messages/search/figures.ts";
import { changedBlocks } from "../../domain/messages/search/follow.ts";
import { areSomeGone, changesBesideGone } from "../../domain/messages/search/gone-figures.ts";
import { idAt } from "../../domain/messages/search/rows.ts";
import { subscribeToFigures } from "../../domain/messages/search/telling.ts";
import type { AdminContext } from "../operations/context.ts";
import { daysOf } from "../operations/days-of.ts";
import type { InstantRange } from "../operations/instants.ts";

/** A day of one timezone may end so much later than that of another (UTC-12 and UTC+14), and ids tell time by some minutes. */
const CLOCKS_APART_MS = 2 * 86_400_000;

/** Figures of days read in one go. */
const PAGE = 500;

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

/** Which days of whom are added up; what is null is not asked for. */
export type DayRange = {
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
 * Adds up under the name that `nameOf` gives. Blocks go on telling meanwhile. What one tells counts with its day where that is read
 * later, is added where it was read already, and counts for nothing where the block itself was looked at: so nothing counts twice, and
 * nothing is read again.
 */
export async function sumByDay(
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

/** How far adding up has come. */
type Progress = {
  /** Figures of days up to here are read; null: all of them. */
  after: { readonly day: string; readonly facetId: number } | null;
  /** The blocks that were looked at, both with them; null: none yet. */
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

/** What may be asked for of a facet. */
const FIELDS = ["accountId", "operator", "messageClass", "sender"] as const;

/** What blocks have told of these days. */
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
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** What changed since in blocks that have not told it, that never told anything, or that told it by other clocks. */
async function addUntold(
  { store, clock, config }: AdminContext,
  asked: DayRange,
  take: Take,
  progress: Progress,
): Promise<void> {
  const { read } = store;
  const pause = createYielder(clock);
  const days = daysOf(read, () => config.defaults.timezone);
  const accounts = listAccountNames(read).map(({ id }) => id);
  const changed = await changedBlocks(read, accounts, pause);
  const { fromMs, toMs } = asked.time;
  const span = { fromId: idAt(read, fromMs - CLOCKS_APART_MS), belowId: idAt(read, toMs + CLOCKS_APART_MS) };
  if (span.belowId <= span.fromId) return;
  const { accountId } = asked;
  const zones = new Map([[APPLIANCE, config.defaults.timezone]]);
  if (asked.zone === 1 && accountId !== null)
    zones.set(accountId, timezoneOf(read, accountId) ?? config.defaults.timezone);
  const isOtherwise = toldOtherwise(read, zones).size > 0;
  const theirs = accountId === null ? null : facetsOfAccounts(read, [accountId]);
  const to = blockOf(span.belowId - 1);
  for (const known of eachBlock(read, span)) {
    const { block, facets } = known;
    if (facets === null || changed.has(block) || (isOtherwise && mayBeOf(known, theirs)))
      addBlock(read, block, days, take);
    progress.blocks = { from: block, to };
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

function addBlock(read: Reader, block: number, days: DaysOf, take: Take): void {
  const told = toldOf(read, block);
  const figures = figuresOf(fatesOfBlock(read, block), days);
  if (areSomeGone(told, figures.values())) {
    for (const each of changesBesideGone(readRecordedFacets(read, told), [...figures.values()])) take(each, 1);
    return;
  }
  for (const each of figures.values()) take(each, 1);
  for (const each of readRecordedFacets(read, told)) take(each, -1);
}

/** Figures on their way to be added up. */
export type Sum = {
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  withoutReceipt: number;
  segments: number;
  charged: number;
  readonly times: Record<string, number>;
};

export function newSum(): Sum {
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

export function addSum(sum: Sum, { times, ...counts }: Sum): void {
  sum.accepted += counts.accepted;
  sum.sent += counts.sent;
  sum.delivered += counts.delivered;
  sum.failed += counts.failed;
  sum.withoutReceipt += counts.withoutReceipt;
  sum.segments += counts.segments;
  sum.charged += counts.charged;
  for (const bucket in times) sum.times[bucket] = (sum.times[bucket] ?? 0) + (times[bucket] ?? 0);
}

/** Sums as they are shown. */
export function figuresView({ withoutReceipt, times, ...sum }: Sum): DeliveryFigures {
  const { accepted, sent, delivered, failed, segments, charged } = sum;
  return {
    accepted,
    sent,
    delivered,
    failed,
    without_receipt: withoutReceipt,
    delivered_share: sent === 0 ? null : Math.round((delivered / sent) * 10_000) / 10_000,
    receipt_seconds: {
      p50: percentile(times, 0.5),
      p90: percentile(times, 0.9),
      p99: percentile(times, 0.99),
    },
    segments,
    charged,
  };
}
