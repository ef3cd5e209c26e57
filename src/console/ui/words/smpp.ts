/** The words of the pages about SMPP users, in the reader's language. */
import en from "../../../i18n/en/console/smpp.json" with { type: "json" };
import fr from "../../../i18n/fr/console/smpp.json" with { type: "json" };
import type { SmppWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const smpp = localizeWords<SmppWords>(en, fr);
