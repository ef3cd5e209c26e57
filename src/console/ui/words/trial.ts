/** The words of a test text over an operator, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { TRIAL_EN } from "./trial-en.ts";
import { TRIAL_FR } from "./trial-fr.ts";

export const trial = computed(() => (language.value === "fr" ? TRIAL_FR : TRIAL_EN));
