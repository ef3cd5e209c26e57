/** The words of the page "Settings", in the reader's language. */
import en from "../../../i18n/en/console/configure.json" with { type: "json" };
import fr from "../../../i18n/fr/console/configure.json" with { type: "json" };
import type { ConfigureWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const configure = localizeWords<ConfigureWords>(en, fr);
