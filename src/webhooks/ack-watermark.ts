/**
 * How far a cursor may move while things above it end in any order: up to just below the first that has not ended. Pure
 * bookkeeping of whole positions that rise.
 */
export type AckWatermark = {
  /** Notes a position that has begun and must end; higher than every one before. */
  readonly begin: (position: number) => void;
  /** Notes that everything up to here was looked at: positions that have not begun never will. */
  readonly pass: (position: number) => void;
  readonly end: (position: number) => void;
  /** The position up to which everything has ended. */
  readonly mark: () => number;
  /** The position up to which everything was looked at. */
  readonly passed: () => number;
};

export function createAckWatermark(startsAt: number): AckWatermark {
  // In order of position, which is the order of insertion.
  const open = new Set<number>();
  let passed = startsAt;
  return {
    begin: (position) => {
      open.add(position);
    },
    pass: (position) => {
      passed = Math.max(passed, position);
    },
    end: (position) => {
      open.delete(position);
    },
    mark: () => {
      for (const first of open) return first - 1;
      return passed;
    },
    passed: () => passed,
  };
}
