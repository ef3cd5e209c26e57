import type { ErasedNumber } from "../core/sought-number.ts";
import type { Tx } from "../db/write.ts";
import type { PendingEvent } from "./about-number.ts";
import { touchEndpoint } from "./endpoints.ts";

/**
 * Takes a number out of events that are still to be told; how many. They are told with its name in its place, also those of which an
 * attempt is under way: no notice is taken of how it ends.
 */
export function eraseRetries(tx: Tx, { msisdn, name }: ErasedNumber, events: readonly PendingEvent[]): number {
  let erased = 0;
  for (const { id, body } of events)
    erased += tx.run("UPDATE webhook_retries SET body = ? WHERE id = ?", body.replaceAll(msisdn, name), id);
  for (const endpointId of new Set(events.map((event) => event.endpointId))) touchEndpoint(tx, endpointId);
  return erased;
}
