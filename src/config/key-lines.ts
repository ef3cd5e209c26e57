import { keyText, type Step } from "./fault.ts";

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
  /** Tables that are only named on the way to one inside them. */
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
export function* listTomlKeys(text: string): Generator<KeyPlace> {
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
