/** The words of the pages about access, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { ACCESS_EN } from "./access-en.ts";
import { ACCESS_FR } from "./access-fr.ts";

export const access = computed(() => (language.value === "fr" ? ACCESS_FR : ACCESS_EN));
