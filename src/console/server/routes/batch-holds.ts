/** What holds the messages of one batch that have not left: operators that are paused, or out of reach. */
import { operatorNames } from "../../../config/operator-codes.ts";
import type { OperatorWaiting } from "../../../domain/messages/batch-waiting.ts";
import { namesTold, pauseOf } from "../pauses.ts";
import type { Asked } from "./asked.ts";
import { awayOf } from "./queue.ts";

export type BatchHold = {
  readonly operator: string;
  readonly name: string;
  /** Messages of the batch that wait for it. */
  readonly messages: number;
  /** Who paused it, and why: null for whoever may not read the queue. */
  readonly pause: {
    readonly since: string;
    readonly by: string | null;
    readonly reason: string | null;
  } | null;
  /** Since when it is out of reach; null where it is not. */
  readonly away: { readonly since: string | null } | null;
};

/** The operators for which messages of a batch wait in vain. */
export function holdsOfBatch(asked: Asked, waiting: readonly OperatorWaiting[]): readonly BatchHold[] {
  const { config } = asked.context;
  const seesWhy = asked.may("queue.read");
  const names = seesWhy ? operatorNames(config) : namesTold(config);
  return waiting.flatMap(({ operator, messages }): BatchHold[] => {
    const pause = pauseOf(asked.context, operator);
    const away = awayOf(asked, operator);
    if (pause === null && away === null) return [];
    return [
      {
        operator,
        messages,
        name: names[operator] ?? operator,
        pause: pause && (seesWhy ? pause : { since: pause.since, by: null, reason: null }),
        away: away && { since: away.since },
      },
    ];
  });
}
