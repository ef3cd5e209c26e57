import type { History } from "./history.ts";

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

/** What the centres accepted; null while nothing reads it from the PDUs, and then no rule may rest on it. */
export function acceptanceOf(_history: History): Acceptance | null {
  return null;
}
