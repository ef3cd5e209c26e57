/**
 * A file of people, parsed once: its rows as lines of JSON, so that looking at it, quoting it and sending it work on the same rows and do
 * not unpack a workbook or look for a separator again. Bytes in, bytes out: a thread makes them, and memory is transferred without a copy.
 */
import type { Cell, CellFault, FileRow } from "./row-reader.ts";

/** A cell as it is kept: its text alone, or with what else is known of it. */
type ParsedCell =
  | string
  | [text: string, fault: CellFault | null, kept: string | null, format: string | null];

type ParsedRow = readonly [line: number, cells: readonly ParsedCell[]];

const LINE_END = 0x0a;
/** A line by itself: the rows behind it are of the next sheet. */
const NEXT_SHEET = 0x30;
/** Rows of a line. */
const STEP = 1000;

/** What the rows of a file may be. */
export type MaxRows = { readonly rows: number; readonly bytes: number };

type RowPacker = {
  readonly add: (row: FileRow) => void;
  /** What is added from now on is of the next sheet. */
  readonly nextSheet: () => void;
  /** All of them; null where they were more, or took more, as where a sheet names its last column in every row. */
  readonly end: () => Uint8Array<ArrayBuffer> | null;
};

/** Packs rows as somebody goes through them. */
export function rowPacker(max: MaxRows): RowPacker {
  const encoder = new TextEncoder();
  let pieces: Uint8Array[] = [];
  let step: ParsedRow[] = [];
  let [count, size, characters] = [0, 0, 0];
  const isTooMuch = () => count > max.rows || size + characters > max.bytes;
  const pack = (): void => {
    if (step.length === 0) return;
    const bytes = encoder.encode(`${JSON.stringify(step)}\n`);
    step = [];
    characters = 0;
    size += bytes.byteLength;
    pieces.push(bytes);
  };
  const nextSheet = (): void => {
    if (isTooMuch()) return;
    pack();
    pieces.push(Uint8Array.of(NEXT_SHEET, LINE_END));
    size += 2;
  };
  return {
    nextSheet,
    add: ({ line, cells }) => {
      if (isTooMuch()) {
        [pieces, step] = [[], []];
        return;
      }
      count += 1;
      for (const { text } of cells) characters += text.length + 1;
      step.push([line, cells.map(toParsed)]);
      if (step.length === STEP) pack();
    },
    end: () => {
      if (!isTooMuch()) pack();
      if (isTooMuch()) return null;
      const whole = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
      return whole;
    },
  };
}

/** The rows again, one after the other, of the sheet at a place from 0. */
export function* parsedRows(bytes: Uint8Array, sheet = 0): Generator<FileRow> {
  const decoder = new TextDecoder();
  let current = 0;
  for (let at = 0, end = 0; at < bytes.byteLength && current <= sheet; at = end + 1) {
    end = bytes.indexOf(LINE_END, at);
    if (bytes[at] === NEXT_SHEET) current += 1;
    if (bytes[at] === NEXT_SHEET || current !== sheet) continue;
    const step: readonly ParsedRow[] = JSON.parse(decoder.decode(bytes.subarray(at, end)));
    for (const [line, cells] of step) yield { line, cells: cells.map(toCell) };
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
