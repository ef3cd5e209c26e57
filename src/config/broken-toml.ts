/** Why a text is no TOML, in words for a person: what the parser says, both places of what stands twice, and never a piece of a secret. */
import { keyText, type Step } from "./fault.ts";
import { keysOf } from "./key-lines.ts";

/** A line that names one of these may hold a secret, and so may what the parser quotes of it. */
const SECRET_LINE = /password|passphrase|secret|token/i;

/** Where the parser stopped: both counted from 1. */
export type TomlPlace = { readonly line: number; readonly column: number; readonly lineText: string };

/** The fault of a file at `path`, with its place where that is known, and the line itself. */
export function brokenToml(path: string, text: string, problem: string, place: TomlPlace | null): string {
  if (place === null) {
    const safe = SECRET_LINE.test(text) ? problem.replace(/["'`].*$/s, "(hidden)") : problem;
    return `${path}: not valid TOML: ${safe}`;
  }
  const { line, column, lineText } = place;
  const isBelowSecret = isBelowOpenSecret(text, line);
  const isSecret = SECRET_LINE.test(lineText) || isBelowSecret;
  const twice = isBelowSecret ? null : definedTwice(problem, text, line);
  const what = twice ?? (isSecret ? withoutValue(problem) : problem);
  const shown = isSecret ? lineText.replace(/^([\w\s".-]*=)?.*$/, "$1 (hidden)") : lineText;
  return `${path}:${line}:${column}: not valid TOML: ${what}\n    ${shown.trim()}`;
}

/** Which key stands twice, and on which lines; null where that is not the fault, or where no line begins with that key. */
function definedTwice(problem: string, text: string, line: number): string | null {
  const said = /^Cannot redefine (?:key|table|array of tables|inline table) '(.*)'/.exec(problem);
  if (said === null) return null;
  const keys = [...keysOf(text)];
  const again = keys.findLast(({ steps, line: at }) => at === line && nameOf(steps) === said[1]);
  if (again === undefined) return null;
  const key = tableText(again.steps);
  const first = keys.find(({ steps, line: at }) => at < line && isSame(steps, again.steps));
  return first === undefined ? null : `${key} is defined twice, on line ${first.line} and on line ${line}`;
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

function withoutValue(problem: string): string {
  return WITHOUT_VALUE.find((cause) => problem.startsWith(cause)) ?? "its value cannot be read";
}

/** Whether a line, counted from 1, may go on with what a line above it began: a secret without its value, or with one that is open. */
function isBelowOpenSecret(text: string, line: number): boolean {
  const above = text.split(/\r?\n/).slice(0, line - 1);
  const begun = above.findLastIndex((each) => SECRET_LINE.test(each) && !each.trim().startsWith("#"));
  if (begun < 0) return false;
  const since = above.slice(begun).join("\n");
  return !/=\s*\S/.test(since) || (since.match(/"""|'''/g)?.length ?? 0) % 2 === 1;
}
