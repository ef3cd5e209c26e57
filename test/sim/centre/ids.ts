import type { CentreHabits } from "../plan.ts";

/** An id as it stands in the submit_sm_resp, and as it stands in receipts. */
export type GivenId = { readonly inResponse: string; readonly inReceipts: string };

/**
 * Every centre counts from here, so that two of them give out the same ids. Nine digits in decimal and eight in hexadecimal, many of
 * those without a letter: within a centre, none can be taken for another, whatever its form.
 */
const FIRST = 0x10000001;
const NEVER_GIVEN = 800_000_000;
/** Digits of an id that is written with zeros before it. */
const PADDED = 12;

/** The ids of one centre: none is given twice as long as it lives. */
export function idsFrom(): { next: (form: CentreHabits["ids"]) => GivenId; neverGiven: () => number } {
  let given = 0;
  let invented = 0;
  return {
    next: (form) => written(FIRST + given++, form),
    neverGiven: () => NEVER_GIVEN + invented++,
  };
}

/** A number in a centre's form of ids. */
export function written(number: number, form: CentreHabits["ids"]): GivenId {
  const decimal = String(number);
  const hex = number.toString(16).toUpperCase();
  switch (form) {
    case "decimal":
      return { inResponse: decimal, inReceipts: decimal };
    case "hex":
      return { inResponse: hex, inReceipts: hex };
    case "hex then decimal":
      return { inResponse: hex, inReceipts: decimal };
    case "decimal then padded":
      return { inResponse: decimal, inReceipts: decimal.padStart(PADDED, "0") };
  }
}
