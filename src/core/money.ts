/** Whole francs. XOF has no minor unit (ISO 4217 exponent 0): never a fraction, never × 100. */
export type Xof = number;

export const CURRENCY = "XOF";

/** When a message is charged (docs/behaviour.md#charge-and-release). */
export type ChargeOn = "accepted" | "delivered";

/** Whether a value is an amount the books can hold exactly: a whole number within ±2^53. */
export function isXof(value: unknown): value is Xof {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/**
 * Reads a whole amount as a person types it on a command line: digits with an optional sign, and spaces or
 * underscores as grouping. Null when it is anything else or outside ±2^53.
 */
export function parseXof(text: string): Xof | null {
  const plain = text.trim().replace(/(?<=\d)[\s_\u00a0\u202f](?=\d)/g, "");
  if (!/^[+-]?\d+$/.test(plain)) return null;
  // Plus zero, so that "-0" is no zero of its own.
  const amount = Number(plain) + 0;
  return isXof(amount) ? amount : null;
}

/** Thousandths of XOF as a text with three decimals: "11.500". What routes cost is a fraction; nothing in the ledger ever is. */
export function renderMilli(milli: number): string {
  const digits = String(Math.abs(milli)).padStart(4, "0");
  return `${milli < 0 ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
