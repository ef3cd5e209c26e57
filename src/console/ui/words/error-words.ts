/** Short names of errors in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { ERRORS_EN, ERRORS_FR } from "./error-names.ts";

export const errorWords = computed(() => (language.value === "fr" ? ERRORS_FR : ERRORS_EN));
