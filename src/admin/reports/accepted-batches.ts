import type { Reader } from "../../db/read.ts";
import {
  type AcceptedIn,
  type BatchPlace,
  type BilledBatch,
  billedBatches,
} from "../../domain/messages/billing.ts";
import type { StatementPeriod } from "./statements.ts";

/** Batches read in one go. */
const BATCHES_PER_READ = 500;

/** A period without open ends. */
export function closedPeriod({ fromMs, toMs }: StatementPeriod): AcceptedIn {
  return { fromMs: fromMs ?? 0, toMs: toMs ?? Number.MAX_SAFE_INTEGER };
}

/** The batches of an account that were accepted in a period, newest first, some hundred at a time. */
export function* acceptedBatches(
  read: Reader,
  accountId: number,
  { fromMs, toMs }: AcceptedIn,
): Generator<readonly BilledBatch[]> {
  for (let before: BatchPlace = { createdAtMs: toMs, id: 0 }; ; ) {
    const page = billedBatches(read, accountId, fromMs, before, BATCHES_PER_READ);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    before = last;
  }
}
