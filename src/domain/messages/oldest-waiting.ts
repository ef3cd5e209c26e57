import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";

/** Since when the oldest message of each class has been waiting to leave; a class of which none waits is absent. */
export type OldestWaiting = ReadonlyMap<string, number>;

/** Batches looked at in one go: one seek in the index of the queue and one row each. */
const STEP = 250;

/**
 * Finds the oldest message that might leave, in pieces: each call looks at a few hundred batches that have messages in the
 * queue and goes on where the last one ended. As long as no more than that wait, each call sees all of them; behind
 * a longer queue what is told is the oldest seen in this round and the one before. Batches whose time has not come, that
 * were called off, are a sandbox's, or whose account `isHeld`, do not count: nobody expects them to leave.
 */
export function oldestWaiting(read: Reader): (isHeld: (accountId: number) => boolean) => OldestWaiting {
  let above = 0;
  let before: OldestWaiting = new Map();
  let round = new Map<string, number>();
  return (isHeld) => {
    const batches = batchesWithQueue(read, above);
    for (const { messageClass, sinceMs, accountId, isDue } of batches) {
      if (isDue === 0 || isSandbox(accountId) || isHeld(accountId)) continue;
      round.set(messageClass, Math.min(sinceMs, round.get(messageClass) ?? sinceMs));
    }
    if (batches.length === STEP) {
      above = Math.max(...batches.map(({ id }) => id));
      return oldestOf(before, round);
    }
    above = 0;
    before = round;
    round = new Map();
    return before;
  };
}

type BatchWithQueue = {
  readonly id: number;
  readonly accountId: number;
  readonly messageClass: string;
  readonly sinceMs: number;
  readonly isDue: number;
};

/** The next batches, above an id, that have a message in the queue. */
function batchesWithQueue(read: Reader, above: number): BatchWithQueue[] {
  return read.all<BatchWithQueue>(
    `WITH RECURSIVE waiting(id) AS (
       SELECT min(batch_id) FROM messages WHERE status = 'QUEUED' AND batch_id > ?1
       UNION ALL
       SELECT (SELECT min(batch_id) FROM messages WHERE status = 'QUEUED' AND batch_id > waiting.id)
       FROM waiting WHERE waiting.id IS NOT NULL LIMIT ?2)
     SELECT b.id, b.account_id AS accountId, b.message_class AS messageClass,
       max(b.created_at, coalesce(b.scheduled_at, 0)) AS sinceMs,
       b.status IN ('QUEUED', 'SENDING') AND b.cancel_reason IS NULL AS isDue
     FROM waiting JOIN batches b ON b.id = waiting.id`,
    above,
    STEP,
  );
}

function oldestOf(one: OldestWaiting, other: OldestWaiting): OldestWaiting {
  const oldest = new Map(one);
  for (const [messageClass, sinceMs] of other) {
    oldest.set(messageClass, Math.min(sinceMs, oldest.get(messageClass) ?? sinceMs));
  }
  return oldest;
}
