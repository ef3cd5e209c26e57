/** Figures counted in the database: in slices, on demand, and less often the longer counting takes. */
import type { Clock } from "../../core/clock.ts";
import { cacheExpensive, createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { listSmppUsers } from "../../domain/accounts/smpp-users.ts";
import { countQueue, countUnanswered } from "../../domain/messages/queue.ts";
import { countWaitingReceipts } from "../../ingress/smpp/follows.ts";
import { readTotalBacklog } from "../../webhooks/endpoint-stats.ts";

/** Messages ready to leave for one operator in one class, and since when the oldest waits. */
type QueueOfClass = {
  readonly operator: string;
  readonly messageClass: string;
  readonly messages: number;
  /** Those of them that the operator postponed. */
  readonly postponed: number;
  readonly oldestMs: number;
};

export type DatabaseFigures = {
  readonly queues: readonly QueueOfClass[];
  readonly unanswered: number;
  readonly webhookBacklog: number;
  /** Every SMPP user that was not revoked. */
  readonly smppUsers: readonly {
    readonly id: number;
    readonly systemId: string;
    readonly receiptsWaiting: number;
  }[];
};

/** Receipts of a user are counted up to this. */
const MAX_RECEIPTS = 10_000;

/** How long figures are cached at least. */
const KEPT_MS = 2000;

/** Counts when the cached figures are outdated; concurrent callers share one count. */
export function createDatabaseFigures(read: Reader, clock: Clock): () => Promise<DatabaseFigures> {
  return cacheExpensive(clock, KEPT_MS, async () => {
    const pause = createYielder(clock);
    const queues = await queuesOf(read, pause, clock.nowMs());
    const webhookBacklog = await readTotalBacklog(read, pause);
    const smppUsers = await readSmppUsers(read, pause);
    return { queues, unanswered: countUnanswered(read), webhookBacklog, smppUsers };
  });
}

async function readSmppUsers(
  read: Reader,
  pause: () => Promise<void> | undefined,
): Promise<DatabaseFigures["smppUsers"]> {
  const users = listSmppUsers(read).filter(({ revokedAtMs }) => revokedAtMs === null);
  const counted = [];
  for (const { id, systemId } of users) {
    counted.push({ id, systemId, receiptsWaiting: countWaitingReceipts(read, id, MAX_RECEIPTS) });
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return counted;
}

/** The queues of batches that are due, by operator and class. */
async function queuesOf(
  read: Reader,
  pause: () => Promise<void> | undefined,
  nowMs: number,
): Promise<QueueOfClass[]> {
  const queues = new Map<string, QueueOfClass>();
  await countQueue(read, pause, nowMs, (place) => {
    const { operator, messageClass, isDue, messages, postponed, sinceMs } = place;
    if (!isDue) return;
    const key = `${operator} ${messageClass}`;
    const before = queues.get(key) ?? {
      operator,
      messageClass,
      messages: 0,
      postponed: 0,
      oldestMs: sinceMs,
    };
    queues.set(key, {
      ...before,
      messages: before.messages + messages,
      postponed: before.postponed + postponed,
      oldestMs: Math.min(before.oldestMs, sinceMs),
    });
  });
  return [...queues.values()];
}
