/** The programs that stand on the pages of the guide, and whether what runs them is on this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type GuideLanguage, LANGUAGES } from "../../src/docs/site/language.ts";
import { IS_NIGHT } from "./night.ts";

const GUIDE = join(import.meta.dirname, "../../src/docs/guide");

/** What readers of the pages in JavaScript run; where there is none, what runs this test. */
export const NODE = Bun.which("node") ?? process.execPath;

/** How a block of a language is run: the file it stands in, and the words that run it. */
export const RUNNERS: Readonly<
  Record<string, { file: string; words: (file: string) => string[]; needs: string[] }>
> = {
  sh: { file: "send.sh", words: (file) => ["sh", file], needs: ["sh", "curl"] },
  python: { file: "send.py", words: (file) => ["python3", file], needs: ["python3"] },
  js: { file: "send.mjs", words: (file) => [NODE, file], needs: [] },
  php: { file: "send.php", words: (file) => ["php", file], needs: ["php"] },
  java: { file: "Send.java", words: (file) => ["java", file], needs: ["java"] },
  go: { file: "send.go", words: (file) => ["go", "run", file], needs: ["go"] },
};

/** The blocks of a page in one programming language, as they stand; the page in one of the readers'. */
export function blocksOf(page: string, language: string, readers: GuideLanguage = "en"): string[] {
  const text = readFileSync(join(GUIDE, readers, `${page}.md`), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  return blocks.map(([, code = ""]) => code);
}

/** The first tool that a language needs and this machine lacks; null where it has all. */
export const missing = (language: string) =>
  RUNNERS[language]?.needs.find((tool) => Bun.which(tool) === null) ?? null;

/** Whether the programs of a programming language are run as the readers' pages of a language have them: by the check each once, at night all. */
export function isRun(language: string, readers: GuideLanguage): boolean {
  const checked = LANGUAGES[Object.keys(RUNNERS).indexOf(language) % LANGUAGES.length];
  return IS_NIGHT || checked === readers;
}
