/** Decodes TOML with the line of each key and of a syntax error. The words of an error never quote what may be a secret. */
import { type Code, type Phrase, phrase, said } from "../i18n/phrase.ts";
import { keyText, type Step } from "./faults.ts";
import { lineMistake } from "./toml-mistakes.ts";

type Toml =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly problem: string };

/** Decodes a TOML text. The problem of a broken one names no place: `tomlPosition` finds it. */
export function parseToml(text: string): Toml {
  try {
    return { ok: true, document: Bun.TOML.parse(text) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: problem.replace(/^TOML Parse error: /, "") };
  }
}

/**
 * Finds where the broken TOML file at an absolute `path` breaks. The runtime's parser knows the place only when
 * it loads a file itself. Null when the place cannot be told, or when the file no longer holds `text`.
 */
export async function tomlPosition(path: string, text: string): Promise<TomlPlace | null> {
  try {
    await import(path, { with: { type: "toml" } });
    return null;
  } catch (error) {
    if (!(error instanceof BuildMessage) || error.position === null) return null;
    const { line, column } = error.position;
    const lineText = text.split(/\r?\n/)[line - 1];
    return lineText?.trim() === error.position.lineText.trim() ? { line, column, lineText } : null;
  }
}

// Why a text is no TOML, in words for a person: what the parser says, both places of what is defined twice, and never a piece of a
// secret.

/** A line that names one of these may hold a secret, and so may what the parser quotes of it. */
const SECRET_LINE = /password|passphrase|secret|token/i;

/** Where the parser stopped: both counted from 1. */
type TomlPlace = { readonly line: number; readonly column: number; readonly lineText: string };

/** The fault of a file at `path`, with its place where that is known, and the line itself. */
export function explainTomlError(
  path: string,
  text: string,
  problem: string,
  place: TomlPlace | null,
): Phrase {
  if (place === null) {
    const why = SECRET_LINE.test(text) ? withoutQuotes(problem) : causeOf(problem);
    return phrase("config.no_toml", { place: path, why });
  }
  const { line, column, lineText } = place;
  const isBelowSecret = isBelowOpenSecret(text, line);
  const isSecret = SECRET_LINE.test(lineText) || isBelowSecret;
  const twice = isBelowSecret ? null : definedTwice(problem, text, line);
  const mistake = isBelowSecret ? null : lineMistake(lineText, isSecret);
  const why = twice ?? mistake ?? (isSecret ? withoutValue(problem) : causeOf(problem));
  const shown = isSecret ? lineText.replace(/^([\w\s".-]*=)?.*$/, "$1 (hidden)") : lineText;
  const at = `${path}:${line}:${column}`;
  return phrase("config.no_toml.quoted", { place: at, why, line: shown.trim() });
}

/** Which key is defined twice, and on which lines; null where that is not the fault, or where no line begins with that key. */
function definedTwice(problem: string, text: string, line: number): Phrase | null {
  const redefined = /^Cannot redefine (?:key|table|array of tables|inline table) '(.*)'/.exec(problem);
  if (redefined === null) return null;
  const keys = [...listTomlKeys(text)];
  const again = keys.findLast(({ steps, line: at }) => at === line && nameOf(steps) === redefined[1]);
  if (again === undefined) return null;
  const key = tableText(again.steps);
  const first = keys.find(({ steps, line: at }) => at < line && isSame(steps, again.steps));
  if (first === undefined) return null;
  return phrase("config.toml.defined_twice", { key, first: first.line, again: line });
}

function nameOf(steps: readonly Step[]): Step | undefined {
  return steps.findLast((step) => typeof step === "string");
}

/** The path of a table without its place in a list. */
function tableText(steps: readonly Step[]): string {
  return keyText(typeof steps.at(-1) === "number" ? steps.slice(0, -1) : steps);
}

/** Whether two tables are one thing that is defined twice: a table and a list of tables of one name are; two tables of a list are not. */
function isSame(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length ? keyText(one) === keyText(other) : tableText(one) === tableText(other);
}

/**
 * What the parser says of mistakes that people make, by its words, and what is told; a group is what it quotes of the text. All else is
 * reported as the parser says it.
 */
const CAUSES: readonly (readonly [says: RegExp, told: Code])[] = [
  [/^Missing value after '='$/, "config.toml.no_value"],
  [/^Missing value after '='; values must be on the same line$/, "config.toml.value_below"],
  [/^Unterminated string$/, "config.toml.open_string"],
  [/^Unterminated string; newlines must be escaped in basic strings$/, "config.toml.open_basic_string"],
  [/^Unterminated string; literal strings cannot contain newlines$/, "config.toml.open_literal_string"],
  [/^Invalid escape sequence$/, "config.toml.escape"],
  [/^Invalid escape sequence: '(?<character>.*)'$/s, "config.toml.escape.of"],
  [/^Strings must be quoted$/, "config.toml.unquoted"],
  [/^Strings must be quoted: (?<text>.*)$/s, "config.toml.unquoted.text"],
  [/^Expected a newline or end of file after a key\/value pair$/, "config.toml.more_on_line"],
  [/^Expected '=' after a key$/, "config.toml.no_equals"],
  [/^Expected '=' after a key but found (?<found>.*)$/s, "config.toml.no_equals.found"],
  [/^Expected a key$/, "config.toml.no_key"],
  [/^Expected a key but found (?<found>.*)$/s, "config.toml.no_key.found"],
  [/^Expected a value$/, "config.toml.value_expected"],
  [/^Expected a value but found (?<found>.*)$/s, "config.toml.value_expected.found"],
  [/^Cannot redefine key$/, "config.toml.again"],
  [/^Cannot redefine key '(?<key>.*)' as a table$/s, "config.toml.again.key_as_table"],
  [/^Cannot redefine key '(?<key>.*)'$/s, "config.toml.again.key"],
  [/^Cannot redefine table '(?<key>.*)'$/s, "config.toml.again.table"],
  [/^Leading zeros are not allowed in numbers$/, "config.toml.leading_zero"],
  [/^Expected (?<expected>.*?) but found (?<found>.*)$/s, "config.toml.expected"],
];

/** The cause of a problem, as its reader reports it. */
function causeOf(problem: string): Phrase {
  for (const [says, code] of CAUSES) {
    const met = says.exec(problem);
    if (met === null) continue;
    const { found, ...quoted } = met.groups ?? {};
    return { code, params: found === undefined ? quoted : { ...quoted, found: foundBy(found) } };
  }
  return said(problem);
}

/** What the parser found: a piece of the text, or its end. */
function foundBy(quoted: string): Phrase {
  return quoted === "end of file" ? phrase("config.toml.end_of_file") : said(quoted);
}

/** A problem without anything that it quotes. */
function withoutQuotes(problem: string): Phrase {
  const safe = problem.replace(/["'`].*$/s, "(hidden)");
  return safe === problem ? causeOf(problem) : said(safe);
}

/** Causes that quote nothing of the text, by what the parser's words begin with. */
const WITHOUT_VALUE = [
  ...["Unterminated string", "Missing value after '='", "Leading zeros are not allowed in numbers"],
  ...["Invalid escape sequence", "Strings must be quoted", "Invalid UTF-8 byte sequence"],
  ...["Expected a newline or end of file after a key/value pair", "Expected '=' after a key"],
  ...[
    "Expected a key",
    "Expected a value",
    "Cannot redefine key",
    "Control character must be escaped in a string",
  ],
];

function withoutValue(problem: string): Phrase {
  const cause = WITHOUT_VALUE.find((begin) => problem.startsWith(begin));
  return cause === undefined ? phrase("config.toml.hidden_value") : causeOf(cause);
}

/** Whether the last of these lines of a text may hold a secret. */
export function isSecretLine(lines: readonly string[]): boolean {
  return SECRET_LINE.test(lines.at(-1) ?? "") || isBelowOpenSecret(lines.join("\n"), lines.length);
}

/** Whether a line, counted from 1, may go on with what a line above it began: a secret without its value, or with one that is open. */
function isBelowOpenSecret(text: string, line: number): boolean {
  const above = text.split(/\r?\n/).slice(0, line - 1);
  const begun = above.findLastIndex((each) => SECRET_LINE.test(each) && !each.trim().startsWith("#"));
  if (begun < 0) return false;
  const since = above.slice(begun).join("\n");
  return !/=\s*\S/.test(since) || (since.match(/"""|'''/g)?.length ?? 0) % 2 === 1;
}

/** Where keys and tables of a valid TOML text stand: the line, from 1, by the key's full path. */
export type KeyLines = ReadonlyMap<string, number>;

/** A key, or the header of a table, where it stands; of a dotted key every step of it. */
type KeyPlace = { readonly steps: readonly Step[]; readonly line: number; readonly isTable: boolean };

/**
 * Finds the lines of keys and table headers. Keys inside an inline table or a list that spans lines are not looked for: their
 * table's line is theirs.
 */
export function keyLines(text: string): KeyLines {
  const lines = new Map<string, number>();
  /** Tables that are only named in the path of one inside them. */
  const onTheWay = new Map<string, number>();
  for (const { steps, line, isTable } of listTomlKeys(text)) {
    const key = keyText(steps);
    if (!lines.has(key)) lines.set(key, line);
    for (let length = 1; isTable && length < steps.length; length++) {
      const above = keyText(steps.slice(0, length));
      if (!onTheWay.has(above)) onTheWay.set(above, line);
    }
  }
  return new Map([...onTheWay, ...lines]);
}

/** Every key and table header in the order of the text, those that stand twice too. */
function* listTomlKeys(text: string): Generator<KeyPlace> {
  const lists = new Map<string, number>();
  let table: readonly Step[] = [];
  let open: Open = { quote: null, depth: 0 };
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim();
    if (open.quote !== null || open.depth > 0) {
      open = after(line, open);
      continue;
    }
    const header = line.includes("=") ? null : headerOf(line);
    if (header !== null) {
      table = tableSteps(segmentsOf(header.path).segments, header.isList, lists);
      yield { steps: table, line: index + 1, isTable: true };
      continue;
    }
    const { segments, rest } = segmentsOf(line);
    if (segments.length === 0 || !rest.startsWith("=")) continue;
    for (let length = 1; length <= segments.length; length++) {
      yield { steps: [...table, ...segments.slice(0, length)], line: index + 1, isTable: false };
    }
    open = after(rest, { quote: null, depth: 0 });
  }
}

type Header = { readonly path: string; readonly isList: boolean };

/** What the line of a table's header says, `[a.b]` or `[[a.b]]` with or without a comment behind it; null for another line. */
function headerOf(line: string): Header | null {
  if (!line.startsWith("[")) return null;
  const isList = line.startsWith("[[");
  const begin = isList ? 2 : 1;
  for (let end = line.indexOf("]", begin); end >= 0; end = line.indexOf("]", end + 1)) {
    const path = line.slice(begin, end).trim();
    const behind = line.slice(line[end + 1] === "]" ? end + 2 : end + 1);
    if (path !== "" && /^\s*(?:#|$)/.test(behind)) return { path, isList };
  }
  return null;
}

/** The last step of a key's path: `.name`, `."odd name"` or `[3]`. */
const LAST_STEP = /(^|\.)("(\\.|[^"\\])*"|[^."[\]]+)$|\[\d+\]$/;

/** The line of a key, or of the innermost table above it that has one; null for none. */
export function findLine(lines: KeyLines, key: string): number | null {
  let path = key;
  for (;;) {
    const line = lines.get(path);
    if (line !== undefined) return line;
    const above = path.replace(LAST_STEP, "");
    if (above === path) return null;
    path = above;
  }
}

/** The path of a table header: each list on the way stands for its last table, and `[[…]]` begins another one. */
function tableSteps(segments: readonly string[], isList: boolean, lists: Map<string, number>): Step[] {
  const steps: Step[] = [];
  for (const [at, segment] of segments.entries()) {
    steps.push(segment);
    const key = keyText(steps);
    if (isList && at === segments.length - 1) lists.set(key, (lists.get(key) ?? -1) + 1);
    const last = lists.get(key);
    if (last !== undefined) steps.push(last);
  }
  return steps;
}

/** The dotted key that a text begins with, and what follows it. */
function segmentsOf(text: string): { readonly segments: string[]; readonly rest: string } {
  const segments: string[] = [];
  let rest = text;
  for (;;) {
    const match = /^\s*(?:([A-Za-z0-9_-]+)|"((?:\\.|[^"\\])*)"|'([^']*)')\s*/.exec(rest);
    if (!match) return { segments, rest };
    segments.push(match[1] ?? match[2] ?? match[3] ?? "");
    rest = rest.slice(match[0].length);
    if (!rest.startsWith(".")) return { segments, rest };
    rest = rest.slice(1);
  }
}

/** What is open at the end of a line: a text of several lines, lists and inline tables. */
type Open = { readonly quote: string | null; readonly depth: number };

/** A text that is not closed goes to the end of its line: else each of its quotes would begin another one. */
const TOKEN = /"""|'''|"(?:\\.?|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[[\]{}#]/g;

function after(line: string, before: Open): Open {
  let { quote, depth } = before;
  let rest = line;
  if (quote !== null) {
    const end = rest.indexOf(quote);
    if (end < 0) return before;
    rest = rest.slice(end + quote.length);
    quote = null;
  }
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(rest); token; token = TOKEN.exec(rest)) {
    const [text] = token;
    if (text === "#") break;
    if (text === "[" || text === "{") depth += 1;
    if (text === "]" || text === "}") depth -= 1;
    if (text !== '"""' && text !== "'''") continue;
    const end = rest.indexOf(text, TOKEN.lastIndex);
    if (end < 0) return { quote: text, depth };
    TOKEN.lastIndex = end + text.length;
  }
  return { quote, depth };
}
