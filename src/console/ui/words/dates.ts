/** The words of dates that a file does not write alike, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { DATES_EN } from "./dates-en.ts";
import { DATES_FR } from "./dates-fr.ts";

export const dateWords = computed(() => (language.value === "fr" ? DATES_FR : DATES_EN));
