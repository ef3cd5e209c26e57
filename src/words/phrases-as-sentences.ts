/**
 * Phrases that stand inside sentences which are none yet: their English is matched like these. It goes when no refusal is a sentence.
 */
import enFault from "../i18n/en/fault.json" with { type: "json" };
import enHealth from "../i18n/en/health.json" with { type: "json" };
import enLink from "../i18n/en/link.json" with { type: "json" };
import enMessage from "../i18n/en/message.json" with { type: "json" };
import enReadiness from "../i18n/en/readiness.json" with { type: "json" };
import enRefusal from "../i18n/en/refusal.json" with { type: "json" };
import enRow from "../i18n/en/row.json" with { type: "json" };
import enTemplate from "../i18n/en/template.json" with { type: "json" };
import enWarning from "../i18n/en/warning.json" with { type: "json" };
import frFault from "../i18n/fr/fault.json" with { type: "json" };
import frHealth from "../i18n/fr/health.json" with { type: "json" };
import frLink from "../i18n/fr/link.json" with { type: "json" };
import frMessage from "../i18n/fr/message.json" with { type: "json" };
import frReadiness from "../i18n/fr/readiness.json" with { type: "json" };
import frRefusal from "../i18n/fr/refusal.json" with { type: "json" };
import frRow from "../i18n/fr/row.json" with { type: "json" };
import frTemplate from "../i18n/fr/template.json" with { type: "json" };
import frWarning from "../i18n/fr/warning.json" with { type: "json" };
import { type Area, PLACEHOLDER } from "../i18n/phrase.ts";

/** English templates as sentences.ts has them, with their French. */
export const PHRASES_AS_SENTENCES: Readonly<Record<string, string>> = {
  ...sentencesOf(enHealth, frHealth),
  ...sentencesOf(enLink, frLink),
  ...sentencesOf(enReadiness, frReadiness),
  ...sentencesOf(enTemplate, frTemplate),
  ...sentencesOf(enFault, frFault),
  ...sentencesOf(enRefusal, frRefusal),
  ...sentencesOf(enWarning, frWarning),
  ...sentencesOf(enMessage, frMessage),
  ...sentencesOf(enRow, frRow),
};

function sentencesOf(english: Area, french: Area): Readonly<Record<string, string>> {
  const pairs = Object.entries(english).flatMap(([key, entry]) => {
    const other = french[key];
    return typeof entry === "string" && typeof other === "string" && !entry.startsWith("{")
      ? [pairOf(entry, other)]
      : [];
  });
  return Object.fromEntries(pairs);
}

function pairOf(english: string, french: string): readonly [string, string] {
  const names = [...english.matchAll(PLACEHOLDER)].map(([, name]) => name);
  return [
    english.replaceAll(PLACEHOLDER, "{}"),
    french.replaceAll(PLACEHOLDER, (_, name: string) => `{${names.indexOf(name) + 1}!}`),
  ];
}
