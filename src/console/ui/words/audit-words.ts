/** The words of the audit in either language. */
import { ownValue } from "../../../base/own-value.ts";
import { AUDIT_EN } from "./audit-words-en.ts";
import { AUDIT_FR } from "./audit-words-fr.ts";

const AUDIT_WORDS = { en: AUDIT_EN, fr: AUDIT_FR };

/** The word for an action or a detail's name; one that has none is shown as it is, its underscores as blanks. */
export function auditWord(language: "en" | "fr", part: keyof typeof AUDIT_EN, name: string): string {
  const words: Readonly<Record<string, string>> = AUDIT_WORDS[language][part];
  return ownValue(words, name.replaceAll(" ", "_")) ?? name.replaceAll("_", " ");
}

/** Whether a name has a word of its own. */
export function hasAuditWord(language: "en" | "fr", part: keyof typeof AUDIT_EN, name: string): boolean {
  return Object.hasOwn(AUDIT_WORDS[language][part], name.replaceAll(" ", "_"));
}

/** Every action that has a word, as it is written down, with its word, in the order of the words. */
export function auditActions(language: "en" | "fr"): { readonly value: string; readonly label: string }[] {
  return Object.entries(AUDIT_WORDS[language].actions)
    .map(([name, label]) => ({ value: name.replaceAll("_", " "), label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}
