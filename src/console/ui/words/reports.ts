/** The words of the page of reports, in the reader's language. */
import en from "../../../i18n/en/console/reports.json" with { type: "json" };
import fr from "../../../i18n/fr/console/reports.json" with { type: "json" };
import type { ReportsWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const reports = localizeWords<ReportsWords>(en, fr);
