/** The words of what may be wrong, in the reader's language. */

import { getOwn } from "../../../core/own-value.ts";
import en from "../../../i18n/en/console/troubles.json" with { type: "json" };
import fr from "../../../i18n/fr/console/troubles.json" with { type: "json" };
import type { TroublesWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const troubles = localizeWords<TroublesWords>(en, fr);

/** What an alarm watches, in words; one that has none is shown as it is. */
export function ruleWord(rule: string): string {
  return getOwn(troubles.value.rules, rule) ?? rule;
}

/** What a check looks at, in words. */
export function checkWord(check: string): string {
  return getOwn(troubles.value.checks, check) ?? check;
}
