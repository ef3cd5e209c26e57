/** The words of the pages about traffic, in the reader's language. */
import en from "../../../i18n/en/console/traffic.json" with { type: "json" };
import fr from "../../../i18n/fr/console/traffic.json" with { type: "json" };
import type { TrafficWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const traffic = localizeWords<TrafficWords>(en, fr);
