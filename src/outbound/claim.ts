import { barOf } from "../accounts/suppressions.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { Tx } from "../store/write.ts";
import type { Candidate } from "./lanes.ts";

/**
 * Claims a message, if it is still queued and may leave: what was said before this commit holds, though the message was
 * read before. An opt-out that came since it was accepted wins: then it is cancelled and released instead. `parkedBefore` is
 * the highest number that a parked receipt has by now.
 */
export function mayClaim(
  tx: Tx,
  session: FactSession,
  { batch, message }: Candidate,
  parkedBefore: number,
): boolean {
  const messageId = message.id;
  switch (barOf(tx, batch.accountId, message.msisdn, batch.messageClass)) {
    case "SUSPENDED":
      return false;
    case "SUPPRESSED":
      session.apply({ kind: "cancelled", messageId, error: { code: "SUPPRESSED", operatorCode: null } });
      return false;
    case null: {
      const { from, to } = session.apply({ kind: "claimed", messageId, parkedBefore });
      return from === "QUEUED" && to === "SUBMITTED";
    }
  }
}
