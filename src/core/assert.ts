/** Thrown when the program contradicts itself: always a bug, never a client's mistake. */
export class BugError extends Error {
  override name = "BugError";
}

/** Throws `BugError` when something that must be true is not. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new BugError(what);
}

/** The default branch of an exhaustive switch: a new member of the union fails the type check here. */
export function unreachable(value: never, what: string): never {
  throw new BugError(`unexpected ${what}: ${String(value)}`);
}
