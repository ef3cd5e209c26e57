/** The arguments of a request as Kannel's XML has them, so that they are read as those of a query are. Pure. */
import { type Arguments, unescaped } from "./arguments.ts";
import { decoded } from "./charset.ts";

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

/** Arguments of a document; none of one that cannot be read, whose user then is nobody. */
export function xmlArguments(octets: Uint8Array): Arguments {
  const head = Buffer.from(octets.subarray(0, 200)).toString("latin1");
  const encoding = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1] ?? "UTF-8";
  const texts = textsIn(decoded(octets, encoding) ?? "");
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
  args.set("text", isHex ? Buffer.from(userData, "hex") : unescaped(written));
  return args;
}

/** Deeper than any element of Kannel's. */
const DEEPEST = 16;

const MARKS =
  /<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>|<!\[CDATA\[(?<raw>.*?)\]\]>|<(?<end>\/?)(?<name>[A-Za-z_][\w.:-]*)(?:\s[^<>]*?)?(?<whole>\/?)>|(?<text>[^<]+)/sy;

/** What stands in each element, without the blanks around it, by the names on the way to it; nothing of a text that is no document. */
function textsIn(xml: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const open: { readonly name: string; text: string }[] = [];
  const close = (): void => {
    const place = `/${open.map(({ name }) => name).join("/")}`;
    const text = (open.pop()?.text ?? "").trim();
    const texts = found.get(place) ?? [];
    texts.push(text);
    found.set(place, texts);
  };
  MARKS.lastIndex = 0;
  while (MARKS.lastIndex < xml.length) {
    const { raw, end, name, whole, text } = MARKS.exec(xml)?.groups ?? {};
    const last = open.at(-1);
    if (MARKS.lastIndex === 0) return new Map();
    if (last && (text !== undefined || raw !== undefined)) last.text += raw ?? plain(text ?? "");
    if (name === undefined) continue;
    if (end === "/" && last?.name !== name) return new Map();
    if (end !== "/") open.push({ name, text: "" });
    if (open.length > DEEPEST) return new Map();
    if (end === "/" || whole === "/") close();
  }
  return open.length === 0 ? found : new Map();
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** With the five names that every document has, and with numbers; others stay as they are written. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? written;
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : written;
  });
}
