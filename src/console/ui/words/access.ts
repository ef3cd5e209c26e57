/** The words of the pages about access, in the reader's language. */
import en from "../../../i18n/en/console/access.json" with { type: "json" };
import fr from "../../../i18n/fr/console/access.json" with { type: "json" };
import type { AccessWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const access = localizeWords<AccessWords>(en, fr);
