import { pageWords } from "../../scripts/phrases/word-types.ts";
import { plural } from "../../src/console/ui/format.ts";
import { loadWords } from "../../src/i18n/words.ts";

/** The words of a page of the console in a language, as the page has them. */
export function wordsIn<Words>(locale: "en" | "fr", page: string): Words {
  const words = pageWords(locale).get(page);
  if (words === undefined) throw new Error(`no page has the words ${page}`);
  return loadWords<Words>(words, { count: (value, forms) => plural(locale, value, forms) });
}
