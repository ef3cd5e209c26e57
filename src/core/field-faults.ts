import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type FieldFault, refuse, withFaults } from "./failures.ts";

/** The most faults that one answer names (docs/behaviour.md#error-body). */
export const MAX_FAULTS = 20;

/** How much of a name that a client made up is repeated to it. */
const MAX_NAME_LENGTH = 64;

/** What is wrong with a request, found so far: at most `MAX_FAULTS`, later ones are left out. */
export type FaultList = {
  readonly found: readonly FieldFault[];
  readonly isFull: () => boolean;
  readonly add: (path: string, message: Phrase) => void;
  /** The same with the path given as names and positions that are not escaped yet. */
  readonly at: (steps: readonly (string | number)[], message: Phrase) => void;
};

export function faultList(longestName = MAX_NAME_LENGTH): FaultList {
  const found: FieldFault[] = [];
  const add = (path: string, message: Phrase): void => {
    if (found.length < MAX_FAULTS) found.push({ path, message });
  };
  return {
    found,
    isFull: () => found.length >= MAX_FAULTS,
    add,
    at: (steps, message) => add(pointer(steps, longestName), message),
  };
}

/** VALIDATION_FAILED whose detail is the first fault. */
export function refuseFaults(faults: readonly FieldFault[]) {
  const [first] = faults;
  if (!first) return refuse("VALIDATION_FAILED.malformed");
  const told = { path: first.path.slice(1), fault: first.message };
  return withFaults(
    faults.length > 1
      ? refuse("VALIDATION_FAILED.fields", { ...told, faults: faults.length })
      : refuse("VALIDATION_FAILED.field", told),
    faults,
  );
}

/** The same of one field. */
export function refuseFault(path: string, message: Phrase) {
  return refuseFaults([{ path, message }]);
}

/**
 * Why a text cannot be taken, or null: more than `most` Unicode code points, or characters that no handset could be
 * sent, which are U+0000 and halves of surrogate pairs.
 */
export function textFault(text: string, most: number): Phrase | null {
  if (isLongerThan(text, most)) return phrase("fault.too_long", { most });
  return isSendable(text) ? null : phrase("fault.unsendable");
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
