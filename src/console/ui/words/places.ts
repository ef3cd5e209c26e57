/** Names of pages that are loaded when somebody goes there, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { PLACES_EN } from "./places-en.ts";
import { PLACES_FR } from "./places-fr.ts";

export const places = computed(() => (language.value === "fr" ? PLACES_FR : PLACES_EN));
