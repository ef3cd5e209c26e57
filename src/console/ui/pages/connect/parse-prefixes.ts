/** Reads prefixes from a text copied from an operator's sheet, and finds the pieces that are none. Pure. */

/** Why a piece is no prefix. */
type PrefixProblem = "UNCLEAR" | "HALF" | "BACKWARDS" | "LENGTHS" | "TOO_MANY" | "TOO_LONG";

type ParsedPrefixes = {
  /** Each once, in the order of the text. */
  readonly prefixes: readonly string[];
  /** As they stand in the text. */
  readonly misread: readonly { readonly piece: string; readonly why: PrefixProblem }[];
};

/** As sheets write from one to another: `04 à 07`, `04 to 07`, `04-07`. */
const BETWEEN = String.raw`(?:(?<=[\s\d])(?:à|a|au|to)(?=[\s\d,;/]|$)|-|–|—|…|\.{2,3})`;
const PIECE = new RegExp(
  String.raw`[^\s,;/…–—-]+(?:[^\S\n]*${BETWEEN}(?:[^\S\n]*[^\s,;/…–—-]+)?)*|[^\s,;/]+`,
  "giu",
);
const RANGE = new RegExp(String.raw`^(\d+)\s*${BETWEEN}\s*(\d+)$`, "iu");
/** From nowhere, or to nowhere: `04 à`, `44 à 46…`. */
const HALF = new RegExp(String.raw`^(?:${BETWEEN}[\s\d]*\d|\d.*${BETWEEN}|à|au|to)$`, "iu");
/** The country's code before all that follow, which are known without it: `+226 04`, `226 04`, `(226) 04`. */
const COUNTRY =
  /(?:\+|\b00)\d{1,3}(?=\s+\d)|\(\+?\d{1,3}\)(?=\s*\d)|(?=\d{3}[^\S\n]+\d{2}(?!\d))(?<=(?:^|[,;\n])[^\S\n]*)\d{3}/g;
/** The digits that are the subscriber's: `07 XX XX XX`. */
const ANY_DIGITS = /(?<=^|[\s\d])[x*]+(?=$|[\s,;/x*.])/gi;
/** What joins, and names nothing. */
const JOINING = /^(?:et|and|ou|or|de|from|du|puis)$/i;
const MAX_OF_A_RANGE = 100;
/** The longest number that there is (E.164). */
const MAX_DIGITS = 15;

export function parsePrefixes(text: string): ParsedPrefixes {
  const bare = text.replaceAll(COUNTRY, " ").replaceAll(ANY_DIGITS, " ");
  const read = (bare.match(PIECE) ?? []).map((piece) => pieceOf(piece.trim()));
  return {
    prefixes: [...new Set(read.flatMap(({ prefixes }) => prefixes))],
    misread: read.flatMap(({ misread }) => misread),
  };
}

/** Strips the signs that sheets put around and behind: `07.`, `(07)`, `+22607`, `0022607`. */
function withoutSigns(piece: string): string {
  return piece
    .replace(/^[(:.]+|^[-–—•]+$/, "")
    .replace(/(?<![):.])[):.]+$/, "")
    .replace(/^(?:\+|00(?=\d{3}))(?=\d)/, "");
}

function pieceOf(piece: string): ParsedPrefixes {
  const misread = (why: PrefixProblem): ParsedPrefixes => ({ prefixes: [], misread: [{ piece, why }] });
  const bare = withoutSigns(piece);
  if (bare === "" || JOINING.test(bare)) return { prefixes: [], misread: [] };
  if (/^\d+$/.test(bare))
    return bare.length > MAX_DIGITS ? misread("TOO_LONG") : { prefixes: [bare], misread: [] };
  const [, first, last] = RANGE.exec(bare) ?? [];
  if (first === undefined || last === undefined) return misread(HALF.test(piece) ? "HALF" : "UNCLEAR");
  const end = ended(first, last);
  if (first.length > MAX_DIGITS) return misread("TOO_LONG");
  if (first.length !== end.length) return misread("LENGTHS");
  const [from, to] = [Number(first), Number(end)];
  if (to < from) return misread("BACKWARDS");
  if (to - from >= MAX_OF_A_RANGE) return misread("TOO_MANY");
  const prefixes = Array.from({ length: to - from + 1 }, (_, at) =>
    String(from + at).padStart(first.length, "0"),
  );
  return { prefixes, misread: [] };
}

/** Completes a range's end: `22604-07` ends at 22607, for the common part is not repeated. */
function ended(first: string, last: string): string {
  const isShort = last.length >= 2 && last.length < first.length;
  return isShort ? first.slice(0, first.length - last.length) + last : last;
}
