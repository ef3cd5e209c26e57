/** The words of margins, in the reader's language. */
import en from "../../../i18n/en/console/margin.json" with { type: "json" };
import fr from "../../../i18n/fr/console/margin.json" with { type: "json" };
import type { MarginWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const margin = localizeWords<MarginWords>(en, fr);
