import type { BendreError } from "./errors.ts";

/** How a call may be repeated: `always` where twice is as once, `refused` only where the service says that nothing happened. */
export type Repeatable = "always" | "refused";

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * Milliseconds to wait before the next try; null where there is to be none. Waits double from a second to a minute, a quarter
 * more or less by chance (0 to 1); `Retry-After`, in milliseconds, comes first.
 */
export function waitBefore(
  error: BendreError,
  repeatable: Repeatable,
  attempt: number,
  retryAfterMs: number | null,
  chance: number,
): number | null {
  const { status, isRetryable } = error;
  // A payment mends a 402, and no waiting.
  if (!isRetryable || status === 402) return null;
  const nothingHappened = status === 429 || status === 503 || status === 409;
  if (repeatable === "refused" && !nothingHappened) return null;
  if (retryAfterMs !== null) return retryAfterMs;
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + chance / 2);
}

/** `Retry-After` in seconds, as milliseconds; null where it is missing or no number. */
export function retryAfterOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : null;
}
