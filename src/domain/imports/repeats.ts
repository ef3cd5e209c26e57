/** Rows of a file whose number stands in an earlier row: the first of them counts, and people are told which and what they differ in. */
import { getOwn } from "../../core/own-value.ts";
import type { FileRecipient } from "./file-row.ts";

/** A column in which a row reads otherwise than the first one with its number; "" where one of them has nothing. */
export type Difference = { readonly column: string; readonly first: string; readonly here: string };

export type Repeat = {
  readonly line: number;
  /** The line of the first row with the number. */
  readonly first: number;
  readonly differs: readonly Difference[];
};

const MAX_VALUE_LENGTH = 60;

/** Told a row after the other, in the order of the file: what each repeats; null where it is the first with its number. `read`: E.164, null for none. */
export function createRepeatReader(read: (written: string) => string | null) {
  const first = new Map<string, { readonly line: number; readonly recipient: FileRecipient }>();
  return (recipient: FileRecipient, line: number): Repeat | null => {
    const msisdn = read(recipient.msisdn);
    if (msisdn === null) return null;
    const before = first.get(msisdn);
    if (before) return { line, first: before.line, differs: differences(before.recipient, recipient) };
    first.set(msisdn, { line, recipient });
    return null;
  };
}

function differences(before: FileRecipient, here: FileRecipient): readonly Difference[] {
  const there = valuesIn(before);
  const own = valuesIn(here);
  return [...new Set([...Object.keys(there), ...Object.keys(own)])].flatMap((column) => {
    const [one = "", other = ""] = [getOwn(there, column), getOwn(own, column)];
    return one === other
      ? []
      : [{ column, first: one.slice(0, MAX_VALUE_LENGTH), here: other.slice(0, MAX_VALUE_LENGTH) }];
  });
}

function valuesIn({ attributes = {}, client_reference: reference }: FileRecipient) {
  return reference === undefined ? attributes : { ...attributes, client_reference: reference };
}
