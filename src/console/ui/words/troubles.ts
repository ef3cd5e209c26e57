/** What may be wrong, in the reader's language. */

import { computed } from "@preact/signals";
import { ownValue } from "../../../base/own-value.ts";
import { language } from "../state/choices.ts";
import { TROUBLES_EN } from "./troubles-en.ts";
import { TROUBLES_FR } from "./troubles-fr.ts";

export const troubles = computed(() => (language.value === "fr" ? TROUBLES_FR : TROUBLES_EN));

/** What an alarm watches, in words; one that has none is shown as it is. */
export function ruleWord(rule: string): string {
  return ownValue(troubles.value.rules, rule) ?? rule;
}

/** What a check looks at, in words. */
export function checkWord(check: string): string {
  return ownValue(troubles.value.checks, check) ?? check;
}
