/** A test and the sentences that its tags say it keeps, each as "document id". */
export type TaggedTest = { readonly file: string; readonly name: string; readonly keeps: readonly string[] };

const TAG = /^\s*\/\/ Keeps: (\S+) (.+)$/;
const LOOKS_LIKE_A_TAG = /^\s*\/\/\s*keeps:/i;
const TEST = /^(\s*)(?:test|it)(\.each)?\(/;
const DESCRIBE = /^(\s*)describe(\.each)?\(/;
const LITERAL = /^\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/;

/** Reads the tags of one test file: a line `// Keeps: document id, id`, or several, right above a test. */
export function tagsOf(file: string, text: string): { tests: TaggedTest[]; faults: string[] } {
  const lines = text.split("\n");
  const tests: TaggedTest[] = [];
  const faults: string[] = [];
  let open: { indent: number; name: string }[] = [];
  let keeps: string[] = [];
  for (const [index, line] of lines.entries()) {
    const at = `${file}:${index + 1}`;
    if (LOOKS_LIKE_A_TAG.test(line)) {
      const [, document, ids] = TAG.exec(line) ?? [];
      if (document === undefined || ids === undefined)
        faults.push(`${at}: a tag reads "// Keeps: document id, id"`);
      else keeps.push(...ids.split(",").map((id) => `${document} ${id.trim()}`));
      continue;
    }
    const block = DESCRIBE.exec(line) ?? TEST.exec(line);
    if (block) {
      const [start, indent = "", each] = block;
      const rest = [line.slice(start.length), ...lines.slice(index + 1)].join("\n");
      const name = titleIn(each === undefined ? rest : afterTable(rest, indent));
      open = open.filter((outer) => outer.indent < indent.length);
      if (DESCRIBE.test(line)) open.push({ indent: indent.length, name });
      else if (keeps.length > 0) {
        tests.push({ file, name: [...open.map((outer) => outer.name), name].join(" › "), keeps });
        keeps = [];
      }
    }
    if (keeps.length > 0) faults.push(`${at}: the tag above stands above no test`);
    keeps = [];
  }
  if (keeps.length > 0) faults.push(`${file}: its last tag stands above no test`);
  return { tests, faults };
}

/** What follows the table of a `test.each(`: the table ends on its first line, or on one as far to the left as that. */
function afterTable(rest: string, indent: string): string {
  const end = new RegExp(`^(?:.*?|[\\s\\S]*?\\n${indent}\\S.*?)\\)\\((?=\\s*["'\`])`).exec(rest);
  return end ? rest.slice(end[0].length) : "";
}

function titleIn(rest: string): string {
  const literal = LITERAL.exec(rest)?.[1];
  return literal === undefined ? "(a title that is not a plain text)" : literal.slice(1, -1);
}
