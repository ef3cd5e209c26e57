/**
 * Parses a JSON object with one long list, a few hundred items at a time: all of 100,000 at once take twenty times the memory
 * of their text. Accepts and refuses exactly what JSON.parse does.
 */
import { lazyItems } from "../../core/lazy-list.ts";

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

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

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
