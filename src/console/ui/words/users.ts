/** The words of the page about users, in the reader's language. */
import en from "../../../i18n/en/console/users.json" with { type: "json" };
import fr from "../../../i18n/fr/console/users.json" with { type: "json" };
import type { UsersWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const users = localizeWords<UsersWords>(en, fr);
