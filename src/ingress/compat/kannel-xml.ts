/** Reads the arguments of a request in Kannel's XML, so that they are handled as those of a query. Pure. */
import { type Arguments, decodeCharset, percentDecode } from "./request.ts";

/** Arguments by the place of their element below `message/submit`; the first of a place counts. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  username: ["from/username", "from/user"],
  password: ["from/password", "from/pass"],
  account: ["from/account"],
  from: ["oa/number"],
  udh: ["udh"],
  pid: ["pid"],
  rpi: ["rpi"],
  mclass: ["dcs/mclass"],
  mwi: ["dcs/mwi"],
  coding: ["dcs/coding"],
  compress: ["dcs/compress"],
  "alt-dcs": ["dcs/alt-dcs"],
  "dlr-mask": ["statusrequest/dlr-mask"],
  "dlr-url": ["statusrequest/dlr-url"],
  validity: ["vp/delay"],
  deferred: ["timing/delay"],
  priority: ["priority"],
};

/** Reads the arguments of a document; none of one that cannot be read, which then has no valid user. */
export function readXmlArguments(octets: Uint8Array): Arguments {
  const head = Buffer.from(octets.subarray(0, 200)).toString("latin1");
  const encoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1] ?? "UTF-8";
  const texts = textsIn(decodeCharset(octets, encoding) ?? "");
  const args = new Map<string, Uint8Array>();
  const textAt = (place: string): string | undefined => texts.get(`/message/submit/${place}`)?.[0];
  for (const [name, places] of Object.entries(PLACES)) {
    const text = places.map(textAt).find((one) => one !== undefined);
    if (text !== undefined) args.set(name, Buffer.from(text));
  }
  const to = texts.get("/message/submit/da/number")?.filter((one) => one !== "") ?? [];
  if (to.length > 0) args.set("to", Buffer.from(to.join(" ")));
  const userData = textAt("ud") ?? "";
  const isEscaped = /%[0-9a-f]{2}/i.test(userData);
  const isHex = /^([0-9a-f]{2})+$/i.test(userData);
  args.set("charset", Buffer.from(isHex || isEscaped ? encoding : "UTF-8"));
  const written = Buffer.from(userData, isEscaped ? "latin1" : "utf8").toString("latin1");
  args.set("text", isHex ? Buffer.from(userData, "hex") : percentDecode(written));
  return args;
}

/** Deeper than any element of Kannel's, and a longer name than any has. */
const MAX_DEPTH = 16;
const MAX_NAME_CHARACTERS = 64;
/** No argument stands deeper: `/message/submit/from/username`. */
const MAX_PLACE_DEPTH = 4;

/** The name of an element, and what follows it before its mark's end. */
const NAME = /^(\/?)([A-Za-z_][\w.:-]*)(?:\s[^<]*)?$/;

/**
 * The trimmed texts of elements, by their paths of names; none of a text that is no document. It is read before the caller is
 * authenticated, since the password stands in it, so each character is read once.
 */
function textsIn(xml: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const open: { readonly name: string; text: string }[] = [];
  const close = (): void => {
    const isAsked = open.length <= MAX_PLACE_DEPTH;
    const place = isAsked ? `/${open.map(({ name }) => name).join("/")}` : "";
    const text = (open.pop()?.text ?? "").trim();
    if (!isAsked) return;
    const texts = found.get(place) ?? [];
    texts.push(text);
    found.set(place, texts);
  };
  const none: ReadonlyMap<string, readonly string[]> = new Map();
  for (let at = 0; at < xml.length; ) {
    const mark = xml.indexOf("<", at);
    const last = open.at(-1);
    if (mark !== at) {
      const end = mark < 0 ? xml.length : mark;
      if (last) last.text += plain(xml.slice(at, end));
      at = end;
      continue;
    }
    const passedOver = xml.startsWith("<!DOCTYPE", at) ? endOfDoctype(xml, at) : endOfOther(xml, at);
    if (passedOver !== null) {
      if (passedOver < 0) return none;
      const isRaw = xml.startsWith(RAW, at);
      if (last && isRaw) last.text += xml.slice(at + RAW.length, passedOver - "]]>".length);
      at = passedOver;
      continue;
    }
    const end = xml.indexOf(">", at);
    if (end < 0) return none;
    const inside = xml.slice(at + 1, end);
    const isWhole = inside.endsWith("/");
    const [, slash, name = ""] = NAME.exec(isWhole ? inside.slice(0, -1) : inside) ?? [];
    if (slash === undefined || name.length > MAX_NAME_CHARACTERS) return none;
    if (slash === "/" && last?.name !== name) return none;
    if (slash === "") open.push({ name, text: "" });
    if (open.length > MAX_DEPTH) return none;
    if (slash === "/" || isWhole) close();
    at = end + 1;
  }
  return open.length === 0 ? found : none;
}

const RAW = "<![CDATA[";
/** Comments, instructions and raw text, which are skipped or taken as they are: how each begins and ends. */
const APART: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  [RAW, "]]>"],
];

/** Where a comment, an instruction or raw text ends; below 0 where it does not, null where none begins. */
function endOfOther(xml: string, at: number): number | null {
  for (const [begin, end] of APART) {
    if (!xml.startsWith(begin, at)) continue;
    const found = xml.indexOf(end, at + begin.length);
    return found < 0 ? -1 : found + end.length;
  }
  return null;
}

/** Where a DOCTYPE ends, which may have declarations in brackets; below 0 where it does not. */
function endOfDoctype(xml: string, at: number): number {
  const end = xml.indexOf(">", at);
  const bracket = xml.indexOf("[", at);
  if (bracket < 0 || bracket > end) return end < 0 ? -1 : end + 1;
  const closed = xml.indexOf("]", bracket);
  if (closed < 0) return -1;
  const last = xml.indexOf(">", closed);
  return last >= 0 && xml.slice(closed + 1, last).trim() === "" ? last + 1 : -1;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Decodes the five predefined entities and numeric ones; others stay as they are written. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(String(name)) ?? written;
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : written;
  });
}
