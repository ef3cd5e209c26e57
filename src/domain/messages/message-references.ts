/** What clients call their recipients: a row for each message that has a name, and nothing for the others. */
import type { Tx } from "../../db/write.ts";

/** The name of the message `m` in SQL, NULL where it has none. */
export const CLIENT_REFERENCE =
  "(SELECT r.client_reference FROM message_references r WHERE r.message_id = m.id)";

/** Notes the names of messages that follow each other from `firstId` on, in one go. */
export function insertReferences(
  tx: Tx,
  { accountId, firstId }: { readonly accountId: number; readonly firstId: number },
  messages: readonly { readonly clientReference: string | null }[],
): void {
  const named = messages.flatMap(({ clientReference }, index) =>
    clientReference === null ? [] : [[firstId + index, clientReference]],
  );
  if (named.length === 0) return;
  tx.run(
    `INSERT INTO message_references (message_id, account_id, client_reference)
     SELECT value ->> 0, ?, value ->> 1 FROM json_each(?)`,
    accountId,
    JSON.stringify(named),
  );
}

/** Forgets the names of messages, by their ids as a JSON list. */
export function deleteMessageReferences(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM message_references WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
