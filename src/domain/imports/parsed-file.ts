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
/** Rows of a line. */
const STEP = 1000;

/** What the rows of a file may be. */
export type MaxRows = { readonly rows: number; readonly bytes: number };

type RowPacker = {
  readonly add: (row: FileRow) => void;
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
  return {
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

/** The rows again, one after the other. */
export function* parsedRows(bytes: Uint8Array): Generator<FileRow> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.byteLength; ) {
    const end = bytes.indexOf(LINE_END, at);
    const step: readonly ParsedRow[] = JSON.parse(decoder.decode(bytes.subarray(at, end)));
    for (const [line, cells] of step) yield { line, cells: cells.map(toCell) };
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
