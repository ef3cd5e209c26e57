/** The words of the report of one batch, in the reader's language. */
import en from "../../../i18n/en/console/batch-report.json" with { type: "json" };
import fr from "../../../i18n/fr/console/batch-report.json" with { type: "json" };
import type { BatchReportWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const batchReportWords = localizeWords<BatchReportWords>(en, fr);
