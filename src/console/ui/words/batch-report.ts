/** The words of the report of one batch, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { BATCH_REPORT_EN } from "./batch-report-en.ts";
import { BATCH_REPORT_FR } from "./batch-report-fr.ts";

export const batchReportWords = computed(() => (language.value === "fr" ? BATCH_REPORT_FR : BATCH_REPORT_EN));
