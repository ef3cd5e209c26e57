import { type CaseOf, type ParamsOf, type Phrase, phrase } from "../i18n/phrase.ts";

/** One field a request got wrong: where (JSON Pointer, RFC 6901) and why. */
export type FieldFault = {
  readonly path: string;
  readonly message: Phrase;
  /** Of a text that should be another: whose it nearly is, and a piece of both around the first difference. */
  readonly template?: { readonly name: string; readonly language: string } | null;
  readonly expected?: string | null;
  readonly found?: string | null;
};

/** A "no" that the caller is told: part of the contract, returned and never thrown. Its codes are those of the room that says it. */
export type Refusal<Code extends string> = {
  readonly code: Code;
  readonly detail: Phrase;
  /** Said in place of `detail` to whoever may read the account's balance. */
  readonly detailWithBalance?: Phrase;
  readonly faults?: readonly FieldFault[];
  /** Whole seconds until the same may be asked again, where that is known. */
  readonly retrySeconds?: number;
  /** Said where the same request will not succeed later, although others that are refused with this code may. */
  readonly isFinal?: true;
};

export type Outcome<T, Code extends string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal<Code> };

export function accepted<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The cases of refusals that the catalogue words: a code, and behind a dot which case of it. */
export type RefusalCase = CaseOf<"refusal">;

/** The code of a case: what scripts and clients rely on. */
export type CodeOfCase<Case extends RefusalCase> = Case extends `${infer Code}.${string}` ? Code : Case;

/** The "no" of a case, in the words of the catalogue: `refusalOf("KEY_NOT_FOUND", { id })`, `refusalOf("INVALID_TIME.past", { time })`. */
export function toRefusal<Case extends RefusalCase>(
  name: Case,
  ...params: ParamsOf<`refusal.${Case}`>
): Refusal<CodeOfCase<Case>> {
  const [code = ""] = name.split(".");
  return { code: code as CodeOfCase<Case>, detail: phrase(`refusal.${name}`, ...params) };
}

type No<Code extends string> = { readonly ok: false; readonly refusal: Refusal<Code> };

/** The same as the answer of whoever refuses: `refuse("KEY_NOT_FOUND", { id })`. */
export function refuse<Case extends RefusalCase>(
  name: Case,
  ...params: ParamsOf<`refusal.${Case}`>
): No<CodeOfCase<Case>> {
  return { ok: false, refusal: toRefusal(name, ...params) };
}

/** A "no" with each field that was wrong. */
export function withFaults<Code extends string>(
  { refusal }: No<Code>,
  faults: readonly FieldFault[],
): No<Code> {
  return { ok: false, refusal: { ...refusal, faults } };
}

/** A "no" in words of another area. */
export function refused<Code extends string>(code: Code, detail: Phrase): No<Code> {
  return { ok: false, refusal: { code, detail } };
}
