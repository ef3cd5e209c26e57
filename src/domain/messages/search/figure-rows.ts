/** The figures of days, and what each block has told of them. */
import type { Reader } from "../../../db/read.ts";
import type { Tx } from "../../../db/write.ts";
import { type DayFigures, type FigureRow, isNothing, NO_FIGURES, type Outcomes, sumOf } from "./figures.ts";
import { areSomeGone, changesBesideGone } from "./gone-figures.ts";
import type { Facet } from "./rows.ts";
import { publishFigures } from "./telling.ts";

type Told = readonly [
  zone: 0 | 1,
  day: string,
  facetId: number,
  ...counts: readonly [messages: number, sent: number, segments: number, charged: number],
  times: Outcomes["times"],
];

/** What a block has told. */
export function toldOf(read: Reader, block: number): readonly FigureRow[] {
  const row = read.get<{ figures: string }>("SELECT figures FROM block_figures WHERE block = ?", block);
  if (!row) return [];
  const told: readonly Told[] = JSON.parse(row.figures);
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

/** What a block has told, with what its messages had in common. */
export function readRecordedFacets(read: Reader, told: readonly FigureRow[]): readonly DayFigures[] {
  return told.flatMap(({ facetId, ...each }) => {
    const facet = facetById(read, facetId);
    return facet ? [{ ...each, facet }] : [];
  });
}

/** Has a block tell its figures: those of the days change by what changed. */
export function recordFigures(
  tx: Tx,
  block: number,
  figures: ReadonlyMap<string, DayFigures>,
  numberOf: (facet: Facet) => number,
): void {
  const before = toldOf(tx, block);
  const now = rowsOf(figures.values(), numberOf);
  const changed = areSomeGone(before, now)
    ? rowsOf(changesBesideGone(readRecordedFacets(tx, before), [...figures.values()]), numberOf)
    : changesBetween(before, now);
  for (const each of changed) addToDay(tx, each);
  keepTold(tx, block, now);
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
 * Lets messages of a block go that are about to be deleted, after it told its figures: what it told of them stays with the days, and
 * what it may take back is what it told of the others. On the days of the appliance's clocks alone they are noted as the account's own
 * too: should it be given other clocks later, nobody can tell any more which of its days they were on.
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
  keepTold(tx, block, rowsOf(staying.values(), numberOf));
}

function rowsOf(figures: Iterable<DayFigures>, numberOf: (facet: Facet) => number): readonly FigureRow[] {
  return [...figures].map(({ facet, ...each }) => ({ ...each, facetId: numberOf(facet) }));
}

/** Notes what a block has told, as what it may take back. */
function keepTold(tx: Tx, block: number, rows: readonly FigureRow[]): void {
  if (rows.length === 0) {
    tx.run("DELETE FROM block_figures WHERE block = ?", block);
    return;
  }
  const told = rows.map(
    ({ zone, day, facetId, messages, sent, segments, charged, times }): Told => [
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
