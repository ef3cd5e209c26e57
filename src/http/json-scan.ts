/**
 * One pass over a JSON text that is not parsed yet: how deep it nests, and where its longest array at the second
 * level may be cut into pieces. What is malformed is left for the parser to refuse.
 */
export type JsonScan = {
  at: number;
  depth: number;
  deepest: number;
  isInString: boolean;
  /** The array at the second level that the scan is in, if it is in one. */
  open: LongArray | null;
  longest: LongArray | null;
};

/** An array's content, brackets not included, and the commas between its items at which it may be cut. */
export type LongArray = { readonly start: number; end: number; readonly cuts: number[] };

/** Pieces are at least this long: parsing one takes less than a millisecond. */
const PIECE_LENGTH = 65_536;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function newScan(): JsonScan {
  return { at: 0, depth: 0, deepest: 0, isInString: false, open: null, longest: null };
}

/** Moves a scan on to `end`, or to where the text nests deeper than `mostNesting`. */
export function advanceScan(scan: JsonScan, text: string, end: number, mostNesting: number): void {
  let { at, isInString } = scan;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
      continue;
    }
    if (code === QUOTE) isInString = true;
    else if (code === COMMA) noteComma(scan, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      scan.depth += 1;
      scan.deepest = Math.max(scan.deepest, scan.depth);
      if (scan.depth > mostNesting) break;
      if (scan.depth === 2 && code === OPEN_BRACKET) scan.open = { start: at + 1, end: at + 1, cuts: [] };
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      if (scan.depth === 2) closeArray(scan, at);
      scan.depth -= 1;
    }
  }
  scan.at = at;
  scan.isInString = isInString;
}

function noteComma(scan: JsonScan, at: number): void {
  if (scan.depth !== 2 || scan.open === null) return;
  const since = scan.open.cuts.at(-1) ?? scan.open.start;
  if (at - since >= PIECE_LENGTH) scan.open.cuts.push(at);
}

function closeArray(scan: JsonScan, at: number): void {
  if (scan.open === null) return;
  scan.open.end = at;
  const length = scan.longest ? scan.longest.end - scan.longest.start : -1;
  if (at - scan.open.start > length) scan.longest = scan.open;
  scan.open = null;
}
