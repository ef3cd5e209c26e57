/** The words of the page of reports, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { REPORTS_EN } from "./reports-en.ts";
import { REPORTS_FR } from "./reports-fr.ts";

export const reports = computed(() => (language.value === "fr" ? REPORTS_FR : REPORTS_EN));
