/** Which rows that nobody could read are still nobody's, once corrections brought numbers that are new. Pure. */
import type { NewUnreadableRow } from "../messages/unreadable-rows.ts";
import { rowsNumber } from "./row-match.ts";

/** A row that is nobody's that is known. */
export type UnreadRow = {
  /** The place in its family of the batch whose file it stands in. */
  readonly batch: number;
  /** Why its batch rejected it; null of a row that was no recipient. */
  readonly reason: string | null;
  /** What stands in the place of its number; null where nobody knows. */
  readonly written: string | null;
  /** Its place in the batch; null of a row that was no recipient. */
  readonly position: number | null;
  /** What is kept of it; null where nothing is, and of one that nobody can tell from others. */
  readonly row: NewUnreadableRow | null;
};

/** The numbers that a correction brought and that were in no batch before; `texts`: what was said to them, where that was looked into. */
export type FreshNumbers = {
  readonly count: number;
  readonly texts: readonly { readonly msisdn: string; readonly text: string }[];
};

/** What a new file says of a row that is known: it stands there again, or a number stands in its place. */
export type ToldOfRow = (row: UnreadRow) => "again" | "corrected" | null;

/** Rows times numbers that are likened. */
const MOST_LIKENED = 1_000_000;

/**
 * Each new number takes the place of a row before; a row that stands in the new file too stays. How many are left is certain. Which of
 * them are, is where the new file, their number or their values tell it: those that can't be told from others that were corrected are left without their row.
 */
export function leftUnread(
  before: readonly UnreadRow[],
  here: readonly UnreadRow[],
  { count, texts }: FreshNumbers,
  toldOf: ToldOfRow = () => null,
): readonly UnreadRow[] {
  const still = Math.max(0, before.length - count - here.length);
  if (still === 0) return here;
  const again = new Set(here.map(nameOf));
  const isLikened = before.length * texts.length <= MOST_LIKENED;
  const likely = Map.groupBy(before, (row) => {
    const told = toldOf(row);
    if (told !== null) return told;
    if (again.has(nameOf(row))) return "again";
    if (count > 0 && (!isLikened || texts.length === 0)) return "open";
    return texts.some((one) => isOf(row, one)) ? "corrected" : "open";
  });
  const left: UnreadRow[] = [...here];
  for (const kind of ["open", "corrected", "again"] as const) {
    const rows = likely.get(kind) ?? [];
    const room = here.length + still - left.length;
    if (room <= 0) break;
    left.push(...(rows.length <= room ? rows : rows.slice(0, room).map(unnamed)));
  }
  return left;
}

/** What tells a row that is brought again as it was. */
function nameOf({ written, row }: UnreadRow): string {
  return JSON.stringify([written, row?.attributes ?? null, row?.client_reference ?? null]);
}

/** Whether a text went to a row's number, or says all that stood in its other columns. */
function isOf({ written, row }: UnreadRow, { msisdn, text }: FreshNumbers["texts"][number]): boolean {
  if (written !== null && rowsNumber(written)(msisdn)) return true;
  const values = Object.values(row?.attributes ?? {}).filter((value) => value.trim() !== "");
  return values.length > 0 && values.every((value) => text.includes(value));
}

function unnamed({ batch, reason }: UnreadRow): UnreadRow {
  return { batch, reason, written: null, position: null, row: null };
}
