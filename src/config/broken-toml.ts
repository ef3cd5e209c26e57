/** Why a text is no TOML, in words for a person: what the parser says, both places of what stands twice, and never a piece of a secret. */
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { keyText, type Step } from "./fault.ts";
import { listTomlKeys } from "./key-lines.ts";

/** A line that names one of these may hold a secret, and so may what the parser quotes of it. */
const SECRET_LINE = /password|passphrase|secret|token/i;

/** Where the parser stopped: both counted from 1. */
export type TomlPlace = { readonly line: number; readonly column: number; readonly lineText: string };

/** The fault of a file at `path`, with its place where that is known, and the line itself. */
export function explainTomlError(path: string, text: string, problem: string, place: TomlPlace | null): Phrase {
  if (place === null) {
    const why = SECRET_LINE.test(text) ? withoutQuotes(problem) : causeOf(problem);
    return phrase("config.no_toml", { place: path, why });
  }
  const { line, column, lineText } = place;
  const isBelowSecret = isBelowOpenSecret(text, line);
  const isSecret = SECRET_LINE.test(lineText) || isBelowSecret;
  const twice = isBelowSecret ? null : definedTwice(problem, text, line);
  const why = twice ?? (isSecret ? withoutValue(problem) : causeOf(problem));
  const shown = isSecret ? lineText.replace(/^([\w\s".-]*=)?.*$/, "$1 (hidden)") : lineText;
  const at = `${path}:${line}:${column}`;
  return phrase("config.no_toml.quoted", { place: at, why, line: shown.trim() });
}

/** Which key stands twice, and on which lines; null where that is not the fault, or where no line begins with that key. */
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

/** Without the place of a table in its list. */
function tableText(steps: readonly Step[]): string {
  return keyText(typeof steps.at(-1) === "number" ? steps.slice(0, -1) : steps);
}

/** A table and a list of tables of one name are one thing that is defined twice; two tables of a list are not. */
function isSame(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length ? keyText(one) === keyText(other) : tableText(one) === tableText(other);
}

/**
 * What the parser says of mistakes that people make, by its words; what they quote of the text stands in place of a group. All else is
 * told as the parser says it.
 */
const CAUSES: readonly { readonly says: RegExp; readonly told: (quoted: string) => Phrase }[] = [
  { says: /^Missing value after '='$/, told: () => phrase("config.toml.no_value") },
  {
    says: /^Missing value after '='; values must be on the same line$/,
    told: () => phrase("config.toml.value_below"),
  },
  { says: /^Unterminated string$/, told: () => phrase("config.toml.open_string") },
  {
    says: /^Unterminated string; newlines must be escaped in basic strings$/,
    told: () => phrase("config.toml.open_basic_string"),
  },
  {
    says: /^Unterminated string; literal strings cannot contain newlines$/,
    told: () => phrase("config.toml.open_literal_string"),
  },
  { says: /^Invalid escape sequence$/, told: () => phrase("config.toml.escape") },
  {
    says: /^Invalid escape sequence: '(.*)'$/s,
    told: (character) => phrase("config.toml.escape.of", { character }),
  },
  { says: /^Strings must be quoted$/, told: () => phrase("config.toml.unquoted") },
  { says: /^Strings must be quoted: (.*)$/s, told: (text) => phrase("config.toml.unquoted.text", { text }) },
  {
    says: /^Expected a newline or end of file after a key\/value pair$/,
    told: () => phrase("config.toml.more_on_line"),
  },
  { says: /^Expected '=' after a key$/, told: () => phrase("config.toml.no_equals") },
  {
    says: /^Expected '=' after a key but found (.*)$/s,
    told: (quoted) => phrase("config.toml.no_equals.found", { found: foundBy(quoted) }),
  },
  { says: /^Expected a key$/, told: () => phrase("config.toml.no_key") },
  {
    says: /^Expected a key but found (.*)$/s,
    told: (quoted) => phrase("config.toml.no_key.found", { found: foundBy(quoted) }),
  },
  { says: /^Expected a value$/, told: () => phrase("config.toml.value_expected") },
  {
    says: /^Expected a value but found (.*)$/s,
    told: (quoted) => phrase("config.toml.value_expected.found", { found: foundBy(quoted) }),
  },
  { says: /^Cannot redefine key$/, told: () => phrase("config.toml.again") },
  {
    says: /^Cannot redefine key '(.*)' as a table$/s,
    told: (key) => phrase("config.toml.again.key_as_table", { key }),
  },
  { says: /^Cannot redefine key '(.*)'$/s, told: (key) => phrase("config.toml.again.key", { key }) },
  { says: /^Cannot redefine table '(.*)'$/s, told: (key) => phrase("config.toml.again.table", { key }) },
  { says: /^Leading zeros are not allowed in numbers$/, told: () => phrase("config.toml.leading_zero") },
];

/** A problem as its reader says it. */
function causeOf(problem: string): Phrase {
  for (const { says, told } of CAUSES) {
    const met = says.exec(problem);
    if (met) return told(met[1] ?? "");
  }
  const [, expected, quoted] = /^Expected (.*?) but found (.*)$/s.exec(problem) ?? [];
  if (expected === undefined || quoted === undefined) return said(problem);
  return phrase("config.toml.expected", { expected, found: foundBy(quoted) });
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

/** Whether a line, counted from 1, may go on with what a line above it began: a secret without its value, or with one that is open. */
function isBelowOpenSecret(text: string, line: number): boolean {
  const above = text.split(/\r?\n/).slice(0, line - 1);
  const begun = above.findLastIndex((each) => SECRET_LINE.test(each) && !each.trim().startsWith("#"));
  if (begun < 0) return false;
  const since = above.slice(begun).join("\n");
  return !/=\s*\S/.test(since) || (since.match(/"""|'''/g)?.length ?? 0) % 2 === 1;
}
