/** What the server says by codes, in the reader's language and zone. */
import { capitalised, type Phrase, renderer, type Text } from "../../../i18n/phrase.ts";
import { VALUES } from "../../../i18n/values.ts";
import { language, timezone } from "../state/choices.ts";
import { PAGE_CATALOGUES } from "./page-catalogues.ts";

const render = renderer(PAGE_CATALOGUES, VALUES);

/** A phrase as it stands in a sentence. */
export function told(phrase: Phrase): Text {
  return render(phrase, { locale: language.value, timeZone: timezone.value });
}

/** A phrase as a part of other words. */
export function within(phrase: Phrase): string {
  return told(phrase) as unknown as string;
}

/** A phrase that begins other words. */
export function renderSentencePart(phrase: Phrase): string {
  return saying(phrase) as unknown as string;
}

/** A phrase that stands by itself. */
export function saying(phrase: Phrase): Text {
  return capitalised(told(phrase));
}
