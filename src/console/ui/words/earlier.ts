/** The words of corrected rows beside the batch that they come from, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { EARLIER_EN } from "./earlier-en.ts";
import { EARLIER_FR } from "./earlier-fr.ts";

export const earlierWords = computed(() => (language.value === "fr" ? EARLIER_FR : EARLIER_EN));
