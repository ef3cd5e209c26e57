/** The words of dates in several formats, in the reader's language. */
import en from "../../../i18n/en/console/dates.json" with { type: "json" };
import fr from "../../../i18n/fr/console/dates.json" with { type: "json" };
import type { DatesWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const dateWords = localizeWords<DatesWords>(en, fr);
