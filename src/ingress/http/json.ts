/**
 * Parses JSON bodies (RFC 8259) with bounds on depth and number of values, names the line and column of a fault, and parses one long list
 * an item at a time (docs/behaviour.md#bodies). It takes octets that were read already: `body.ts` reads them.
 */
import { lazyItems } from "../../core/lazy-list.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";

/** Deeper JSON than this is an attack: a submission has four levels. */
export const MAX_NESTING = 32;

/**
 * More objects and lists, or more values of any kind, than this are an attack: the smallest takes a hundred times the
 * memory of its text. 100,000 recipients may have nine objects each, and 37 attributes.
 */
export const MAX_CONTAINERS = 1_000_000;
export const MAX_VALUES = 4_000_000;

/** What was read of a body, or why it is no JSON that can be read. */
export type JsonOutcome<T> = Outcome<T, "VALIDATION_FAILED">;

/** Parses a body: the value JSON.parse would give, unless it is not UTF-8 or has more in it than a submission can. */
export function parseJson(bytes: Uint8Array): JsonOutcome<unknown> {
  return readJson(bytes, (text) => accepted(JSON.parse(text)));
}

/** Reads the text of a body; it is no JSON where `read` throws a SyntaxError. */
export function readJson<T>(bytes: Uint8Array, read: (text: string) => JsonOutcome<T>): JsonOutcome<T> {
  const text = decoded(bytes);
  if (text === null) return refuse("VALIDATION_FAILED.not_utf8");
  const fault = sizeFault(text);
  if (fault !== null) return fault;
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unparsed(text);
  }
}

/** What is wrong with a text that the parser refused, and where. */
function unparsed(text: string): JsonOutcome<never> {
  if (/^[\t\n\r ]*$/.test(text)) return refuse("VALIDATION_FAILED.body_empty");
  const place = locateJsonFault(text);
  return place === null
    ? refuse("VALIDATION_FAILED.not_json")
    : refuse("VALIDATION_FAILED.not_json_at", place);
}

/** A byte order mark at the beginning is passed over (RFC 8259 section 8.1). */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null when the bytes are not UTF-8: a fatal TextDecoder has no other way to say so than to throw. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Why a JSON text is too much to parse, or null; whether it is JSON is left to the parser. */
function sizeFault(text: string): JsonOutcome<never> | null {
  let depth = 0;
  let containers = 0;
  let commas = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      containers += 1;
      if (depth > MAX_NESTING) return refuse("VALIDATION_FAILED.nested", { most: MAX_NESTING });
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
    else if (code === COMMA) commas += 1;
  }
  if (containers > MAX_CONTAINERS) return refuse("VALIDATION_FAILED.containers", { most: MAX_CONTAINERS });
  return commas + containers > MAX_VALUES ? refuse("VALIDATION_FAILED.values", { most: MAX_VALUES }) : null;
}

// Finds where a text stops being JSON (RFC 8259): the runtime's parser says that it does, but not where.

/** A place in a text as an editor counts it: both from 1, a column in UTF-16 units. */
type TextPlace = { readonly line: number; readonly column: number };

const SPACE = /[\t\n\r ]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

const SPACE_CODE = 0x20;

/** What may stand at a place: a value, a name with its colon, or what follows a value. */
type Wanted = "value" | "value or end" | "name" | "name or end" | "next";

/**
 * The place of the first character that cannot stand where it does, which is the end of a text that breaks off. Null where the
 * whole text is JSON. Goes through the text once.
 */
export function locateJsonFault(text: string): TextPlace | null {
  const open: ("{" | "[")[] = [];
  let at = 0;
  let wanted: Wanted = "value";
  /** Moves past what matches here; whether something does. */
  const pass = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const passString = (): boolean => {
    if (text[at] !== '"') return false;
    for (let end = at + 1; end < text.length; end++) {
      const sign = text.charCodeAt(end);
      if (sign === QUOTE) {
        at = end + 1;
        return true;
      }
      ESCAPE.lastIndex = end;
      if (sign < SPACE_CODE || (sign === BACKSLASH && !ESCAPE.test(text))) return false;
      if (sign === BACKSLASH) end = ESCAPE.lastIndex - 1;
    }
    return false;
  };
  const passSign = (sign: string): boolean => {
    pass(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const close = (): void => {
    open.pop();
    wanted = "next";
  };
  for (;;) {
    pass(SPACE);
    const inside = open.at(-1);
    const end = inside === "{" ? "}" : "]";
    if (wanted === "next") {
      if (inside === undefined) return at === text.length ? null : placeOf(text, at);
      if (passSign(",")) wanted = inside === "{" ? "name" : "value";
      else if (passSign(end)) close();
      else return placeOf(text, at);
    } else if (wanted.endsWith("or end") && passSign(end)) close();
    else if (wanted.startsWith("name")) {
      if (!passString() || !passSign(":")) return placeOf(text, at);
      wanted = "value";
    } else if (passSign("{")) {
      open.push("{");
      wanted = "name or end";
    } else if (passSign("[")) {
      open.push("[");
      wanted = "value or end";
    } else if (passString() || pass(SCALAR)) wanted = "next";
    else return placeOf(text, at);
  }
}

function placeOf(text: string, at: number): TextPlace {
  let line = 1;
  let begin = 0;
  for (let place = 0; place < at; place++) {
    const sign = text[place];
    if (sign !== "\n" && (sign !== "\r" || text[place + 1] === "\n")) continue;
    line += 1;
    begin = place + 1;
  }
  return { line, column: at - begin + 1 };
}

// A JSON object with one long list, a few hundred items at a time: all of 100,000 at once take twenty times the memory of their text.
// Accepts and refuses exactly what JSON.parse does.

/** Items parsed at a time; a list of no more than these is parsed with the rest. */
const ITEMS_A_PIECE = 250;

/**
 * Parses a text as JSON.parse does, but for the list that is the member `name` of the object: its items are parsed as they are
 * iterated.
 * @throws SyntaxError when it is no JSON, also during the iteration.
 */
export function parseJsonWithLongList(text: string, name: string): unknown {
  const list = longListIn(text, name);
  if (list === null) return JSON.parse(text);
  const rest: unknown = JSON.parse(`${text.slice(0, list.from)}[]${text.slice(list.to)}`);
  return Object.assign(rest as object, { [name]: lazyItems(list.length, () => itemsOf(text, list)) });
}

/** `from`: its bracket; `to`: behind its other bracket; `cuts`: the commas and the bracket behind each piece. */
type LongList = {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly cuts: readonly number[];
};

function* itemsOf(text: string, { from, cuts }: LongList): Generator<unknown> {
  let at = from + 1;
  for (const cut of cuts) {
    const items = JSON.parse(`[${text.slice(at, cut)}]`) as unknown[];
    // What JSON.parse would say of a comma before the bracket.
    if (items.length === 0) throw new SyntaxError("a list ends in a comma");
    yield* items;
    at = cut + 1;
  }
}

/**
 * Finds the list; null when there is none, when it is short, and when it may not be the one that counts: of members of one
 * name the last does, and an escape may hide a name.
 */
function longListIn(text: string, name: string): LongList | null {
  if (text.charCodeAt(afterSpace(text, 0)) !== OPEN_BRACE) return null;
  let depth = 0;
  let found: LongList | null = null;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      const colon = afterSpace(text, end + 1);
      const isName = depth === 1 && text.charCodeAt(colon) === COLON;
      const raw = isName ? text.slice(at + 1, end) : "";
      at = end;
      if (raw.includes("\\")) return null;
      if (!isName || raw !== name) continue;
      if (found) return null;
      const from = afterSpace(text, colon + 1);
      if (text.charCodeAt(from) !== OPEN_BRACKET) return null;
      found = listAt(text, from);
      if (found === null) return null;
      at = found.to - 1;
    }
  }
  return found !== null && found.length > ITEMS_A_PIECE ? found : null;
}

/** The list whose bracket stands at `from`; null where it has no end. */
function listAt(text: string, from: number): LongList | null {
  const cuts: number[] = [];
  let depth = 0;
  let commas = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth > 0) continue;
      if (code !== CLOSE_BRACKET) return null;
      cuts.push(at);
      return { from, to: at + 1, length: commas + 1, cuts };
    } else if (code === COMMA && depth === 1) {
      commas += 1;
      if (commas % ITEMS_A_PIECE === 0) cuts.push(at);
    }
  }
  return null;
}

/** Where the string that begins at a quote ends: at its other quote, or at the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) break;
  }
  return at;
}

/** The first place from `from` on that is no white space of JSON. */
function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
