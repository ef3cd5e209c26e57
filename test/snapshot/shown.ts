/** How what was answered is written down: what differs from run to run is named instead. */
import { hostname } from "node:os";
import type { IdNames } from "../../scripts/questions/names.ts";
import type { World } from "../../scripts/questions/world.ts";

/** Figures that the machine decides and not the product, in JSON. */
const OF_THE_MACHINE =
  /"(\w*(?:rows|bytes|_ms|_mb|pages|pid|version|commit|uptime\w*|reconnect_in_seconds|megabytes_free))":\s*-?[\d."]+(?:[\w. ()-]*")?/g;
/** The same in sentences. */
const SAID_OF_THE_MACHINE =
  /\b\d+(?= (?:s, since|files may be open|of \d+ MB are free|MB of memory are|MB are free))/g;
/** What a terminal is shown of a command that takes its time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
const PROGRESS = /\r|\u001b\[K(?:working, \d+ s)?/g;
const INSTANT = /\b20\d\d-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/g;
const EPOCH_MS = /(?<=": )17\d{11}\b/g;
const SECRET = /\b(bdr|whsec)_[\w+/=-]{16,}|(?<="password": ")[^"]+|(?<=\/console\/link#)[\w-]+/g;
/** Ids of keys, wherever they are named. */
const KEY_ID = /(?<="key_id": "|"(?:actor|subject)": "(?:key )?)[0-9A-Z]{12}(?=")/g;
const PORT = /(127\.0\.0\.1|localhost):\d{4,5}/g;

/** JSON a member a line; what is none as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

/** What a command printed in the end. */
export function withoutProgress(text: string): string {
  return text.replaceAll(PROGRESS, "");
}

/** Figures of a batch that go on: an event that it was accepted has them as they are when it is told. */
const SO_FAR = /"(submitted|sent|delivered|failed|charged_amount|released_amount)":\d+/g;

/** Each once, whatever its ids, in an order of its own: receivers are told in any order, and again. */
export function kindsOf(told: readonly string[]): string {
  const kinds = told.map((text) => {
    const named = text.replaceAll(/\b01KJPWD6M0\d{16}\b/g, "ID");
    return named.includes('"type":"BATCH_ACCEPTED"') ? named.replaceAll(SO_FAR, '"$1":"…"') : named;
  });
  return [...new Set(kinds)].sort().join("\n");
}

/** The names of metrics with what they count, in their order. */
export function metricNames(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("# "))
    .sort()
    .join("\n");
}

/** A text with the names of an installation, and of what is new each time. */
export function namedBy(world: World, names: IdNames, text: string): string {
  return names
    .shown(world.named(text))
    .replaceAll(OF_THE_MACHINE, '"$1": "…"')
    .replaceAll(INSTANT, "TIME")
    .replaceAll(EPOCH_MS, '"MILLISECONDS"')
    .replaceAll(SAID_OF_THE_MACHINE, "…")
    .replaceAll(/of \d+ MB are free/g, "of … MB are free")
    .replaceAll(/\/\S*authority\.pem/g, "/etc/bendre/authority.pem")
    .replaceAll(/"value": [1-6]\d{4},/g, '"value": "a port",')
    .replaceAll(/("name": "service",)[^}]*/g, '$1 "…": "…"')
    .replaceAll(
      new RegExp(`(?<=\\[bendre |Machine: |"host":")${RegExp.escape(hostname())}\\b`, "g"),
      "MACHINE",
    )
    .replaceAll(SECRET, "SECRET")
    .replaceAll(KEY_ID, "KEY")
    .replaceAll(PORT, "$1:PORT");
}
