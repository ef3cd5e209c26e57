/**
 * A file of people, parsed once: its rows as a line of JSON each, so that whoever looks at it, quotes it and sends it works on the same rows and
 * does not unpack a workbook or look for a separator again. Bytes in, bytes out: a thread makes them, and memory changes hands without a copy.
 */
import type { Cell, CellFault, FileRow } from "./file-row.ts";

/** A cell as it is kept: its text alone, or with what else is known of it. */
type ParsedCell =
  | string
  | [text: string, fault: CellFault | null, kept: string | null, format: string | null];

const LINE_END = 0x0a;
/** Rows that are written in one go. */
const STEP = 1000;

/** What the rows of a file may be. */
export type MaxRows = { readonly rows: number; readonly bytes: number };

/** The rows of a file; null where they are more, or take more, as where a sheet names its last column in every row. */
export function packRows(rows: Iterable<FileRow>, max: MaxRows): Uint8Array<ArrayBuffer> | null {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let text = "";
  let [count, waiting] = [0, 0];
  const flush = (): void => {
    const bytes = encoder.encode(text);
    pieces.push(bytes);
    size += bytes.byteLength;
    text = "";
    waiting = 0;
  };
  for (const { line, cells } of rows) {
    text += `${JSON.stringify([line, cells.map(toParsed)])}\n`;
    count += 1;
    waiting += 1;
    if (waiting >= STEP || text.length > max.bytes) flush();
    if (size > max.bytes || count > max.rows) return null;
  }
  flush();
  if (size > max.bytes) return null;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** The rows again, one after the other. */
export function* parsedRows(bytes: Uint8Array): Generator<FileRow> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.byteLength; ) {
    const found = bytes.indexOf(LINE_END, at);
    const end = found < 0 ? bytes.byteLength : found;
    const [line, cells]: [number, readonly ParsedCell[]] = JSON.parse(
      decoder.decode(bytes.subarray(at, end)),
    );
    yield { line, cells: cells.map(toCell) };
    at = end + 1;
  }
}

function toParsed({ text, fault, kept, format }: Cell): ParsedCell {
  return fault === undefined && kept === undefined && format === undefined
    ? text
    : [text, fault ?? null, kept ?? null, format ?? null];
}

function toCell(cell: ParsedCell): Cell {
  if (typeof cell === "string") return { text: cell };
  const [text, fault, kept, format] = cell;
  return {
    text,
    ...(fault === null ? {} : { fault }),
    ...(kept === null ? {} : { kept }),
    ...(format === null ? {} : { format }),
  };
}
