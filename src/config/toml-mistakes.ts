/**
 * Mistakes that people make in a configuration by habit or by their editor: an address without quotes, typographic quotes, a file in
 * another encoding than UTF-8. The parser only says where it stopped; here is what stands there, and what to write. Pure.
 */
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** What is wrong with a line on which the parser stopped; null where it is none of these. `isSecret`: nothing of its value is told. */
export function lineMistake(line: string, isSecret: boolean): Phrase | null {
  return curlyQuotes(line, isSecret) ?? bareValue(line, isSecret);
}

/** Quotes as word processors and telephones set them. */
const CURLY = /[“”„‟«»‘’‚‛]/gu;
function curlyQuotes(line: string, isSecret: boolean): Phrase | null {
  const found = [...new Set(withoutTexts(line).match(CURLY) ?? [])].join(" ");
  if (found === "") return null;
  if (isSecret) return phrase("config.toml.curly_quotes.hidden", { found });
  return phrase("config.toml.curly_quotes", { found, write: withStraightQuotes(line) });
}

/** The line with straight quotes, closed at its end; an apostrophe between letters stays. */
function withStraightQuotes(line: string): string {
  const straight = line
    .trim()
    .replaceAll(/«[\s\u00a0\u202f]?|[\s\u00a0\u202f]?»|[“”„‟]/gu, '"')
    .replaceAll(/(?<!\p{L})[‘‚‛’]|[‘‚‛’](?!\p{L})/gu, '"');
  const isOpen = straight.split('"').length % 2 === 0;
  return isOpen ? `${straight}"` : straight;
}

/** host:port, an address of IPv4 or IPv6 with or without its network, a URL. */
const ADDRESS =
  /^(?:[a-z][a-z+]*:\/\/\S+|\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?|\[[\da-f:.]+\](?::\d+)?|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:\/\d+)?|[\w.-]*:\d{1,5})$/i;
/** What begins like a number or a path and is none of TOML's values. */
const OTHER_TEXT = /^(?:\d+[.:/-][\w.:/-]*|\.{0,2}\/\S*|\.{1,2})$/;
/** A name, a server or an e-mail address: what begins with a letter, is no slip of one or two keys, and has no character of TOML's own. */
const WORDS = /^\p{L}[^"'[\]{}=,#]{2,}$/u;
/** Values without quotes, as they are or as people write them. */
const UNQUOTED = /^(?:true|false|inf|nan|yes|no|on|off)$/i;

/** Whether a value is a text that lacks its quotes. */
function isBareText(value: string): boolean {
  return OTHER_TEXT.test(value) || (WORDS.test(value) && !UNQUOTED.test(value));
}

function bareValue(line: string, isSecret: boolean): Phrase | null {
  const equals = line.indexOf("=");
  if (equals < 0 || isSecret) return null;
  const key = line.slice(0, equals).trim();
  const value = line.slice(equals + 1, commentStart(line)).trim();
  if (ADDRESS.test(value)) return bareAddress(value, `${key} = "${value}"`);
  if (isBareText(value)) {
    return phrase("config.toml.bare_text", { found: value, write: `${key} = "${value}"` });
  }
  if (!value.startsWith("[") || !value.endsWith("]")) return null;
  const pieces = value
    .slice(1, -1)
    .split(",")
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
  const isBare = (piece: string) => ADDRESS.test(piece) || isBareText(piece);
  const bare = pieces.find(isBare);
  if (bare === undefined) return null;
  const write = `${key} = [${pieces.map((piece) => (isBare(piece) ? `"${piece}"` : piece)).join(", ")}]`;
  return ADDRESS.test(bare)
    ? bareAddress(bare, write)
    : phrase("config.toml.bare_text", { found: bare, write });
}

function bareAddress(found: string, write: string): Phrase {
  return phrase("config.toml.bare_address", { found, write });
}

/** The line with a blank for each text that is closed with straight quotes, and without its comment. */
function withoutTexts(line: string): string {
  let outside = "";
  let at = 0;
  for (const { from, to } of closedTexts(line)) {
    outside += `${line.slice(at, from)} `;
    at = to;
  }
  return outside + line.slice(at, commentStart(line));
}

/** Where the comment of a line begins, or the line ends. */
function commentStart(line: string): number {
  const texts = closedTexts(line);
  for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
    if (!texts.some(({ from, to }) => from < at && at < to)) return at;
  }
  return line.length;
}

type Span = { readonly from: number; readonly to: number };

/** Texts that are closed on their line with the quote that they begin with. */
function closedTexts(line: string): Span[] {
  const found: Span[] = [];
  let open: { readonly quote: string; readonly from: number } | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (open === null) {
      if (character === "#") break;
      if (character === '"' || character === "'") open = { quote: character, from: at };
    } else if (character === "\\" && open.quote === '"') at += 1;
    else if (character === open.quote) {
      found.push({ from: open.from, to: at + 1 });
      open = null;
    }
  }
  return found;
}

/** Where a file stops being UTF-8: the line, from 1, and what stands there. */
type EncodingMistake = {
  readonly line: number | null;
  readonly found: Phrase;
};

/** Two octets that say that what follows is UTF-16 (Unicode 16, section 23.8). */
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;

/** What the bytes are that are not UTF-8; `isSecret` says of the text of the lines above and of the line itself whether it may be told. */
export function encodingMistake(
  bytes: Uint8Array,
  isSecret: (lines: readonly string[]) => boolean,
): EncodingMistake {
  if (UTF16_MARKS.some(([first, second]) => bytes[0] === first && bytes[1] === second)) {
    return { line: null, found: phrase("config.found.utf16") };
  }
  const at = firstInvalid(bytes);
  const lines = new TextDecoder("windows-1252").decode(bytes.subarray(0, at)).split("\n");
  const line = lines.length;
  const byte = bytes[at] ?? 0;
  const octet = byte.toString(16).toUpperCase().padStart(2, "0");
  const character = new TextDecoder("windows-1252").decode(bytes.subarray(at, at + 1));
  // Octets to which Windows-1252 gives no character are decoded as controls.
  const isCharacter = !/\p{Cc}/u.test(character);
  if (!isCharacter) return { line, found: phrase("config.found.not_utf8.byte", { octet }) };
  return {
    line,
    found: isSecret(lines)
      ? phrase("config.found.windows_1252.hidden")
      : phrase("config.found.windows_1252", { octet, character }),
  };
}

/** The place of the first octet that is no UTF-8 (RFC 3629): what is before it decodes, and with it does not. */
function firstInvalid(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    if (length === 0 || !isDecodable(bytes.subarray(at, at + length), length)) return at;
    at += length;
  }
  return bytes.length;
}

/** Octets of a sequence by its first one; 0 of one that begins none. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

function isDecodable(sequence: Uint8Array, length: number): boolean {
  if (sequence.length < length) return false;
  if (length === 1) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(sequence);
    return true;
  } catch {
    return false;
  }
}
