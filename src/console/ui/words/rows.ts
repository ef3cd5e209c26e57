/** The words of rows that were not sent, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { ROWS_EN } from "./rows-en.ts";
import { ROWS_FR } from "./rows-fr.ts";

export const rowWords = computed(() => (language.value === "fr" ? ROWS_FR : ROWS_EN));
