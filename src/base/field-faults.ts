import { type FieldFault, type Outcome, refused } from "./failures.ts";

/** The most faults that one answer names (docs/behaviour.md#error-body). */
export const MOST_FAULTS = 20;

/** How much of a name that a client made up is repeated to it. */
const LONGEST_NAME = 64;

/** What is wrong with a request, found so far: at most `MOST_FAULTS`, later ones are left out. */
export type FaultList = {
  readonly found: readonly FieldFault[];
  readonly isFull: () => boolean;
  readonly add: (path: string, message: string) => void;
  /** The same with the path given as names and positions that are not escaped yet. */
  readonly at: (steps: readonly (string | number)[], message: string) => void;
};

export function faultList(longestName = LONGEST_NAME): FaultList {
  const found: FieldFault[] = [];
  const add = (path: string, message: string): void => {
    if (found.length < MOST_FAULTS) found.push({ path, message });
  };
  return {
    found,
    isFull: () => found.length >= MOST_FAULTS,
    add,
    at: (steps, message) => add(pointer(steps, longestName), message),
  };
}

/** VALIDATION_FAILED whose detail is the first fault in words. */
export function refuseFaults(faults: readonly FieldFault[]): Outcome<never, "VALIDATION_FAILED"> {
  const [first] = faults;
  if (!first) return refused("VALIDATION_FAILED", "the request is malformed");
  const rest = faults.length > 1 ? ` (the first of ${faults.length} faults)` : "";
  return refused("VALIDATION_FAILED", `${first.path.slice(1)} ${first.message}${rest}`, faults);
}

/**
 * Why a text cannot be taken, or null: more than `most` Unicode code points, or characters that no handset could be
 * sent, which are U+0000 and halves of surrogate pairs.
 */
export function textFault(text: string, most: number): string | null {
  if (isLongerThan(text, most)) return `must have at most ${most} characters`;
  return isSendable(text) ? null : "must not hold U+0000 or half of a surrogate pair";
}

/** Whether every character of a text can be stored and sent. */
export function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Whether a text has more than `most` Unicode code points. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || codePoints(text) > most);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A JSON Pointer (RFC 6901). */
function pointer(steps: readonly (string | number)[], longestName: number): string {
  let path = "";
  for (const step of steps) {
    path += `/${String(step).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return path;
}
