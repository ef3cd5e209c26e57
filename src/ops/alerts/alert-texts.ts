/** What an alarm tells: its facts until somebody reads it, and then phrases of the area `alarm`. */

import { type Locale, type Param, type Phrase, phrase, said } from "../../i18n/phrase.ts";
import type { AlertFacts, RuleName } from "./rules.ts";

export type AlertLanguage = Locale;

/** Where an alarm comes from: the name of the machine, and where its health is shown. */
export type AlertSource = { readonly host: string; readonly url: string };

/** What is wrong, in a few words and in whole sentences, and what to do about it. */
export type AlertPhrases = { readonly title: Phrase; readonly detail: Phrase; readonly action: Phrase };

/** What an alarm says, over its facts. Those of earlier versions hold sentences: they are shown as they are. */
export function renderAlert(rule: RuleName | "test", facts: AlertFacts): AlertPhrases {
  const params = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, paramOf(name, fact)]));
  const say = (part: string): Phrase => ({ code: `alarm.${rule}.${part}`, params }) as Phrase;
  return { title: say("title"), detail: say(detailOf(rule, facts)), action: say("action") };
}

/** An alarm whose cause is not known tells none. */
function detailOf(rule: RuleName | "test", { error, answers }: AlertFacts): string {
  switch (rule) {
    case "link_down":
    case "operator_down":
    case "number_stopped":
    case "templates_unread":
      return error === undefined || error === "" ? "detail" : "detail.why";
    case "not_taken":
      return answers === 0 ? "detail.unknown" : "detail";
    default:
      return "detail";
  }
}

const MEBIBYTE = 1_048_576;

function paramOf(name: string, fact: AlertFacts[string]): Param {
  switch (name) {
    case "kind":
      return typeof fact === "string" ? doubtPhrase(fact) : fact;
    case "standing":
      return typeof fact === "string" ? booksPhrase(fact) : fact;
    case "error":
    case "why":
    case "answer":
    case "failure":
      return typeof fact === "string" ? said(fact) : fact;
    case "free":
    case "reserve":
      return typeof fact === "number" ? fact * MEBIBYTE : fact;
    default:
      return fact;
  }
}

/** Why the clock is doubted. */
function doubtPhrase(kind: string): Phrase {
  switch (kind) {
    case "jumped":
    case "behind":
    case "ahead":
      return phrase(`alarm.clock.${kind}`);
    default:
      return said(kind);
  }
}

/** How the books stand. */
function booksPhrase(standing: string): Phrase {
  switch (standing) {
    case "differs":
    case "failed":
    case "overdue":
      return phrase(`alarm.books.${standing}`);
    default:
      return said(standing);
  }
}
