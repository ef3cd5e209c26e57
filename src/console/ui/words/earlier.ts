/** The words of corrected rows beside the batch that they come from, in the reader's language. */
import en from "../../../i18n/en/console/earlier.json" with { type: "json" };
import fr from "../../../i18n/fr/console/earlier.json" with { type: "json" };
import type { EarlierWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const earlierWords = localizeWords<EarlierWords>(en, fr);
