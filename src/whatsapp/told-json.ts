/** What Meta tells, read without trusting its shape. Pure. */
import { isRecord } from "../base/shape.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The value of a JSON text; null for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The fields of an object; none of what is not one. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Seconds since the epoch, as a number or in digits, as epoch milliseconds; null for anything else. */
export function timeOf(told: unknown): number | null {
  const seconds = Number(told);
  const isTold = typeof told === "number" || (typeof told === "string" && told !== "");
  return isTold && Number.isSafeInteger(seconds) ? seconds * 1000 : null;
}

/** The elements of an array; none of what is not one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
