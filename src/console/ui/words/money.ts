/** The words of the pages about accounts, money and prices, in the reader's language. */
import en from "../../../i18n/en/console/money.json" with { type: "json" };
import fr from "../../../i18n/fr/console/money.json" with { type: "json" };
import type { MoneyWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const money = localizeWords<MoneyWords>(en, fr);
