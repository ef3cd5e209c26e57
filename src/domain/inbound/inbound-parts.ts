/** Long inbound texts on their way to be whole. */
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { Concatenation } from "../../text/udh.ts";

/** What the parts of one text share. */
export type PartsKey = {
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly reference: number;
  readonly total: number;
};

export type InboundPart = {
  readonly part: number;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
  readonly receivedAt: number;
  readonly isWhole: number;
};

/** A text that is whole, or was given up. */
export type CollectedParts = { readonly key: PartsKey; readonly parts: readonly InboundPart[] };

export type AddPartResult = {
  /** The text is whole with it. */
  readonly whole: CollectedParts | null;
  /** Another text whose reference this one uses again: it will not be whole any more. */
  readonly givenUp: CollectedParts | null;
};

/** Keeps one part. One that is there already is not taken twice, also when its text was whole before. */
export function addPart(
  tx: Tx,
  from: Pick<PartsKey, "operator" | "source" | "destination">,
  { reference, total, part }: Concatenation,
  body: { readonly dataCoding: number; readonly octets: Uint8Array },
  nowMs: number,
): AddPartResult {
  const { operator, source, destination } = from;
  const key = { operator, source, destination, reference, total };
  let givenUp: CollectedParts | null = null;
  const before = partsOf(tx, key);
  const known = before.find((one) => one.part === part);
  if (known && Buffer.compare(known.octets, body.octets) === 0) return { whole: null, givenUp: null };
  if (known || before.some(({ isWhole }) => isWhole === 1)) {
    if (before.every(({ isWhole }) => isWhole === 0)) givenUp = { key, parts: before };
    dropParts(tx, key);
  }
  tx.run(
    `INSERT INTO inbound_parts (operator, source, destination, reference, total, part, data_coding, octets, received_at)
     VALUES ($operator, $source, $destination, $reference, $total, $part, $dataCoding, $octets, $nowMs)`,
    { ...key, part, dataCoding: body.dataCoding, octets: body.octets, nowMs },
  );
  const parts = partsOf(tx, key);
  if (parts.length < total) return { whole: null, givenUp };
  tx.run(
    `UPDATE inbound_parts SET is_whole = 1
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ?`,
    ...valuesOf(key),
  );
  return { whole: { key, parts }, givenUp };
}

function partsOf(read: Reader, key: PartsKey): InboundPart[] {
  return read.all<InboundPart>(
    `SELECT part, data_coding AS dataCoding, octets, received_at AS receivedAt, is_whole AS isWhole
     FROM inbound_parts
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ? ORDER BY part`,
    ...valuesOf(key),
  );
}

function dropParts(tx: Tx, key: PartsKey): void {
  tx.run(
    `DELETE FROM inbound_parts
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ?`,
    ...valuesOf(key),
  );
}

function valuesOf(key: PartsKey) {
  return [key.operator, key.source, key.destination, key.reference, key.total] as const;
}

/** How long the parts of a text are waited for. Handsets give up sending them long before. */
const PARTS_WAIT_MS = 24 * 3_600_000;

/**
 * Takes out the texts of up to `limit` parts that came so long ago, with all of their parts: those that never became
 * whole are handed out. `taken` counts the parts that were looked at: as many as `limit`, and there may be more.
 */
export function collectOverdueParts(
  tx: Tx,
  nowMs: number,
  limit: number,
): { readonly taken: number; readonly givenUp: readonly CollectedParts[] } {
  const overdue = tx.all<PartsKey>(
    `SELECT operator, source, destination, reference, total FROM inbound_parts
     WHERE received_at < ? ORDER BY received_at LIMIT ?`,
    nowMs - PARTS_WAIT_MS,
    limit,
  );
  const givenUp: CollectedParts[] = [];
  for (const key of overdue) {
    const parts = partsOf(tx, key);
    // Another part of it was among the overdue.
    if (parts.length === 0) continue;
    dropParts(tx, key);
    if (parts.every(({ isWhole }) => isWhole === 0)) givenUp.push({ key, parts });
  }
  return { taken: overdue.length, givenUp };
}

/** Parts looked at in one go. */
const PARTS_AT_ONCE = 1000;

type PartPlace = PartsKey & { readonly part: number };

/** How many long texts wait for parts: of all operators or of one. In steps, because parts that are whole are kept for a day too. */
export async function countIncompleteTexts(read: Reader, clock: Clock, operator: string | null): Promise<number> {
  const pause = createYielder(clock);
  let waiting = 0;
  let last: PartPlace = {
    operator: operator ?? "",
    source: "",
    destination: "",
    reference: -1,
    total: -1,
    part: -1,
  };
  for (;;) {
    const rows = partsBehind(read, last);
    for (const row of rows) {
      if (operator !== null && row.operator !== operator) return waiting;
      if (row.isWhole === 0 && !isSameText(row, last)) waiting += 1;
      last = row;
    }
    if (rows.length < PARTS_AT_ONCE) return waiting;
    await pause();
  }
}

function partsBehind(read: Reader, place: PartPlace): (PartPlace & Pick<InboundPart, "isWhole">)[] {
  const { operator, source, destination, reference, total, part } = place;
  return read.all(
    `SELECT operator, source, destination, reference, total, part, is_whole AS isWhole FROM inbound_parts
     WHERE (operator, source, destination, reference, total, part)
       > ($operator, $source, $destination, $reference, $total, $part)
     ORDER BY operator, source, destination, reference, total, part LIMIT $limit`,
    { operator, source, destination, reference, total, part, limit: PARTS_AT_ONCE },
  );
}

function isSameText(one: PartsKey, other: PartsKey): boolean {
  return (
    one.operator === other.operator &&
    one.source === other.source &&
    one.destination === other.destination &&
    one.reference === other.reference &&
    one.total === other.total
  );
}
