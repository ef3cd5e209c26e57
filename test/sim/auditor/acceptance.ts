import { evidenceOf } from "./evidence.ts";
import type { History } from "./history.ts";
import { joinsOf } from "./joins.ts";

/** How many segments of a message its operators accepted, as far as the wires tell. */
export type SegmentsAccepted = {
  /** The appliance got to know of these: a response that was seen whole at its end, or a receipt that it answered. */
  readonly least: number;
  /** A centre accepted these at some time, whether or not the appliance can know. */
  readonly most: number;
};

/** By batch id and place: `acceptanceKey`. A message without an entry was never submitted. */
export type Acceptance = ReadonlyMap<string, SegmentsAccepted>;

export function acceptanceKey(batchId: string, index: number): string {
  return `${batchId} ${index}`;
}

const known = new WeakMap<History, Acceptance>();

/**
 * What the centres accepted, read once; null while no PDU was seen, and then no rule may rest on it. Where several messages look the
 * same on the wire, each may have what was accepted of any.
 */
export function acceptanceOf(history: History): Acceptance | null {
  if (history.pdus.length === 0) return null;
  const found = known.get(history) ?? readAcceptance(history);
  known.set(history, found);
  return found;
}

function readAcceptance(history: History): Acceptance {
  const acceptance = new Map<string, SegmentsAccepted>();
  for (const group of joinsOf(history).groups) {
    if (group.carried.length === 0) continue;
    const parts = evidenceOf(history, group);
    const most = parts.filter(({ mayBeAccepted }) => mayBeAccepted).length;
    const least = group.messages.length > 1 ? 0 : parts.filter(({ isAccepted }) => isAccepted).length;
    for (const { message } of group.messages) {
      if (message.batchId === null) continue;
      acceptance.set(acceptanceKey(message.batchId, message.index), { least, most });
    }
  }
  return acceptance;
}
