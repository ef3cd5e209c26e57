import { computed, type ReadonlySignal } from "@preact/signals";
import { type WordNode, loadWords } from "../../../i18n/words.ts";
import { language } from "../state/choices.ts";

/** The words of a page in the reader's language, from its two catalogues. */
export function localizeWords<Words>(en: WordNode, fr: WordNode): ReadonlySignal<Words> {
  return computed(() => loadWords<Words>(language.value === "fr" ? fr : en));
}
