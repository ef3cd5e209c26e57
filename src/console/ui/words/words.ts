/** The words of the reader's language. A key missing in one of the two does not compile. */

import { computed, type ReadonlySignal } from "@preact/signals";
import { getOwn } from "../../../core/own-value.ts";
import en from "../../../i18n/en/console/common.json" with { type: "json" };
import fr from "../../../i18n/fr/console/common.json" with { type: "json" };
import { capitalised, type Phrase, renderer, type Text } from "../../../i18n/phrase.ts";
import { VALUES } from "../../../i18n/values.ts";
import type { CommonWords } from "../../../i18n/words.gen.d.ts";
import { type Forms, inPrint, loadWords, type WordNode } from "../../../i18n/words.ts";
import { toReasonPhrase } from "../../server/rejection-reasons.ts";
import {
  bytes,
  dateIn,
  dateTime,
  dayLong,
  delay,
  exactFrancs,
  francs,
  monthName,
  percent,
  phoneNumber,
  phonePrefix,
  plural,
  timeOfDay,
  wholeNumber,
} from "../format.ts";
import { language, timezone } from "../state/preferences.ts";
import { PAGE_CATALOGUES } from "./page-catalogues.ts";

/** The words of a page in the reader's language, from its two catalogues. */
export function localizeWords<Words>(en: WordNode, fr: WordNode): ReadonlySignal<Words> {
  return computed(() => loadWords<Words>(language.value === "fr" ? inPrint(fr) : en, figures));
}

export const words = localizeWords<CommonWords>(en, fr);

/** Figures in the reader's language and zone. */
export const figures = {
  number: (value: number) => wholeNumber(language.value, value),
  money: (value: number) => francs(language.value, value),
  /** An amount with thousandths, "11.500"; a dash for null. */
  exactMoney: (amount: string | null) => (amount === null ? "–" : exactFrancs(language.value, amount)),
  share: (value: number | null) => percent(language.value, value),
  time: (instant: string | null) => dateTime(language.value, timezone.value, instant),
  date: (instant: string) => dateIn(language.value, timezone.value, instant),
  clock: (instant: string | null) => timeOfDay(language.value, timezone.value, instant),
  /** A month, "2026-03", by its name. */
  monthName: (month: string) => monthName(language.value, month),
  day: (day: string) => dayLong(language.value, day),
  delay: (seconds: number | null) => (seconds === null ? "–" : delay(language.value, seconds)),
  /** A text worded by the server, where it stands by itself. */
  saying: (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
  phone: phoneNumber,
  prefix: phonePrefix,
  bytes: (octets: number) => bytes(language.value, octets),
  count: (value: number, forms: Forms) => plural(language.value, value, forms),
};

/** A state in words; one that has none is shown as it is. */
export function stateWord(state: string): string {
  return getOwn(words.value.states, state) ?? state;
}

/** A class of messages in words. */
export function classWord(messageClass: string): string {
  return getOwn(words.value.classes, messageClass) ?? messageClass;
}

/** Why a recipient gets no message, in words; a reason that has none is shown as it is. */
export function rejectionWord(reason: string): string {
  return within(toReasonPhrase(reason));
}

/** A name and its value on one line, with the blank that French has before a colon. */
export function labelled(name: string, value: string): string {
  return `${name}${language.value === "fr" ? "\u00A0" : ""}: ${value}`;
}

// Phrases that the server sends as codes, in the reader's language and zone.

const render = renderer(PAGE_CATALOGUES, VALUES);

/** A phrase as it stands in a sentence. */
export function told(phrase: Phrase): Text {
  return render(phrase, { locale: language.value, timeZone: timezone.value });
}

/** A phrase as a part of other words. */
export function within(phrase: Phrase): string {
  return told(phrase) as unknown as string;
}

/** A phrase that begins other words. */
export function renderSentencePart(phrase: Phrase): string {
  return saying(phrase) as unknown as string;
}

/** A phrase that stands by itself. */
export function saying(phrase: Phrase): Text {
  return capitalised(told(phrase));
}
