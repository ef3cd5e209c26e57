/** The words of the page "Send", in the reader's language. */
import en from "../../../i18n/en/console/send.json" with { type: "json" };
import fr from "../../../i18n/fr/console/send.json" with { type: "json" };
import type { SendWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const sending = localizeWords<SendWords>(en, fr);
