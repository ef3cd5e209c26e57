const FIRST_BACKOFF_MS = 1000;
export const LONGEST_BACKOFF_MS = 30_000;

/** How long a message waits after its `attempts`-th temporary answer: 1 s doubling to 30 s. */
export function backoffMs(attempts: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(16, Math.max(0, attempts - 1)));
}
