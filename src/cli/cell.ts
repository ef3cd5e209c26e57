/** How one value of an answer is written. */
import { escapeControls } from "../core/escape-controls.ts";
import { inThrees } from "../core/in-threes.ts";
import { type Locale, phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import type { Display } from "./look.ts";
import { labelOf, wordOf } from "./words.ts";

/** Names of numbers that count nothing: they are written as they are. */
const NO_COUNTS = /(^|_)(port|connection|sequence|part|schema|status|id)$/;

/** Whether people read a member's value as a number: grouped and aligned at its end. */
export function isCount(name: string, value: unknown): value is number {
  return typeof value === "number" && !NO_COUNTS.test(name);
}

/** One value on one line. Control characters are shown, not obeyed: a name must not steer the terminal. */
export function cellOf(value: unknown, locale: Locale): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return spokenIn(locale, phrase(value ? "cli.yes" : "cli.no"));
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0
      ? spokenIn(locale, phrase("cli.none"))
      : value.map((item) => cellOf(item, locale)).join(", ");
  }
  if (isTally(value)) {
    const counts = Object.entries(value).map(([name, count]) => `${shownLabel(name, locale)} ${count}`);
    return counts.length === 0 ? "-" : counts.join(", ");
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return escapeControls(text);
}

/** The name of a member as its reader says it. Some are no names of ours: a client's own attributes have theirs. */
export function shownLabel(name: string, locale: Locale): string {
  return escapeControls(labelOf(name, locale));
}

/** Counts by name. */
function isTally(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "number")
  );
}

/**
 * A member's value as it is displayed. A terminal gets counts in groups of three digits, shares in percent, and instants
 * without `T`, `Z` and thousandths.
 */
export function shownCell(
  name: string,
  value: unknown,
  { width, locale }: Pick<Display, "width" | "locale">,
): string {
  const text = cellOf(worded(name, value, locale), locale);
  if (width === null) return text;
  if (isCount(name, value)) return name.endsWith("_share") ? percent(value, locale) : grouped(value, locale);
  return text.replace(INSTANT, "$1 $2");
}

/** An instant in UTC, with or without thousandths. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|\+00:00)$/;

/** A share of the whole, in percent with one decimal at most. */
function percent(share: number, locale: Locale): string {
  return `${grouped(Math.round(share * 1000) / 10, locale)} %`;
}

/** A word of ours, or each of a list of them, as its reader says it. */
function worded(name: string, value: unknown, locale: Locale): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(name, one, locale));
  return typeof value === "string" ? wordOf(name, value, locale) : value;
}

/** A number in groups of three digits, apart by blanks, as amounts may be typed. */
function grouped(value: number, locale: Locale): string {
  const [whole = "", fraction] = String(value).split(".");
  const groups = inThrees(whole, " ");
  return fraction === undefined
    ? groups
    : `${groups}${spokenIn(locale, phrase("cli.decimal_point"))}${fraction}`;
}
