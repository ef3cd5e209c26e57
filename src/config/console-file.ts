/**
 * `console.toml` in the data directory: the part of the configuration that the console writes (docs/administration.md#what-the-console-writes).
 * It may hold the keys below and no others; its passwords are sealed with a key file beside it. The file by hand is the master: an
 * operator stands whole in one of the two, and a key that both have counts as the file by hand has it. Pure, but for what is handed in.
 */
import { getOwn, isTable, toRecord } from "../core/own-value.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { listLeaves } from "./changes.ts";
import { type Fault, found, keyText, type Step } from "./faults.ts";
import { shapeAt, type UnsetPolicy } from "./parse-config.ts";
import { findLine, type KeyLines } from "./toml.ts";

export const CONSOLE_FILE = "console.toml";
/** What its passwords are sealed with. */
export const CONSOLE_KEY_FILE = "console-passwords.key";

/** What a TOML text says. */
export type ConsoleDocument = Readonly<Record<string, unknown>>;

/** Keys that the console writes, besides the tables of operators. */
export const CONSOLE_KEYS = [
  "server.public_url",
  "seller.name",
  "seller.address",
  "seller.tax_numbers",
  "alerts.email",
  "alerts.sms",
  "alerts.smtp.host",
  "alerts.smtp.port",
  "alerts.smtp.tls",
  "alerts.smtp.user",
  "alerts.smtp.password",
  "alerts.smtp.from",
] as const;
export type ConsoleKey = (typeof CONSOLE_KEYS)[number];

const KNOWN: ReadonlySet<string> = new Set(CONSOLE_KEYS);

/** What stands in a document that the console does not write: a file of another program, or one that was edited. */
export function foreignFaults(document: ConsoleDocument): Fault[] {
  const expected = phrase("config.expects.console_key");
  return listLeaves(document).flatMap(({ steps, value }): Fault[] => {
    const key = keyText(steps);
    const isEmptyTable = isTable(value) && Object.keys(value).length === 0;
    const isKnown = (steps[0] === "operators" && steps.length > 1) || KNOWN.has(key) || isEmptyTable;
    return isKnown ? [] : [{ key, found: phrase("config.found.foreign_key"), expected }];
  });
}

// Passwords: sealed in the file, and plain only in a change that is not written yet.

const SEALED = "sealed:";
const PLAIN = "plain:";

/** A password that was typed, in a document that is not written yet. */
export function plainSecret(text: string): string {
  return PLAIN + text;
}

/** For what a password is sealed: it opens nowhere else. */
function sealLabel(steps: readonly Step[]): string {
  return `console ${steps.slice(0, 2).join(".")}`;
}

/** A document with its typed passwords sealed, as it may be written. */
export function sealSecrets(
  document: ConsoleDocument,
  close: (plain: Uint8Array, label: string) => Uint8Array,
): ConsoleDocument {
  return mapSecrets(document, (value, steps) =>
    typeof value === "string" && value.startsWith(PLAIN)
      ? SEALED +
        Buffer.from(close(Buffer.from(value.slice(PLAIN.length)), sealLabel(steps))).toString("base64")
      : value,
  );
}

/** Opens what was sealed under a label; null where the key is another one or is gone. */
export type OpenSecret = (sealed: Uint8Array, label: string) => Uint8Array | null;

type Opened = {
  readonly document: ConsoleDocument;
  readonly faults: readonly Fault[];
  /** Where passwords stand that do not open, and that is no fault. */
  readonly unopened: readonly string[];
};

/**
 * A document with its passwords readable, and a fault for each that is not. `isWritten`: it stands in the file, where a typed password has
 * no place.
 */
export function openSecrets(
  document: ConsoleDocument,
  open: OpenSecret,
  unsetMeans: UnsetPolicy,
  isWritten: boolean,
): Opened {
  const faults: Fault[] = [];
  const unopened: string[] = [];
  const opened = mapSecrets(document, (value, steps) => {
    const key = keyText(steps);
    if (typeof value !== "string") return value;
    if (!isWritten && value.startsWith(PLAIN)) return value.slice(PLAIN.length);
    if (!value.startsWith(SEALED)) {
      const expected = phrase("config.expects.sealed");
      faults.push({ key, found: found(value, { type: "string", secret: true }), expected });
      return value;
    }
    const plain = open(Buffer.from(value.slice(SEALED.length), "base64"), sealLabel(steps));
    if (plain !== null) return Buffer.from(plain).toString();
    if (unsetMeans !== "a fault") {
      unopened.push(key);
      return "unset";
    }
    const expected = phrase("config.expects.its_key", { file: CONSOLE_KEY_FILE });
    faults.push({ key, found: phrase("config.found.unreadable_secret"), expected });
    return value;
  });
  return { document: opened, faults, unopened };
}

/** How many passwords of a document do not open. */
export function countUnreadable(document: ConsoleDocument, open: OpenSecret): number {
  return openSecrets(document, open, "a fault", true).faults.length;
}

/** Whether passwords stand in a document as they were typed. */
export function hasPlainSecrets(document: ConsoleDocument): boolean {
  let isFound = false;
  mapSecrets(document, (value) => {
    isFound ||= typeof value === "string" && value.startsWith(PLAIN);
    return value;
  });
  return isFound;
}

/** Whether two documents say the same, whether a password is sealed or typed. */
export function isSame(one: ConsoleDocument, other: ConsoleDocument, open: OpenSecret): boolean {
  const [left, right] = [one, other].map((each) => openSecrets(each, open, "a fault", false).document);
  return Bun.deepEquals(left, right, true);
}

function mapSecrets(
  document: ConsoleDocument,
  change: (value: unknown, steps: readonly Step[]) => unknown,
): ConsoleDocument {
  const walk = (value: unknown, steps: readonly Step[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...steps, index]));
    if (!isTable(value)) return shapeAt(steps).secret ? change(value, steps) : value;
    return toRecord(Object.entries(value).map(([name, inner]) => [name, walk(inner, [...steps, name])]));
  };
  return toRecord(Object.entries(document).map(([name, inner]) => [name, walk(inner, [name])]));
}

// Beside the file by hand.

/** A key that both files have: that of the file by hand counts. */
export type Shadowed = {
  readonly key: string;
  /** Where it stands in either file, from 1; null where that cannot be told. */
  readonly line: number | null;
  readonly consoleLine: number | null;
};

type Beside = {
  /** What counts of the console's document. */
  readonly counts: ConsoleDocument;
  readonly shadowed: readonly string[];
};

/** What of the console's document counts beside the one by hand. */
export function besideHand(byHand: unknown, ofConsole: ConsoleDocument): Beside {
  const shadowed: string[] = [];
  const { operators, ...rest } = ofConsole;
  const own = isTable(byHand) ? byHand : {};
  const byHandOperators = isTable(own.operators) ? own.operators : {};
  const counting = Object.entries(isTable(operators) ? operators : {}).filter(([code]) => {
    if (!Object.hasOwn(byHandOperators, code)) return true;
    shadowed.push(keyText(["operators", code]));
    return false;
  });
  let counts: ConsoleDocument = counting.length === 0 ? {} : { operators: toRecord(counting) };
  for (const { steps, value } of listLeaves(rest)) {
    if (isTable(value)) continue;
    if (valueAt(own, steps) === undefined) counts = withValue(counts, steps, value);
    else shadowed.push(keyText(steps));
  }
  return { counts, shadowed };
}

/** The two as one document; they have no key in common. */
export function mergeDocuments(byHand: unknown, counts: ConsoleDocument): unknown {
  if (!isTable(byHand) || Object.keys(counts).length === 0) return byHand;
  const { operators, ...rest } = counts;
  let whole: ConsoleDocument = byHand;
  for (const { steps, value } of listLeaves(rest)) whole = withValue(whole, steps, value);
  if (!isTable(operators)) return whole;
  const { operators: known = {} } = whole;
  // Something else than a table is a fault that is told of the file by hand.
  if (!isTable(known)) return whole;
  return { ...whole, operators: toRecord([...Object.entries(known), ...Object.entries(operators)]) };
}

/** The places of keys that both files have. */
export function placeShadowed(
  keys: readonly string[],
  byHand: KeyLines,
  ofConsole: KeyLines,
): readonly Shadowed[] {
  return keys.map((key) => ({ key, line: findLine(byHand, key), consoleLine: findLine(ofConsole, key) }));
}

/** Whether a key is one of those, or stands below one of them. */
export function isOf(counts: ConsoleDocument, key: string): boolean {
  const { operators, ...rest } = counts;
  const roots = [
    ...Object.keys(isTable(operators) ? operators : {}).map((code) => keyText(["operators", code])),
    ...listLeaves(rest).map(({ steps }) => keyText(steps)),
  ];
  return roots.some((root) => key === root || key.startsWith(`${root}.`) || key.startsWith(`${root}[`));
}

/** What stands in a document at a path; undefined where nothing does. */
export function valueAt(document: ConsoleDocument, steps: readonly Step[]): unknown {
  let value: unknown = document;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isTable(value) ? getOwn(value, String(step)) : undefined;
  }
  return value;
}

/** The document with a value at a path of tables; undefined takes it out, and tables that are empty then. */
export function withValue(
  document: ConsoleDocument,
  steps: readonly Step[],
  value: unknown,
): ConsoleDocument {
  const [step, ...below] = steps;
  if (step === undefined) return document;
  const name = String(step);
  const { [name]: present, ...others } = document;
  if (below.length === 0) return value === undefined ? others : { ...document, [name]: value };
  const inner = withValue(isTable(present) ? present : {}, below, value);
  return Object.keys(inner).length === 0 ? others : { ...document, [name]: inner };
}

// The text of the file: tables of a few kinds of values (TOML 1.0).

const HEAD = `# Written by the console of Bendre, which changes it: "Settings". What stands in the configuration by hand counts before this.
`;

/** A document as a TOML text. */
export function renderConsoleFile(document: ConsoleDocument): string {
  return [HEAD, ...tables([], document)].join("\n");
}

function tables(path: readonly string[], table: ConsoleDocument): string[] {
  const entries = Object.entries(table);
  const isBelow = (value: unknown) => isTable(value) || isTableList(value);
  const own = entries.filter(([, value]) => !isBelow(value));
  const head = path.length > 0 && own.length > 0 ? [lines(`[${path.map(bare).join(".")}]`, own)] : [];
  return [
    ...head,
    ...entries.flatMap(([name, value]) => {
      const below = [...path, name];
      if (isTable(value)) return tables(below, value);
      if (!isTableList(value)) return [];
      return value.map((one) => lines(`[[${below.map(bare).join(".")}]]`, flat(one)));
    }),
  ];
}

function lines(head: string, entries: readonly (readonly [string, unknown])[]): string {
  return `${[head, ...entries.map(([name, value]) => `${name} = ${valueText(value)}`)].join("\n")}\n`;
}

/** The keys of a table with those of tables in it, dotted. */
function flat(table: ConsoleDocument, before = ""): (readonly [string, unknown])[] {
  return Object.entries(table).flatMap(([name, value]) =>
    isTable(value) ? flat(value, `${before}${bare(name)}.`) : [[before + bare(name), value] as const],
  );
}

function isTableList(value: unknown): value is readonly ConsoleDocument[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTable);
}

/** Strings of JSON are basic strings of TOML, but for DEL, which TOML wants escaped. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value).replaceAll("\u007f", "\\u007f") : String(value);
}

function bare(name: string): string {
  return keyText([name]);
}

/** A phrase of each key that both files have. */
export function shadowedPhrase(
  file: string,
  consoleFile: string,
  { key, line, consoleLine }: Shadowed,
): Phrase {
  const at = (path: string, of: number | null) => (of === null ? path : `${path}:${of}`);
  return phrase("config.warning.shadowed", {
    key,
    place: at(file, line),
    other: at(consoleFile, consoleLine),
  });
}
