import { filesBelow, textOf } from "../tidy/source.ts";
import { DOCUMENTS, type Document } from "./documents.ts";
import type { Sentence } from "./sentence.ts";
import { type TaggedTest, tagsOf } from "./tags.ts";

/** Where the list of all sentences and their tests is kept, and the command that writes it anew. */
export const LIST = "test/scenarios/README.md";
export const COMMAND = "bun run promises";

export type Promises = { readonly faults: readonly string[]; readonly list: string };

/** Reads every test of the project. */
export function readPromises(): Promises {
  const read = filesBelow("test")
    .filter((file) => /\.(test|e2e)\.ts$/.test(file))
    .map((file) => tagsOf(file, textOf(file)));
  return weigh(
    DOCUMENTS,
    read.flatMap(({ tests }) => tests),
    read.flatMap(({ faults }) => faults),
  );
}

/** Holds the sentences against the tests that say they keep them. */
export function weigh(
  documents: readonly Document[],
  tests: readonly TaggedTest[],
  tagFaults: readonly string[],
): Promises {
  const keepers = new Map<string, TaggedTest[]>();
  const faults = [...tagFaults];
  for (const { name, sentences } of documents)
    for (const { id } of sentences) {
      if (keepers.has(`${name} ${id}`)) faults.push(`${name} ${id}: two sentences have this id`);
      keepers.set(`${name} ${id}`, []);
    }
  for (const test of tests)
    for (const sentence of test.keeps) {
      const kept = keepers.get(sentence);
      if (kept) kept.push(test);
      else faults.push(`${test.file}: "${test.name}" keeps ${sentence}, and there is no such sentence`);
    }
  const keepersOf = (document: Document, { id }: Sentence) => keepers.get(`${document.name} ${id}`) ?? [];
  for (const document of documents)
    for (const sentence of document.sentences) {
      const isKept = keepersOf(document, sentence).length > 0;
      const label = `${document.name} ${sentence.id} (${sentence.says})`;
      if (!isKept && sentence.awaits === undefined) faults.push(`${label}: no test keeps it`);
      if (isKept && sentence.awaits !== undefined)
        faults.push(`${label}: a test keeps it, so it awaits nothing`);
    }
  return { faults, list: listOf(documents, keepersOf) };
}

/** The page that a document's sentences are taken from. */
export function pageOf({ name }: Document): string {
  return `src/docs/${name}.md`;
}

function listOf(
  documents: readonly Document[],
  keepersOf: (document: Document, sentence: Sentence) => readonly TaggedTest[],
): string {
  const lines = [
    "# Promises",
    "",
    "Every sentence that two pages of `src/docs` promise, by their sections, and the tests that would fail if it stopped being",
    "true. The sentences stand in `sentences/`; a test names those it keeps in a comment right above it,",
    "`// Keeps: public-api 4.1.3, 8.2`.",
    `This page is written by \`${COMMAND}\`; a test compares it with the tests there are.`,
  ];
  for (const document of documents) {
    lines.push("", `## [${document.name}.md](../../${pageOf(document)})`);
    let section = "";
    for (const sentence of document.sentences) {
      const itsSection = sentence.id.slice(0, sentence.id.lastIndexOf("."));
      if (itsSection !== section)
        lines.push("", itsSection === "0" ? "### Before section 1" : `### Section ${itsSection}`, "");
      section = itsSection;
      lines.push(`- **${sentence.id}** ${plain(sentence.says)}`);
      if (sentence.awaits !== undefined) lines.push(`  - awaits ${sentence.awaits}`);
      for (const { file, name } of keepersOf(document, sentence))
        lines.push(`  - \`${file}\`: ${plain(name)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** A text in Markdown that is not to be taken for a tag of HTML. */
function plain(text: string): string {
  return text.replaceAll("<", "&lt;");
}
