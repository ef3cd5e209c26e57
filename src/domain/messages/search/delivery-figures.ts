/**
 * Delivery figures by day and facet (account, sender, class, operator, status, error), for reports
 * (docs/administration.md#what-became-of-messages). They are derived from messages block by block, behind the sending
 * (search-blocks.ts): each block records what it added to its days, so that a block read again changes them only by what changed.
 */

import type { MetricsRegistry } from "../../../core/metrics-registry.ts";
import { isSandbox } from "../../../core/sandbox.ts";
import type { Reader } from "../../../db/reader.ts";
import type { Tx } from "../../../db/writer.ts";
import type { Facet, MessageFate } from "./search-rows.ts";

type FigureTuple = readonly [
  zone: 0 | 1,
  day: string,
  facetId: number,
  ...counts: readonly [messages: number, sent: number, segments: number, charged: number],
  times: Outcomes["times"],
];

/** What a block has recorded. */
export function readRecordedFigures(read: Reader, block: number): readonly FigureRow[] {
  const row = read.get<{ figures: string }>("SELECT figures FROM block_figures WHERE block = ?", block);
  if (!row) return [];
  const told: readonly FigureTuple[] = JSON.parse(row.figures);
  return told.map(([zone, day, facetId, messages, sent, segments, charged, times]) => ({
    zone,
    day,
    facetId,
    messages,
    sent,
    segments,
    charged,
    times,
  }));
}

/** What a block has recorded, with what its messages had in common. */
export function readRecordedFacets(read: Reader, told: readonly FigureRow[]): readonly DayFigures[] {
  return told.flatMap(({ facetId, ...each }) => {
    const facet = facetById(read, facetId);
    return facet ? [{ ...each, facet }] : [];
  });
}

/** Records the figures of a block: those of the days change by what changed. */
export function recordFigures(
  tx: Tx,
  block: number,
  figures: ReadonlyMap<string, DayFigures>,
  numberOf: (facet: Facet) => number,
): void {
  const before = readRecordedFigures(tx, block);
  const now = rowsOf(figures.values(), numberOf);
  const changed = areSomeGone(before, now)
    ? rowsOf(changesBesideGone(readRecordedFacets(tx, before), [...figures.values()]), numberOf)
    : changesBetween(before, now);
  for (const each of changed) addToDay(tx, each);
  storeFigures(tx, block, now);
  publishFigures(tx, block, changed);
}

function changesBetween(before: readonly FigureRow[], now: readonly FigureRow[]): readonly FigureRow[] {
  const changes = new Map<string, FigureRow>();
  const change = (each: FigureRow, sign: 1 | -1): void => {
    const { zone, day, facetId } = each;
    const name = `${zone} ${day} ${facetId}`;
    const known = changes.get(name) ?? NO_FIGURES;
    changes.set(name, { zone, day, facetId, ...sumOf(known, each, sign) });
  };
  for (const each of before) change(each, -1);
  for (const each of now) change(each, 1);
  return [...changes.values()].filter((each) => !isNothing(each));
}

/**
 * Removes messages of a block that are about to be deleted, after its figures were recorded: theirs stay with the days, and the block may
 * take back only those of the others. On the days of the appliance's clocks alone they are noted as the account's own too: should it be
 * given other clocks later, nobody can tell any more which of its days they were on.
 */
export function letGo(
  tx: Tx,
  block: number,
  going: ReadonlyMap<string, DayFigures>,
  staying: ReadonlyMap<string, DayFigures>,
  numberOf: (facet: Facet) => number,
): void {
  const rows = [...going.values()];
  const haveOwn = new Set(rows.filter(({ zone }) => zone === 1).map(({ facet }) => facet.accountId));
  for (const { facet, ...each } of rows) {
    if (!haveOwn.has(facet.accountId)) addToDay(tx, { ...each, zone: 1, facetId: numberOf(facet) });
  }
  storeFigures(tx, block, rowsOf(staying.values(), numberOf));
}

function rowsOf(figures: Iterable<DayFigures>, numberOf: (facet: Facet) => number): readonly FigureRow[] {
  return [...figures].map(({ facet, ...each }) => ({ ...each, facetId: numberOf(facet) }));
}

/** Notes what a block has recorded, as what it may take back. */
function storeFigures(tx: Tx, block: number, rows: readonly FigureRow[]): void {
  if (rows.length === 0) {
    tx.run("DELETE FROM block_figures WHERE block = ?", block);
    return;
  }
  const told = rows.map(
    ({ zone, day, facetId, messages, sent, segments, charged, times }): FigureTuple => [
      ...([zone, day, facetId, messages, sent, segments, charged] as const),
      times,
    ],
  );
  tx.run(
    `INSERT INTO block_figures (block, figures) VALUES (?1, ?2)
     ON CONFLICT (block) DO UPDATE SET figures = ?2`,
    block,
    JSON.stringify(told),
  );
}

function addToDay(tx: Tx, change: FigureRow): void {
  const { zone, day, facetId } = change;
  const row = tx.get<Omit<Outcomes, "times"> & { times: string }>(
    `SELECT messages, sent, segments, charged, times FROM delivery_figures WHERE zone = ? AND day = ? AND facet_id = ?`,
    zone,
    day,
    facetId,
  );
  const after = sumOf(row ? { ...row, times: JSON.parse(row.times) } : NO_FIGURES, change);
  if (after.messages === 0) {
    tx.run("DELETE FROM delivery_figures WHERE zone = ? AND day = ? AND facet_id = ?", zone, day, facetId);
    return;
  }
  tx.run(
    `INSERT INTO delivery_figures (zone, day, facet_id, messages, sent, segments, charged, times)
     VALUES ($zone, $day, $facetId, $messages, $sent, $segments, $charged, $times)
     ON CONFLICT (zone, day, facet_id) DO UPDATE SET messages = excluded.messages, sent = excluded.sent,
       segments = excluded.segments, charged = excluded.charged, times = excluded.times`,
    { ...after, zone, day, facetId, times: JSON.stringify(after.times) },
  );
}

/** Up to `limit` figures of the days from one to another, both with them, in their order; after the place of `after`. */
export function figuresOfDays(
  read: Reader,
  {
    zone,
    toDay,
    accountId,
  }: { readonly zone: 0 | 1; readonly toDay: string; readonly accountId: number | null },
  { day, facetId }: { readonly day: string; readonly facetId: number },
  limit: number,
): (DayFigures & { readonly facetId: number })[] {
  return read
    .all<Omit<DayFigures, "facet" | "times"> & Facet & { facetId: number; times: string }>(
      `SELECT f.zone, f.day, f.facet_id AS facetId, f.messages, f.sent, f.segments, f.charged, f.times,
         s.account_id AS accountId, s.sender, s.message_class AS messageClass, s.operator, s.status,
         s.error_code AS errorCode
       FROM delivery_figures f JOIN search_facets s ON s.id = f.facet_id
       WHERE f.zone = $zone AND (f.day, f.facet_id) > ($day, $facetId) AND f.day <= $toDay
         AND ($accountId IS NULL OR s.account_id = $accountId)
       ORDER BY f.day, f.facet_id LIMIT $limit`,
      { zone, toDay, accountId, day, facetId, limit },
    )
    .map(({ times, accountId, sender, messageClass, operator, status, errorCode, ...rest }) => ({
      ...rest,
      times: JSON.parse(times),
      facet: { accountId, sender, messageClass, operator, status, errorCode },
    }));
}

/** A facet by its number. */
export function facetById(read: Reader, id: number): Facet | null {
  return read.get<Facet>(
    `SELECT account_id AS accountId, sender, message_class AS messageClass, operator, status, error_code AS errorCode
     FROM search_facets WHERE id = ?`,
    id,
  );
}

// Changes that blocks record while somebody adds figures up. It takes many turns to read all days and blocks, and meanwhile blocks go on
// recording: whoever adds up gets each change once it is durable, and so never has to begin again.

/** Called with each change of a figure that a block made. Must not throw. */
type FiguresListener = (block: number, change: FigureRow) => void;

/** Listeners by store: its metrics registry is what a store and its transactions have in common. */
const listeners = new WeakMap<MetricsRegistry, Set<FiguresListener>>();

/** Listens until what it returns is called. */
export function subscribeToFigures(tally: MetricsRegistry, hear: FiguresListener): () => void {
  const all = listeners.get(tally) ?? new Set();
  listeners.set(tally, all);
  all.add(hear);
  return () => void all.delete(hear);
}

function publishFigures(tx: Tx, block: number, changes: readonly FigureRow[]): void {
  if ((listeners.get(tx.tally)?.size ?? 0) === 0) return;
  tx.afterCommit(() => {
    for (const hear of listeners.get(tx.tally) ?? []) for (const change of changes) hear(block, change);
  });
}

// What an earlier version purged without recording it first: as many messages stay recorded as are gone, and the rest is recorded as it is
// now. Which of them are gone is not known. Only what was over was purged, the oldest first, and so it is taken for those. Pure.

type Counted = Iterable<Pick<DayFigures, "zone" | "messages">>;

/** Whether messages of a block are gone that it recorded figures of. */
export function areSomeGone(told: Counted, now: Counted): boolean {
  return messagesOf(now) < messagesOf(told);
}

function messagesOf(figures: Counted): number {
  let messages = 0;
  for (const each of figures) if (each.zone === 0) messages += each.messages;
  return messages;
}

/** The changes of the days from what a block recorded to what its messages say, some of which are gone. */
export function changesBesideGone(
  told: readonly DayFigures[],
  now: readonly DayFigures[],
): readonly DayFigures[] {
  const changes = new Map<string, DayFigures>();
  const change = (each: DayFigures, sign: 1 | -1): void => {
    const { zone, day, facet } = each;
    const name = placeOf(each);
    changes.set(name, { zone, day, facet, ...sumOf(changes.get(name) ?? NO_FIGURES, each, sign) });
  };
  for (const each of told) change(each, -1);
  for (const each of [...now, ...goneOf(told, now)]) change(each, 1);
  return [...changes.values()].filter((each) => !isNothing(each));
}

function placeOf({ zone, day, facet }: DayFigures): string {
  return `${zone} ${day} ${toFacetName(facet)}`;
}

/** What was recorded of messages that are gone, by account; on the account's own days too, as of those that are purged today. */
function goneOf(told: readonly DayFigures[], now: readonly DayFigures[]): readonly DayFigures[] {
  const nowAt = new Map(now.map((each) => [placeOf(each), each]));
  return [...new Set(told.map(({ facet }) => facet.accountId))].flatMap((accountId) => {
    const [all, own] = [0, 1].map((zone) =>
      told.filter((each) => each.zone === zone && each.facet.accountId === accountId),
    );
    const left = messagesOf(now.filter(({ facet }) => facet.accountId === accountId));
    const count = Math.max(0, messagesOf(all ?? []) - left);
    const gone = likeliest(all ?? [], nowAt, count);
    const isOwnTold = own !== undefined && own.length > 0;
    return [
      ...gone,
      ...(isOwnTold ? likeliest(own, nowAt, count) : gone.map((each) => ({ ...each, zone: 1 as const }))),
    ];
  });
}

/** Statuses of messages that are not over. Some that are sent are over too, but without a receipt. */
const UNDER_WAY: ReadonlySet<string> = new Set(["QUEUED", "SUBMITTED", "SENT"]);

/** So many of those recorded as are likeliest gone: first those of which fewer are there now, last those that were under way. */
function likeliest(
  told: readonly DayFigures[],
  nowAt: ReadonlyMap<string, DayFigures>,
  count: number,
): readonly DayFigures[] {
  const inOrder = told.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const [underWay, over] = [true, false].map((is) =>
    inOrder.filter(({ facet }) => UNDER_WAY.has(facet.status) === is),
  );
  const gone: DayFigures[] = [];
  let left = count;
  const take = (of: DayFigures, most: number): DayFigures => {
    const taken = shareOf(of, Math.min(left, most));
    left -= taken.messages;
    if (taken.messages > 0) gone.push(taken);
    return { ...of, ...sumOf(of, taken, -1) };
  };
  const rest = (over ?? []).map((each) => {
    const missing = sumOf(each, nowAt.get(placeOf(each)) ?? NO_FIGURES, -1);
    if (!isWhole(missing) || missing.messages > left) return take(each, missing.messages);
    left -= missing.messages;
    if (missing.messages > 0) gone.push({ ...each, ...missing });
    return { ...each, ...sumOf(each, missing, -1) };
  });
  for (const each of [...rest, ...(underWay ?? [])]) take(each, each.messages);
  return gone;
}

/** Whether messages may have such figures. */
function isWhole({ messages, sent, segments, charged, times }: Outcomes): boolean {
  return [messages, sent, segments, charged, ...Object.values(times)].every((count) => count >= 0);
}

/** What some messages of those have, taken for alike. */
function shareOf(of: DayFigures, messages: number): DayFigures {
  const share = messages <= 0 ? 0 : messages / of.messages;
  const part = (count: number): number => Math.round(count * share);
  const times = Object.entries(of.times).flatMap(([bucket, count]) =>
    part(count) === 0 ? [] : [[bucket, part(count)] as const],
  );
  const { sent, segments, charged } = of;
  return {
    ...of,
    messages: Math.max(0, messages),
    sent: part(sent),
    segments: part(segments),
    charged: part(charged),
    times: Object.fromEntries(times),
  };
}

// By whose clocks the days are that blocks recorded. A timezone may be changed, and then each block is to record its days anew: until all
// of them did, what they recorded is of other days than what is asked for.

/** Timezones by the account whose days they make; those of the appliance's own days stand under `APPLIANCE`. */
export type Zones = ReadonlyMap<number, string>;

/** No account has this row. */
export const APPLIANCE = 0;

/** Those among some timezones by which not everything recorded is recorded yet. */
export function findStaleZones(read: Reader, zones: Zones): Zones {
  const told = new Map(
    read
      .all<{ id: number; timezone: string }>(
        `SELECT account_id AS id, timezone FROM figure_zones
         WHERE account_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...zones.keys()]),
      )
      .map(({ id, timezone }) => [id, timezone]),
  );
  return new Map([...zones].filter(([id, timezone]) => told.get(id) !== timezone));
}

/** Whether anything is recorded of an account, or of any where it is the appliance's days. */
export function hasFigures(read: Reader, accountId: number): boolean {
  return accountId === APPLIANCE
    ? read.get("SELECT 1 FROM block_figures LIMIT 1") !== null
    : read.get("SELECT 1 FROM search_facets WHERE account_id = ? LIMIT 1", accountId) !== null;
}

/** Notes that everything is recorded by some timezones. */
export function recordZones(tx: Tx, zones: Zones): void {
  for (const [accountId, timezone] of zones) {
    tx.run(
      `INSERT INTO figure_zones (account_id, timezone) VALUES (?1, ?2)
       ON CONFLICT (account_id) DO UPDATE SET timezone = ?2`,
      accountId,
      timezone,
    );
  }
}

// What became of messages, in figures that can be added and taken away again. Pure.

/** Receipts by how long they took: counts by the logarithm of the milliseconds. */
type Times = Readonly<Record<string, number>>;

type Outcomes = {
  readonly messages: number;
  /** Accepted by the operator. */
  readonly sent: number;
  readonly segments: number;
  readonly charged: number;
  readonly times: Times;
};

/** Outcomes of messages that were accepted on one day and have the same in common. */
export type DayFigures = Outcomes & { readonly zone: 0 | 1; readonly day: string; readonly facet: Facet };

/** Figures of a day as their row has them. */
type FigureRow = Omit<DayFigures, "facet"> & { readonly facetId: number };

/** The day that a batch of an account was accepted on; `own` is null where the account's clocks show the appliance's day. */
export type DaysOf = (
  accountId: number,
  createdAtMs: number,
) => { readonly all: string; readonly own: string | null };

const NO_FIGURES: Outcomes = { messages: 0, sent: 0, segments: 0, charged: 0, times: {} };

/** One figure is within 5 % of what it stands for: half the way to the next, by ratio. */
const RATIO = 1.1;

function bucketOf(ms: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, ms)) / Math.log(RATIO)));
}

/** The seconds that so large a share of the receipts took at most; null where there are none. */
export function percentile(times: Times, share: number): number | null {
  const buckets = Object.entries(times)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { bucket, count } of buckets) {
    seen += count;
    if (seen >= total * share) return Math.round(RATIO ** (bucket + 0.5)) / 1000;
  }
  return null;
}

/** Adds figures, or takes them away where `sign` is -1. */
function sumOf(one: Outcomes, other: Outcomes, sign: 1 | -1 = 1): Outcomes {
  const times: Record<string, number> = { ...one.times };
  for (const [bucket, count] of Object.entries(other.times)) {
    const left = (times[bucket] ?? 0) + sign * count;
    if (left === 0) delete times[bucket];
    else times[bucket] = left;
  }
  return {
    messages: one.messages + sign * other.messages,
    sent: one.sent + sign * other.sent,
    segments: one.segments + sign * other.segments,
    charged: one.charged + sign * other.charged,
    times,
  };
}

function isNothing({ messages, sent, segments, charged, times }: Outcomes): boolean {
  return messages === 0 && sent === 0 && segments === 0 && charged === 0 && Object.keys(times).length === 0;
}

/** The figures of some messages, by day and by what they have in common. Those of test batches and of sandboxes do not count. */
export function deriveFigures(
  fates: readonly MessageFate[],
  daysOf: DaysOf,
): ReadonlyMap<string, DayFigures> {
  const figures = new Map<string, Growing>();
  for (const fate of fates) {
    if (fate.isTest === 1 || isSandbox(fate.accountId)) continue;
    const { all, own } = daysOf(fate.accountId, fate.acceptedAt);
    addTo(figures, 0, all, fate);
    if (own !== null) addTo(figures, 1, own, fate);
  }
  return figures;
}

/** What a message has in common with others. */
export function toFacet({ accountId, sender, messageClass, operator, status, errorCode }: Facet): Facet {
  return { accountId, sender, messageClass, operator, status, errorCode };
}

type Growing = Omit<{ -readonly [Name in keyof DayFigures]: DayFigures[Name] }, "times"> & {
  readonly times: Record<string, number>;
};

function addTo(figures: Map<string, Growing>, zone: 0 | 1, day: string, fate: MessageFate): void {
  const name = `${zone} ${day} ${toFacetName(fate)}`;
  let sum = figures.get(name);
  if (!sum) {
    const none = { messages: 0, sent: 0, segments: 0, charged: 0 };
    sum = { zone, day, facet: toFacet(fate), ...none, times: {} };
    figures.set(name, sum);
  }
  sum.messages += 1;
  if (fate.sentAt !== null) sum.sent += 1;
  sum.segments += fate.segments;
  sum.charged += fate.amount;
  const took = receiptTook(fate);
  if (took === null) return;
  const bucket = bucketOf(took);
  sum.times[bucket] = (sum.times[bucket] ?? 0) + 1;
}

/** One name for the same facets. No sender or code has a line end in it. */
export function toFacetName({ accountId, sender, messageClass, operator, status, errorCode }: Facet): string {
  return `${accountId}\n${sender}\n${messageClass}\n${operator}\n${status}\n${errorCode}`;
}

/** From the last submit to the last receipt; null where no receipt ended the message. */
function receiptTook({ status, sentAt, submittedAt, finalizedAt }: MessageFate): number | null {
  if (sentAt === null || submittedAt === null || finalizedAt === null) return null;
  return status === "DELIVERED" || status === "FAILED" ? Math.max(0, finalizedAt - submittedAt) : null;
}
