/**
 * Refusals that callers are given as values, never thrown: a code of the contract with its worded detail, and the faults of
 * a request's fields by JSON Pointer (RFC 6901).
 */
import { type CaseOf, type ParamsOf, type Phrase, phrase } from "../i18n/phrase.ts";

/** One field a request got wrong: where (JSON Pointer, RFC 6901) and why. */
export type FieldFault = {
  readonly path: string;
  readonly message: Phrase;
  /** For a text that should be another: the template it nearly matches, and a piece of both around the first difference. */
  readonly template?: { readonly name: string; readonly language: string } | null;
  readonly expected?: string | null;
  readonly found?: string | null;
};

/**
 * A refusal that the caller is given: part of the contract, returned and never thrown. Its codes are those of the room that
 * returns it.
 */
export type Refusal<Code extends string> = {
  readonly code: Code;
  readonly detail: Phrase;
  /** Replaces `detail` for callers that may read the account's balance. */
  readonly detailWithBalance?: Phrase;
  readonly faults?: readonly FieldFault[];
  /** Whole seconds until the request may be repeated, where that is known. */
  readonly retrySeconds?: number;
  /** Set where the same request will not succeed later, although others that are refused with this code may. */
  readonly isFinal?: true;
};

export type Outcome<T, Code extends string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal<Code> };

export function accepted<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The cases of refusals that the catalogue words: a code, and after a dot which case of it. */
export type RefusalCase = CaseOf<"refusal">;

/** The code of a case: what scripts and clients rely on. */
export type CodeOfCase<Case extends RefusalCase> = Case extends `${infer Code}.${string}` ? Code : Case;

/**
 * The refusal of a case, in the words of the catalogue: `toRefusal("KEY_NOT_FOUND", { id })`,
 * `toRefusal("INVALID_TIME.past", { time })`.
 */
export function toRefusal<Case extends RefusalCase>(
  name: Case,
  ...params: ParamsOf<`refusal.${Case}`>
): Refusal<CodeOfCase<Case>> {
  const [code = ""] = name.split(".");
  return { code: code as CodeOfCase<Case>, detail: phrase(`refusal.${name}`, ...params) };
}

type No<Code extends string> = { readonly ok: false; readonly refusal: Refusal<Code> };

/** The same as a result: `refuse("KEY_NOT_FOUND", { id })`. */
export function refuse<Case extends RefusalCase>(
  name: Case,
  ...params: ParamsOf<`refusal.${Case}`>
): No<CodeOfCase<Case>> {
  return { ok: false, refusal: toRefusal(name, ...params) };
}

/** A refusal with each field that was wrong. */
export function withFaults<Code extends string>(
  { refusal }: No<Code>,
  faults: readonly FieldFault[],
): No<Code> {
  return { ok: false, refusal: { ...refusal, faults } };
}

/** A refusal in words of another area. */
export function refused<Code extends string>(code: Code, detail: Phrase): No<Code> {
  return { ok: false, refusal: { code, detail } };
}

/** The most faults that one answer names (docs/behaviour.md#error-body). */
export const MAX_FAULTS = 20;

/** How many characters of a name that a client made up are repeated to it. */
const MAX_NAME_LENGTH = 64;

/** The faults of a request found so far: at most `MAX_FAULTS`, later ones are left out. */
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

/** The same for one field. */
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
