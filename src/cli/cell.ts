/** How one value of an answer is written. */
import type { Display } from "./look.ts";
import type { Dictionary } from "./words/dictionary.ts";

/** Names of numbers that count nothing: they are written as they are. */
const NO_COUNTS = /(^|_)(port|connection|sequence|part|schema|status|id)$/;

/** Whether people read a member's value as a number: grouped and aligned at its end. */
export function isCount(name: string, value: unknown): value is number {
  return typeof value === "number" && !NO_COUNTS.test(name);
}

/** One value on one line. Control characters are shown, not obeyed: a name must not steer the terminal. */
export function cellOf(value: unknown, say: Dictionary): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? say.yes : say.no;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? say.none : value.map((item) => cellOf(item, say)).join(", ");
  }
  if (isTally(value)) {
    const counts = Object.entries(value).map(([name, count]) => `${say.label(name)} ${count}`);
    return counts.length === 0 ? "-" : counts.join(", ");
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
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

/** Members of answers that hold a sentence of ours, and not what people wrote. */
const SENTENCES: readonly string[] = ["warning", "warnings", "counts", "consequence", "action", "detail"];

/**
 * A member's value as it is displayed. A terminal gets counts in groups of three digits, and instants without `T`, `Z` and
 * thousandths.
 */
export function shownCell(
  name: string,
  value: unknown,
  { width, say }: Pick<Display, "width" | "say">,
): string {
  const text = cellOf(SENTENCES.includes(name) ? spoken(value, say) : value, say);
  if (width === null) return text;
  if (isCount(name, value)) return grouped(value, say);
  const instant = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z$/.exec(text);
  return instant ? `${instant[1]} ${instant[2]}` : text;
}

/** A sentence, or each of a list of them, in the words of its reader. */
function spoken(value: unknown, say: Dictionary): unknown {
  if (Array.isArray(value)) return value.map((one) => spoken(one, say));
  return typeof value === "string" ? say.sentence(value) : value;
}

/** A number in groups of three digits, apart by blanks, as amounts may be typed. */
function grouped(value: number, say: Dictionary): string {
  const [whole = "", fraction] = String(value).split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, " ");
  return fraction === undefined ? groups : `${groups}${say.point}${fraction}`;
}
