/** The words of rows that were not sent, in the reader's language. */
import en from "../../../i18n/en/console/rows.json" with { type: "json" };
import fr from "../../../i18n/fr/console/rows.json" with { type: "json" };
import type { RowsWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const rowWords = localizeWords<RowsWords>(en, fr);
