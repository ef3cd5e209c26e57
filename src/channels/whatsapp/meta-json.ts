/** Reads Meta's JSON without trusting its shape. Pure. */
import { parseWhole } from "../../core/parse-number.ts";
import { isRecord } from "../../core/request-shape.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The value of a JSON text; null where it does not parse. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The fields of an object; none where it is no object. */
export function readFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The year 2100, in seconds: a later time is in another unit. */
const LATEST_SECONDS = 4_102_444_800;

/** Seconds since the epoch, as a number or in digits, as epoch milliseconds; null for anything else, and for times out of range. */
export function readTime(told: unknown): number | null {
  const seconds = readInteger(told);
  return seconds !== null && seconds > 0 && seconds < LATEST_SECONDS ? seconds * 1000 : null;
}

/** A whole number from 0 on, as a number or in digits; null for anything else. */
export function readInteger(told: unknown): number | null {
  if (typeof told === "string") return parseWhole(told);
  return typeof told === "number" && Number.isSafeInteger(told) && told >= 0 ? told : null;
}

/** The wa_id of a user who shows a number, in digits; null for anything else. */
export function readWaId(value: unknown): string | null {
  return typeof value === "string" && /^\d{5,15}$/.test(value) ? value : null;
}

/** The elements of an array; none where it is no array. */
export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
