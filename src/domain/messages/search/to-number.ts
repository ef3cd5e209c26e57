import type { Reader } from "../../../db/read.ts";
import { type IdSpan, idsTo } from "../look-up.ts";
import { BLOCK, blockOf, eachBlock } from "./blocks.ts";
import { knownRuns, mayBeTo, runOfBlock } from "./numbers.ts";

/**
 * Ids of all messages of a span to a number, and of a few others: where numbers are noted, those with the same hash; else the messages
 * are looked through. `changed` are blocks that changed so lately that nothing is told of it yet; `pause` is asked between blocks.
 */
export async function idsToNumber(
  read: Reader,
  msisdn: string,
  span: IdSpan,
  changed: ReadonlySet<number>,
  pause: () => Promise<void> | undefined,
): Promise<number[]> {
  const fromRun = runOfBlock(blockOf(span.fromId));
  const toRun = runOfBlock(blockOf(span.belowId - 1));
  const runs = knownRuns(read, fromRun, toRun);
  const ids = new Set(mayBeTo(read, msisdn, fromRun, toRun));
  for (const { block, facets } of eachBlock(read, span)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (runs.has(runOfBlock(block)) && facets !== null && !changed.has(block)) continue;
    for (const id of idsTo(read, msisdn, { fromId: block * BLOCK, belowId: (block + 1) * BLOCK }))
      ids.add(id);
  }
  return [...ids].filter((id) => id >= span.fromId && id < span.belowId).sort((a, b) => b - a);
}
