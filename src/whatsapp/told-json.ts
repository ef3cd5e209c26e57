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

/** The elements of an array; none of what is not one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
