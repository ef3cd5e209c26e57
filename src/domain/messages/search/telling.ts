/**
 * What blocks tell while somebody adds figures up. It takes many turns to read all days and blocks, and meanwhile blocks go on telling:
 * whoever adds up hears of each change once it is durable, and so never has to begin again.
 */
import type { MetricsRegistry } from "../../../core/count-book.ts";
import type { Tx } from "../../../db/write.ts";
import type { FigureRow } from "./figures.ts";

/** Told of each change of a figure that a block made. Must not throw. */
export type FiguresListener = (block: number, change: FigureRow) => void;

/** Who listens, by the store that is told in: its tally is what a store and its transactions have in common. */
const listeners = new WeakMap<MetricsRegistry, Set<FiguresListener>>();

/** Listens until what it returns is called. */
export function subscribeToFigures(tally: MetricsRegistry, hear: FiguresListener): () => void {
  const all = listeners.get(tally) ?? new Set();
  listeners.set(tally, all);
  all.add(hear);
  return () => void all.delete(hear);
}

export function publishFigures(tx: Tx, block: number, changes: readonly FigureRow[]): void {
  if ((listeners.get(tx.tally)?.size ?? 0) === 0) return;
  tx.afterCommit(() => {
    for (const hear of listeners.get(tx.tally) ?? []) for (const change of changes) hear(block, change);
  });
}
