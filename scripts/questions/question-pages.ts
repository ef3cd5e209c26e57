import type { Language } from "../../src/cli/language-flag.ts";

/** The pages of questions, from the project's directory. */
export const QUESTION_PAGES: readonly { readonly file: string; readonly language: Language }[] = [
  { file: "src/docs/questions.md", language: "en" },
  { file: "src/docs/questions.fr.md", language: "fr" },
];
