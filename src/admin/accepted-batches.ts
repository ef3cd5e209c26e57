import { type AcceptedIn, type BilledBatch, billedBatches } from "../messages/billing.ts";
import type { Reader } from "../store/read.ts";
import type { Stretch } from "./statements.ts";

/** Batches read in one go. */
const PAGE = 500;
/** A clock that was set back may have given a batch an earlier time than the one before it, but not by more. */
const CLOCK_SLACK_MS = 86_400_000;

/** How batches are counted wherever they are added up, in words for whoever compares them with the ledger. */
export const BY_ACCEPTANCE =
  "batches by when they were accepted, with what was charged and released for them until now";

/** A stretch without open ends. */
export function closedStretch({ fromMs, toMs }: Stretch): AcceptedIn {
  return { fromMs: fromMs ?? 0, toMs: toMs ?? Number.MAX_SAFE_INTEGER };
}

/** The batches of an account that were accepted in a stretch of time, newest first, some hundred at a time. */
export function* acceptedBatches(
  read: Reader,
  accountId: number,
  { fromMs, toMs }: AcceptedIn,
): Generator<readonly BilledBatch[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = billedBatches(read, accountId, before, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs);
    if (last.createdAtMs < fromMs - CLOCK_SLACK_MS) return;
    before = last.id;
  }
}
