/**
 * Claims of texts of several segments that were to leave whole, in `message_payload`. What a claim was about is not to be read off the
 * configuration afterwards: it may have changed when the answer that never came is given up.
 */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

/** A claim of a message, by its number from 1. */
export type ClaimRef = { readonly messageId: number; readonly attempt: number };

/** Notes, in the transaction that claims it, that what is left of a text is to leave whole. */
export function recordPayloadClaim(tx: Tx, claim: ClaimRef): void {
  tx.run(
    `INSERT INTO whole_claims (message_id, attempt) VALUES ($messageId, $attempt)
     ON CONFLICT (message_id) DO UPDATE SET attempt = excluded.attempt`,
    claim,
  );
}

/** Whether this claim was to leave whole. */
export function isPayloadClaim(read: Reader, claim: ClaimRef): boolean {
  return (
    read.get("SELECT 1 FROM whole_claims WHERE message_id = $messageId AND attempt = $attempt", claim) !==
    null
  );
}

/** Forgets how some messages were claimed, by their ids as a JSON list. */
export function deletePayloadClaims(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM whole_claims WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
