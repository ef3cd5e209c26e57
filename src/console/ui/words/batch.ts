/** The words of one batch's page and one message's, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { BATCH_EN } from "./batch-en.ts";
import { BATCH_FR } from "./batch-fr.ts";

export const batchWords = computed(() => (language.value === "fr" ? BATCH_FR : BATCH_EN));
