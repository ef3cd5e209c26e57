/** The words of connecting an operator, in the reader's language. */
import en from "../../../i18n/en/console/connect.json" with { type: "json" };
import fr from "../../../i18n/fr/console/connect.json" with { type: "json" };
import type { ConnectWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const connect = localizeWords<ConnectWords>(en, fr);
