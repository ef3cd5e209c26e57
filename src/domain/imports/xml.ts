/**
 * The little of XML that is read of a workbook, which programs write. Nothing here looks anything up elsewhere. Whatever a file holds,
 * each character is looked at a fixed number of times.
 */

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
const LAST_CODE_POINT = 0x10ffff;
const REFERENCE = /&(?:#x([\da-f]{1,8})|#(\d{1,8})|([a-z]{2,4}));/gi;

/** Text without its references, and without the `_x000D_` that a workbook writes for what XML cannot hold. */
export function plain(text: string): string {
  const referred = text.includes("&")
    ? text.replaceAll(REFERENCE, (whole, hex?: string, decimal?: string, name = "") => {
        if (hex !== undefined) return character(Number.parseInt(hex, 16), whole);
        if (decimal !== undefined) return character(Number.parseInt(decimal, 10), whole);
        return NAMED.get(name) ?? whole;
      })
    : text;
  return referred.includes("_x")
    ? referred.replaceAll(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : referred;
}

function character(code: number, otherwise: string): string {
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : otherwise;
}

/**
 * Characters of a tag's attributes that are looked at, and of the value of one. Programs write some hundred; a format has 255 at most
 * (Excel specifications and limits).
 */
const MAX_ATTRIBUTES = 8192;
const MAX_VALUE = 2048;
const ATTRIBUTE = /\s*([\w.:-]{1,128})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** The value of an attribute among those of a tag; null where it has none, or a longer one than programs write. */
export function attributeOf(attributes: string, name: string): string | null {
  const looked = attributes.slice(0, MAX_ATTRIBUTES);
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(looked); found !== null; found = ATTRIBUTE.exec(looked)) {
    const [, key, quoted, single] = found;
    if (key !== name) continue;
    const value = quoted ?? single ?? "";
    return value.length > MAX_VALUE ? null : plain(value);
  }
  return null;
}

/** What stands between the signs of a tag: `/` where it ends something, a prefix, its name, the rest. */
const INSIDE = /^(\/?)(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?![\w.:-])(.*)$/s;

export type Tag = {
  readonly isEnd: boolean;
  /** Begins and ends at once. */
  readonly isEmpty: boolean;
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: string;
  readonly text: string;
};

/** Goes through the tags; declarations are passed over. */
export function* tagsOf(xml: string): Generator<Tag> {
  for (let at = xml.indexOf("<"); at !== -1; ) {
    const end = xml.indexOf(">", at);
    if (end === -1) return;
    const next = xml.indexOf("<", end);
    // One that is never closed before the next begins is no tag.
    const begin = xml.lastIndexOf("<", end);
    const found = INSIDE.exec(xml.slice(begin + 1, end));
    if (found !== null) {
      const [, slash, name = "", attributes = ""] = found;
      const text = xml.slice(end + 1, next === -1 ? undefined : next);
      yield { isEnd: slash === "/", isEmpty: attributes.endsWith("/"), name, attributes, text };
    }
    at = next;
  }
}

/** What stands in each `element` of a text, read together from its runs; how it is pronounced is passed over. */
export function texts(xml: string, element: string): string[] {
  const found: string[] = [];
  let text = "";
  let isSound = false;
  for (const tag of tagsOf(xml)) {
    if (tag.name === "rPh") isSound = !tag.isEnd && !tag.isEmpty;
    else if (tag.name === "t" && !tag.isEnd && !isSound) text += tag.text;
    else if (tag.name === element && (tag.isEnd || tag.isEmpty)) {
      found.push(plain(text));
      text = "";
    }
  }
  return found;
}
