/** The words of the audit in either language. */
import { getOwn } from "../../../core/own-value.ts";
import en from "../../../i18n/en/console/audit.json" with { type: "json" };
import fr from "../../../i18n/fr/console/audit.json" with { type: "json" };
import type { AuditWords } from "../../../i18n/words.gen.d.ts";
import { loadWords } from "../../../i18n/words.ts";

const AUDIT_WORDS = { en: loadWords<AuditWords>(en), fr: loadWords<AuditWords>(fr) };

/** The word for an action or a detail's name; one that has none is shown as it is, its underscores as blanks. */
export function auditWord(language: "en" | "fr", part: keyof AuditWords, name: string): string {
  const words: Readonly<Record<string, string>> = AUDIT_WORDS[language][part];
  return getOwn(words, name.replaceAll(" ", "_")) ?? name.replaceAll("_", " ");
}

/** Whether a name has a word of its own. */
export function hasAuditWord(language: "en" | "fr", part: keyof AuditWords, name: string): boolean {
  return Object.hasOwn(AUDIT_WORDS[language][part], name.replaceAll(" ", "_"));
}

/** Every action that has a word, as it is written down, with its word, in the order of the words. */
export function auditActions(language: "en" | "fr"): { readonly value: string; readonly label: string }[] {
  return Object.entries(AUDIT_WORDS[language].actions)
    .map(([name, label]) => ({ value: name.replaceAll("_", " "), label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}
