/**
 * A setting over time, as far as it can be known from outside: a change counts from some moment between its command and its outcome,
 * and one that was broken off was done whole or not at all.
 */
export type Change<T> = {
  readonly value: T;
  /** It cannot have counted before. */
  readonly earliestMs: number;
  /** If it was done at all, it counted from here on. */
  readonly latestMs: number;
  /** It was acknowledged. */
  readonly isSure: boolean;
};

/** Every value that may have been in force at some moment of a period, the one of the beginning included. */
export function possible<T>(
  first: T,
  changes: readonly Change<T>[],
  fromMs: number,
  toMs: number,
): readonly T[] {
  const beginning: Change<T> = { value: first, earliestMs: -1, latestMs: -1, isSure: true };
  const all = [beginning, ...changes].filter(({ earliestMs }) => earliestMs <= toMs);
  const isOver = (change: Change<T>) =>
    all.some(
      (later) =>
        later !== change &&
        later.isSure &&
        later.earliestMs >= change.latestMs &&
        later.latestMs <= fromMs &&
        !(change.earliestMs === later.earliestMs && change.latestMs === later.latestMs),
    );
  return [...new Set(all.filter((change) => !isOver(change)).map(({ value }) => value))];
}
