/** The words of routes to an operator, in the reader's language; apart from those that the first page loads. */
import en from "../../../i18n/en/console/routes.json" with { type: "json" };
import fr from "../../../i18n/fr/console/routes.json" with { type: "json" };
import type { RoutesWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const routeWords = localizeWords<RoutesWords>(en, fr);
