/** Cancellations that were told as done: an administrator's command, or the client's own request. */
import { cancelledBy } from "./exchanges.ts";
import { commandsNamed, once } from "./once.ts";

export type Cancel = {
  readonly batchId: string;
  /** When whoever asked was told. */
  readonly doneAtMs: number;
  /** Who asked, in words. */
  readonly by: string;
};

/** By the ids of their batches. */
export const cancelsByBatch = once((history): ReadonlyMap<string, readonly Cancel[]> => {
  const commanded = commandsNamed(history, "batch cancel").flatMap(({ args, wasDone, endedAtMs, id }) =>
    wasDone === "yes" && endedAtMs !== null
      ? [{ batchId: args.BATCH ?? "", doneAtMs: endedAtMs, by: `batch cancel (command ${id})` }]
      : [],
  );
  const own = history.exchanges.flatMap((exchange) => {
    const batchId = cancelledBy(exchange);
    return batchId !== null && exchange.answer
      ? [{ batchId, doneAtMs: exchange.answer.atMs, by: `its client's cancel (request ${exchange.id})` }]
      : [];
  });
  return Map.groupBy([...commanded, ...own], ({ batchId }) => batchId);
});
