/** The words of the pages about accounts, money and prices, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { MONEY_EN } from "./money-en.ts";
import { MONEY_FR } from "./money-fr.ts";

export const money = computed(() => (language.value === "fr" ? MONEY_FR : MONEY_EN));
