import type { Step } from "./fault.ts";

/** A value of a configuration that no key leads into: a single one, a list of such, or an empty table. */
export type Leaf = { readonly steps: readonly Step[]; readonly value: unknown };

/** Every leaf of a document, in its order. */
export function listLeaves(value: unknown, steps: readonly Step[] = []): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ steps, value }];
  const isList = Array.isArray(value);
  const inner = Object.entries(value);
  if (inner.length === 0 || (isList && value.every(isPlain))) return [{ steps, value }];
  return inner.flatMap(([name, one]) => listLeaves(one, [...steps, isList ? Number(name) : name]));
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
