/** Names of the pages about access in the navigation: needed before any of them is loaded. */
import en from "../../../i18n/en/console/nav.json" with { type: "json" };
import fr from "../../../i18n/fr/console/nav.json" with { type: "json" };
import type { NavWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const accessNames = localizeWords<NavWords>(en, fr);
