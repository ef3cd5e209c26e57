/** The figures of days, and what each block has told of them. */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { type DayFigures, NO_FIGURES, type Outcomes, sumOf } from "./figures.ts";
import type { Facet } from "./rows.ts";

type Told = readonly [
  zone: 0 | 1,
  day: string,
  facetId: number,
  ...counts: readonly [messages: number, sent: number, segments: number, charged: number],
  times: Outcomes["times"],
];

/** What a block has told: of how many messages, and the figures by facet. */
export type ToldBlock = {
  readonly messages: number;
  readonly figures: readonly (Omit<DayFigures, "facet"> & { readonly facetId: number })[];
};

const NOTHING_TOLD: ToldBlock = { messages: 0, figures: [] };

export function toldOf(read: Reader, block: number): ToldBlock {
  const row = read.get<{ messages: number; figures: string }>(
    "SELECT messages, figures FROM block_figures WHERE block = ?",
    block,
  );
  if (!row) return NOTHING_TOLD;
  const told: readonly Told[] = JSON.parse(row.figures);
  return {
    messages: row.messages,
    figures: told.map(([zone, day, facetId, messages, sent, segments, charged, times]) => ({
      ...{ zone, day, facetId, messages, sent, segments, charged, times },
    })),
  };
}

/**
 * Has a block tell its figures: those of the days change by what changed. Where messages of it are gone, nothing does: what it told
 * stays.
 */
export function tellFigures(
  tx: Tx,
  block: number,
  messages: number,
  figures: ReadonlyMap<string, DayFigures>,
  numberOf: (facet: Facet) => number,
): void {
  const before = toldOf(tx, block);
  if (messages < before.messages) return;
  const changes = new Map<string, Omit<DayFigures, "facet"> & { facetId: number }>();
  const change = (each: Omit<DayFigures, "facet"> & { readonly facetId: number }, sign: 1 | -1): void => {
    const { zone, day, facetId } = each;
    const name = `${zone} ${day} ${facetId}`;
    const known = changes.get(name) ?? NO_FIGURES;
    changes.set(name, { zone, day, facetId, ...sumOf(known, each, sign) });
  };
  for (const each of before.figures) change(each, -1);
  const told: Told[] = [];
  for (const { facet, ...each } of figures.values()) {
    const facetId = numberOf(facet);
    change({ ...each, facetId }, 1);
    const { zone, day, sent, segments, charged, times } = each;
    told.push([zone, day, facetId, each.messages, sent, segments, charged, times]);
  }
  for (const each of changes.values()) addToDay(tx, each);
  tx.run(
    `INSERT INTO block_figures (block, messages, figures) VALUES (?1, ?2, ?3)
     ON CONFLICT (block) DO UPDATE SET messages = ?2, figures = ?3`,
    block,
    messages,
    JSON.stringify(told),
  );
}

function addToDay(tx: Tx, change: Omit<DayFigures, "facet"> & { readonly facetId: number }): void {
  const { zone, day, facetId } = change;
  if (isNothing(change)) return;
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

function isNothing({ messages, sent, segments, charged, times }: Outcomes): boolean {
  return messages === 0 && sent === 0 && segments === 0 && charged === 0 && Object.keys(times).length === 0;
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

/** Another object as soon as a block told something: what was added up before is not of one moment then. */
export function noteOfFigures(read: Reader): object | null {
  return read.known("SELECT max(block) AS block FROM block_figures");
}

/** A facet by its number. */
export function facetById(read: Reader, id: number): Facet | null {
  return read.get<Facet>(
    `SELECT account_id AS accountId, sender, message_class AS messageClass, operator, status, error_code AS errorCode
     FROM search_facets WHERE id = ?`,
    id,
  );
}
