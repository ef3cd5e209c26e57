/** The little of XML that is read of a workbook, which programs write. Nothing here looks anything up elsewhere. */

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;

/** Text without its references, and without the `_x000D_` that a workbook writes for what XML cannot hold. */
export function plain(text: string): string {
  const referred = text.includes("&")
    ? text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
        name === undefined
          ? character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole)
          : (NAMED[name] ?? whole),
      )
    : text;
  return referred.includes("_x")
    ? referred.replaceAll(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : referred;
}

function character(code: number, otherwise: string): string {
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : otherwise;
}

/** The value of an attribute among those of a tag; null where it has none. */
export function attributeOf(attributes: string, name: string): string | null {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : plain(value);
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

/** Goes through the tags, each character looked at a fixed number of times however they are written; declarations are passed over. */
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
