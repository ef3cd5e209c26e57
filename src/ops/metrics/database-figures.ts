/** Figures that have to be counted in the database: in slices, when somebody asks, and the less often the longer it takes. */
import type { Clock } from "../../core/clock.ts";
import { cacheExpensive, createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { countQueue, countUnanswered } from "../../domain/messages/backlog.ts";
import { readTotalBacklog } from "../../webhooks/endpoint-stats.ts";

/** What could leave for one operator of one class, and since when the oldest waits. */
export type QueueOfClass = {
  readonly operator: string;
  readonly messageClass: string;
  readonly messages: number;
  /** Those of them that the operator has put off. */
  readonly postponed: number;
  readonly oldestMs: number;
};

export type DatabaseFigures = {
  readonly queues: readonly QueueOfClass[];
  readonly unanswered: number;
  readonly webhookBacklog: number;
};

/** They are good for so long at least. */
const KEPT_MS = 2000;

/** Counts when what was counted is not good any more; whoever asks meanwhile waits for the same. */
export function createDatabaseFigures(read: Reader, clock: Clock): () => Promise<DatabaseFigures> {
  return cacheExpensive(clock, KEPT_MS, async () => {
    const pause = createYielder(clock);
    const queues = await queuesOf(read, pause, clock.nowMs());
    const webhookBacklog = await readTotalBacklog(read, pause);
    return { queues, unanswered: countUnanswered(read), webhookBacklog };
  });
}

/** What waits of batches whose time has come, by operator and class. */
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
