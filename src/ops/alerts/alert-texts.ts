/** The texts of alerts: renders stored facts as phrases of the catalogue area `alarm`. */

import { type Locale, type Param, type Phrase, phrase, said } from "../../i18n/phrase.ts";
import type { AlertFacts, RuleName } from "./rules.ts";

export type AlertLanguage = Locale;

/** The source of an alert: the host name, and the URL of its health page. */
export type AlertSource = { readonly host: string; readonly url: string };

/** Title, detail, and what to do. */
type AlertPhrases = { readonly title: Phrase; readonly detail: Phrase; readonly action: Phrase };

/** The phrases of an alert from its facts. Facts of earlier versions hold sentences, shown as they are. */
export function renderAlert(rule: RuleName | "test", facts: AlertFacts): AlertPhrases {
  const params = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, toParam(name, fact)]));
  const say = (part: string): Phrase => ({ code: `alarm.${rule}.${part}`, params }) as Phrase;
  return { title: say("title"), detail: say(toDetailCode(rule, facts)), action: say("action") };
}

/** The detail code; an alert without a known cause has a variant without one. */
function toDetailCode(rule: RuleName | "test", { error, answers, times, sender }: AlertFacts): string {
  switch (rule) {
    case "link_down":
    case "operator_down":
    case "number_stopped":
    case "templates_unread":
      return error === undefined || error === "" ? "detail" : "detail.why";
    case "not_taken":
      return answers === 0 ? "detail.unknown" : "detail";
    case "route_ill":
      return times === undefined ? "detail" : "detail.take_overs";
    case "no_route":
      return sender === undefined ? "detail" : "detail.sender";
    default:
      return "detail";
  }
}

const MEBIBYTE = 1_048_576;

function toParam(name: string, fact: AlertFacts[string]): Param {
  switch (name) {
    case "kind":
      return typeof fact === "string" ? toClockPhrase(fact) : fact;
    case "standing":
      return typeof fact === "string" ? toCheckPhrase(fact) : fact;
    case "hold":
      return typeof fact === "string" ? toHoldPhrase(fact) : fact;
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

/** Why the clock is untrusted. */
function toClockPhrase(kind: string): Phrase {
  switch (kind) {
    case "jumped":
    case "behind":
    case "ahead":
      return phrase(`alarm.clock.${kind}`);
    default:
      return said(kind);
  }
}

/** Why no route carries. */
function toHoldPhrase(hold: string): Phrase {
  switch (hold) {
    case "no_route_for_class":
    case "no_route_for_sender":
    case "routes_paused":
    case "routes_down":
      return phrase(`alarm.no_route.${hold}`);
    default:
      return said(hold);
  }
}

/** The state of the ledger check. */
function toCheckPhrase(standing: string): Phrase {
  switch (standing) {
    case "differs":
    case "failed":
    case "overdue":
      return phrase(`alarm.books.${standing}`);
    default:
      return said(standing);
  }
}
