/** Where a text stops being JSON (RFC 8259): the parser of the runtime says that it does, and not where. */

/** A place in a text as an editor counts it: both from 1, a column in UTF-16 units. */
export type TextPlace = { readonly line: number; readonly column: number };

const SPACE = /[\t\n\r ]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

const SPACE_CODE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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
  /** Goes behind what matches here; whether something does. */
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
