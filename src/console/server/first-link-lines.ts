import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn } from "../../i18n/text.ts";

/**
 * What a start prints while nobody can sign in, in both languages: whose language this is nobody knows yet. The link and the command stand
 * alone in their lines, the command last.
 */
export function renderFirstLinkLines(link: string, later: string): readonly string[] {
  return [...inBoth(phrase("cli.first_link")), link, ...inBoth(phrase("cli.first_link.later")), later];
}

function inBoth(words: Phrase): readonly string[] {
  return [renderIn("fr", words), renderIn("en", words)];
}
