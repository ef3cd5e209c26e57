import { computed, type ReadonlySignal } from "@preact/signals";
import { type WordNode, wordsFrom } from "../../../i18n/words.ts";
import { language } from "../state/choices.ts";

/** The words of a page in the reader's language, from its two catalogues. */
export function wordsOf<Words>(en: WordNode, fr: WordNode): ReadonlySignal<Words> {
  return computed(() => wordsFrom<Words>(language.value === "fr" ? fr : en));
}
