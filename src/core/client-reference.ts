/** A client's own reference for a batch or a recipient (docs/behaviour.md#references). */
import { Type as t } from "@sinclair/typebox";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { describe, type Field } from "./request-shape.ts";

const MOST = 64;

/** Letters, marks, numbers, punctuation, symbols and spaces, by their Unicode categories. */
const ALLOWED = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
const ONLY_SPACES = /^\p{Zs}*$/u;

/** Why a value of JSON cannot be a reference, or null. */
export function referenceFault(value: unknown): Phrase | null {
  if (typeof value === "number") {
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : phrase("fault.inexact");
  }
  if (typeof value !== "string") return phrase("fault.reference");
  // Twice as many UTF-16 units at most; longer ones are not counted.
  if (value.length > 2 * MOST || [...value].length > MOST) return phrase("fault.too_long", { most: MOST });
  if (ONLY_SPACES.test(value)) return phrase("fault.blank");
  return ALLOWED.test(value) ? null : phrase("fault.reference.signs");
}

/** A checked reference, as it is stored and shown: a number is taken as text. */
export function toReferenceText(value: string | number): string {
  return String(value);
}

/** What a schema says beside the type, also where it may be left out. */
export const REFERENCE_WORDS = {
  description: describe("reference.client_reference"),
  examples: ["order-1042"],
};

const schema = t.Union([t.String({ minLength: 1, maxLength: MOST }), t.Number()], REFERENCE_WORDS);

export const REFERENCE = {
  schema,
  check: (value, tell) => {
    const fault = referenceFault(value);
    if (fault !== null) tell(fault);
  },
} satisfies Field<typeof schema>;
