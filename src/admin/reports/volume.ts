/**
 * How many messages were accepted and what became of them, hour by hour of the last 24 or day by day of the last 30: the picture of the
 * traffic. Both are read from the figures that blocks of messages record (docs/administration.md#what-became-of-messages).
 */
import { toLocalDate } from "../../core/calendar.ts";
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { listAccountNames } from "../../domain/accounts/accounts.ts";
import {
  type DayFigures,
  deriveFigures,
  facetById,
  readRecordedFigures,
} from "../../domain/messages/search/delivery-figures.ts";
import {
  BLOCK,
  changedBlocks,
  eachBlock,
  facetsOfAccounts,
  fatesOfBlock,
  type KnownBlock,
  mayHoldMessages,
} from "../../domain/messages/search/search-blocks.ts";
import { type Facet, findIdAt } from "../../domain/messages/search/search-rows.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { deliveryReport } from "./delivery.ts";

export const VOLUME_SPANS = ["24h", "30d"] as const;
type VolumeSpan = (typeof VOLUME_SPANS)[number];

export type VolumeQuery = {
  readonly span: VolumeSpan;
  readonly account: string | null;
  readonly operator: string | null;
  readonly messageClass: string | null;
  readonly sender: string | null;
};

/** Messages by what became of them; together all that were accepted. */
type Outcomes = {
  readonly delivered: number;
  readonly failed: number;
  /** With the operator, and no receipt has come, or none ever will. */
  readonly without_receipt: number;
  readonly cancelled: number;
  /** Not with the operator yet. */
  readonly under_way: number;
};

/** An hour by the instant of its beginning, or a day as in 2026-03-01. */
type VolumePoint = Outcomes & { readonly at: string };

export type VolumeView = {
  readonly span: VolumeSpan;
  readonly timezone: string;
  /** Every hour or day, the oldest first, the present one last. */
  readonly points: readonly VolumePoint[];
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const DAYS = 30;

/** Messages by outcome over one of the two spans, of one account or all. Those of test keys do not count. */
export async function reportVolume(
  context: AdminContext,
  query: VolumeQuery,
): Promise<AdminOutcome<VolumeView>> {
  const { config, store } = context;
  const found = findAccountOrNull(store.read, query.account);
  if (!found.ok) return found;
  const timezone = found.value?.timezone ?? config.defaults.timezone;
  const { span } = query;
  if (span === "24h") {
    const points = await pointsOfHours(context, { ...query, accountId: found.value?.id ?? null });
    return done({ span, timezone, points });
  }
  const points = await pointsOfDays(context, query, timezone);
  return points.ok ? done({ span, timezone, points: points.value }) : points;
}

async function pointsOfDays(
  context: AdminContext,
  query: VolumeQuery,
  timezone: string,
): Promise<AdminOutcome<readonly VolumePoint[]>> {
  const today = Date.parse(toLocalDate(context.clock.nowMs(), timezone));
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const report = await deliveryReport(context, { ...query, by: "day", from: days[0] ?? null, to: null });
  if (!report.ok) return report;
  const rows = new Map(report.value.rows.map((row) => [row.key, row]));
  return done(
    days.map((at) => {
      const row = rows.get(at) ?? { accepted: 0, ...NOTHING };
      const { delivered, failed, without_receipt, cancelled } = row;
      return {
        at,
        delivered,
        failed,
        without_receipt,
        cancelled,
        under_way: row.accepted - delivered - failed - without_receipt - cancelled,
      };
    }),
  );
}

// Hours are told by the ids of messages, which rise with the time of their acceptance: a block whose ids are all of one hour counts with what
// it recorded, and one that lies across the hours, or has changed since, is read message by message.

/** What is asked about: null is any. */
type Asked = Omit<VolumeQuery, "span" | "account"> & { readonly accountId: number | null };

async function pointsOfHours({ store, clock }: AdminContext, asked: Asked): Promise<readonly VolumePoint[]> {
  const { read } = store;
  const pause = createYielder(clock);
  const firstHour = Math.floor(clock.nowMs() / HOUR_MS) - (HOURS - 1);
  const hours = Array.from({ length: HOURS }, (_, index) => ({ ...NOTHING, hour: firstHour + index }));
  const take = (hour: number, { facet, messages }: Pick<DayFigures, "facet" | "messages">): void => {
    const sum = hours[hour - firstHour];
    if (sum && fits(facet, asked)) sum[outcomeOf(facet.status)] += messages;
  };
  const { accountId } = asked;
  const accounts = accountId === null ? listAccountNames(read).map(({ id }) => id) : [accountId];
  const changed = await changedBlocks(read, accounts, pause);
  const theirs = accountId === null ? null : facetsOfAccounts(read, [accountId]);
  const starts = hours.map(({ hour }) => findIdAt(read, hour * HOUR_MS));
  const span = { fromId: starts[0] ?? 0, belowId: findIdAt(read, Number.POSITIVE_INFINITY) };
  const facetOf = facetReader(read);
  for (const known of span.belowId > span.fromId ? eachBlock(read, span) : []) {
    const now = changed.has(known.block) ? { ...known, facets: null } : known;
    if (mayHoldMessages(now, theirs)) addBlock(read, now, { starts, firstHour, facetOf, take });
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return hours.map(({ hour, ...outcomes }) => ({ at: isoUtc(hour * HOUR_MS), ...outcomes }));
}

const NOTHING: Outcomes = { delivered: 0, failed: 0, without_receipt: 0, cancelled: 0, under_way: 0 };

type Adding = {
  /** The lowest id of each hour. */
  readonly starts: readonly number[];
  readonly firstHour: number;
  readonly facetOf: (id: number) => Facet | null;
  readonly take: (hour: number, figures: Pick<DayFigures, "facet" | "messages">) => void;
};

function addBlock(
  read: Reader,
  { block, facets }: KnownBlock,
  { starts, firstHour, facetOf, take }: Adding,
): void {
  const first = lastAtOrBelow(starts, block * BLOCK);
  const isOfOneHour = first >= 0 && first === lastAtOrBelow(starts, (block + 1) * BLOCK - 1);
  const recorded =
    isOfOneHour && facets !== null ? readRecordedFigures(read, block).filter(({ zone }) => zone === 0) : [];
  for (const { facetId, messages } of recorded) {
    const facet = facetOf(facetId);
    if (facet) take(firstHour + first, { facet, messages });
  }
  if (recorded.length > 0) return;
  const byHour = deriveFigures(fatesOfBlock(read, block), (_account, acceptedMs) => ({
    all: String(Math.floor(acceptedMs / HOUR_MS)),
    own: null,
  }));
  for (const figures of byHour.values()) take(Number(figures.day), figures);
}

/** The place of the last of some rising numbers that is not above another; -1 where all are. */
function lastAtOrBelow(rising: readonly number[], id: number): number {
  return rising.findLastIndex((start) => start <= id);
}

/** Reads what messages had in common by its number, each once. */
function facetReader(read: Reader): (id: number) => Facet | null {
  const known = new Map<number, Facet | null>();
  return (id) => {
    const facet = known.has(id) ? (known.get(id) ?? null) : facetById(read, id);
    known.set(id, facet);
    return facet;
  };
}

function fits(facet: Facet, { accountId, operator, messageClass, sender }: Asked): boolean {
  return (
    (accountId === null || accountId === facet.accountId) &&
    (operator === null || operator === facet.operator) &&
    (messageClass === null || messageClass === facet.messageClass) &&
    (sender === null || sender === facet.sender)
  );
}

function outcomeOf(status: string): keyof Outcomes {
  switch (status) {
    case "DELIVERED":
      return "delivered";
    case "FAILED":
      return "failed";
    case "SENT":
      return "without_receipt";
    case "CANCELLED":
      return "cancelled";
    default:
      return "under_way";
  }
}
