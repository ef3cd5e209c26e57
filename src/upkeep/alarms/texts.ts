/** The words of alarms, in every language that they are told in. */

import { ownValue } from "../../base/own-value.ts";
import { spokenIn } from "../../i18n/text.ts";
import { inFrench } from "../../words/in-french.ts";
import type { AlarmFacts, RuleName } from "./rules.ts";
import type { AlarmWords, Words } from "./words.ts";
import { EN } from "./words-en.ts";
import { FR } from "./words-fr.ts";

export type AlarmLanguage = "en" | "fr";

/** Where an alarm comes from: the name of the machine, and where its health is shown. */
export type AlarmSource = { readonly host: string; readonly url: string };

export const ALARM_WORDS: Readonly<Record<AlarmLanguage, AlarmWords>> = { en: EN, fr: FR };

/** Facts that are words themselves: why the clock is doubted, and how the books stand. */
const FACT_WORDS: Readonly<Record<AlarmLanguage, Readonly<Record<string, string>>>> = {
  en: {
    jumped: "it jumped ahead",
    behind: "it is behind what is stored",
    ahead: "it is far ahead of what is stored",
    differs: "there are differences",
    failed: "it failed",
    overdue: "it is overdue",
  },
  fr: {
    jumped: "elle a fait un saut en avant",
    behind: "elle retarde sur ce qui est enregistré",
    ahead: "elle avance beaucoup sur ce qui est enregistré",
    differs: "il y a des écarts",
    failed: "il a échoué",
    overdue: "il n'a pas été fait",
  },
};

const KINDS_OF_FACT: ReadonlySet<string> = new Set(["kind", "standing"]);

/** The words of an alarm, its facts in their places: those that are sentences in the same language. */
export function alarmWords(language: AlarmLanguage, rule: RuleName | "test", facts: AlarmFacts): Words {
  const { title, detail, action } = ALARM_WORDS[language][rule];
  const fact = (name: string): string => {
    const known = facts[name] ?? "";
    if (typeof known === "object") return spokenIn(language, known);
    const value = String(known);
    if (KINDS_OF_FACT.has(name)) return ownValue(FACT_WORDS[language], value) ?? value;
    return language === "fr" ? (inFrench(value) ?? value) : value;
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => fact(name)).trim();
  return { title: filled(title), detail: filled(detail), action: filled(action) };
}

/** The sentences of alarms as pairs, `{}` in place of each fact of the English one, `{1!}` in the French one. */
export function alarmSentences(): Readonly<Record<string, string>> {
  const words = Object.entries(FACT_WORDS.en).map(([word, english]) => [
    english,
    FACT_WORDS.fr[word] ?? english,
  ]);
  const pairs: Record<string, string> = Object.fromEntries(words);
  for (const [rule, { detail, action }] of Object.entries(EN)) {
    const translated = FR[rule as RuleName];
    for (const [english, french] of [
      [detail, translated.detail],
      [action, translated.action],
    ] as const) {
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const shape = english.replaceAll(/\{\w+\}/g, "{}");
      const said = french.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${names.indexOf(name) + 1}!}`);
      pairs[shape] = said;
      // A fact at the end may be nothing.
      if (shape.endsWith(" {}")) pairs[shape.slice(0, -3)] = said.replace(/ \{\d!\}$/, "");
    }
  }
  return pairs;
}
