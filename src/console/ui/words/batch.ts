/** The words of one batch's page and one message's, in the reader's language. */
import en from "../../../i18n/en/console/batch.json" with { type: "json" };
import fr from "../../../i18n/fr/console/batch.json" with { type: "json" };
import type { BatchWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const batchWords = localizeWords<BatchWords>(en, fr);
