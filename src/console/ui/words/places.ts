/** Names of pages that are loaded when somebody goes there, in the reader's language. */
import en from "../../../i18n/en/console/places.json" with { type: "json" };
import fr from "../../../i18n/fr/console/places.json" with { type: "json" };
import type { PlacesWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const places = localizeWords<PlacesWords>(en, fr);
