/** The words of the reader's language. A key that one of the two lacks does not compile. */

import { getOwn } from "../../../core/own-value.ts";
import en from "../../../i18n/en/console/common.json" with { type: "json" };
import fr from "../../../i18n/fr/console/common.json" with { type: "json" };
import type { CommonWords } from "../../../i18n/words.gen.d.ts";
import { toReasonPhrase } from "../../server/rejection-words.ts";
import {
  bytes,
  dateIn,
  dateTime,
  dayLong,
  delay,
  francs,
  type PluralForms,
  percent,
  plural,
  timeOfDay,
  wholeNumber,
} from "../format.ts";
import { language, timezone } from "../state/choices.ts";
import { within } from "./phrases.ts";
import { localizeWords } from "./words-of.ts";

export const words = localizeWords<CommonWords>(en, fr);

/** Figures in the reader's language and zone. */
export const figures = {
  number: (value: number) => wholeNumber(language.value, value),
  money: (value: number) => francs(language.value, value),
  share: (value: number | null) => percent(language.value, value),
  time: (instant: string | null) => dateTime(language.value, timezone.value, instant),
  date: (instant: string) => dateIn(language.value, timezone.value, instant),
  clock: (instant: string | null) => timeOfDay(language.value, timezone.value, instant),
  /** A month, "2026-03". */
  month: (month: string) => (language.value === "fr" ? month.split("-").reverse().join("/") : month),
  day: (day: string) => dayLong(language.value, day),
  delay: (seconds: number | null) => (seconds === null ? "–" : delay(language.value, seconds)),
  /** What the server words, where it stands by itself. */
  saying: (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
  bytes: (octets: number) => bytes(language.value, octets),
  count: (value: number, forms: PluralForms) => plural(language.value, value, forms),
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
