/**
 * Submits of unknown outcome: the operator may have them, and nothing has shown it yet. Each is settled by its response, by a
 * receipt that names it, or by its age.
 */

import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type OpenMessage, openMessage } from "../../domain/messages/awaiting-outcome.ts";
import { acceptedParts } from "../../domain/messages/queue.ts";

/** Settles the outcome of one submit: its response came after all, whatever it said. */
export function resolveByResponse(tx: Tx, messageId: number, firstPart: number, attempt: number): void {
  tx.run(
    `UPDATE unaccepted_submits SET doubt_key = NULL
     WHERE message_id = ? AND first_part = ? AND attempt = ? AND doubt_key IS NOT NULL`,
    messageId,
    firstPart,
    attempt,
  );
}

/** Settles the outcome of one submit: a receipt named it. */
export function resolveByReceipt(tx: Tx, unacceptedId: number): void {
  tx.run("UPDATE unaccepted_submits SET doubt_key = NULL WHERE id = ?", unacceptedId);
}

/** Makes unknown again the outcome of a segment's newest unanswered submit: the receipt that settled it was another's. */
export function reopenUnknownOutcome(tx: Tx, messageId: number, firstPart: number, doubtKey: string): void {
  tx.run(
    `UPDATE unaccepted_submits SET doubt_key = $doubtKey WHERE id =
       (SELECT max(id) FROM unaccepted_submits
        WHERE message_id = $messageId AND first_part = $firstPart AND outcome = 'UNANSWERED' AND doubt_key IS NULL)`,
    { messageId, firstPart, doubtKey },
  );
}

/** Ends up to `limit` unknown outcomes from before `beforeMs`: no receipt is expected for them any more. Returns how many. */
export function deleteOldUnknownOutcomes(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `UPDATE unaccepted_submits SET doubt_key = NULL WHERE id IN
       (SELECT id FROM unaccepted_submits WHERE doubt_key IS NOT NULL AND ended_at < ?
        ORDER BY ended_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}

type Ends = { readonly firstPart: number; readonly lastPart: number };

/** A message's submits that carried a segment which no attempt got accepted. */
function stillNeeded<Submit extends Ends>(
  read: Reader,
  messageId: number,
  submits: readonly Submit[],
): Submit[] {
  if (submits.length === 0) return [];
  const accepted = acceptedParts(read, messageId);
  const isMissing = ({ firstPart, lastPart }: Ends): boolean => {
    for (let part = firstPart; part <= lastPart; part++) if (!accepted.has(part)) return true;
    return false;
  };
  return submits.filter(isMissing);
}

/** Whether a message has a submit of unknown outcome that it still needs. */
export function isInDoubt(read: Reader, messageId: number): boolean {
  const doubts = read.all<Ends>(
    `SELECT first_part AS firstPart, last_part AS lastPart FROM unaccepted_submits
     WHERE message_id = ? AND doubt_key IS NOT NULL`,
    messageId,
  );
  return stillNeeded(read, messageId, doubts).length > 0;
}

/** A response that was no acceptance. */
type Refusal = { readonly outcome: "REFUSED" | "PUT_OFF"; readonly commandStatus: number };

/** What an operator said of segments that it has not accepted: a refusal before anything else. Null where it said nothing. */
export function lastRefusal(read: Reader, messageId: number): Refusal | null {
  const refusals = read.all<Refusal & Ends>(
    `SELECT outcome, command_status AS commandStatus, first_part AS firstPart, last_part AS lastPart
     FROM unaccepted_submits u WHERE message_id = ? AND command_status IS NOT NULL
     ORDER BY outcome = 'REFUSED' DESC, id DESC`,
    messageId,
  );
  return stillNeeded(read, messageId, refusals)[0] ?? null;
}

/** A submit that the operator may have, while nothing has shown it. */
export type UnknownOutcome = {
  readonly id: number;
  readonly messageId: number;
  readonly firstPart: number;
  readonly lastPart: number;
  /** The operator code it was sent under. */
  readonly operator: string;
  /** Unmatched receipts with a number up to this one came before it left; null where that is not known, as after a crash. */
  readonly parkedBefore: number | null;
  /** The row of its shape (sent-segments.ts); null where that is not known. */
  readonly shapeId: number | null;
};

/** More messages to one number than this are not told apart, and each of them costs a look at its text. */
const MAX_MESSAGES_IN_DOUBT = 12;

/** The submits of unknown outcome of a family to numbers that end alike, oldest first; none where they are of too many messages. */
export function findUnknownOutcomes(
  read: Reader,
  operators: readonly string[],
  key: string,
): UnknownOutcome[] {
  const codes = JSON.stringify(operators);
  const messages = read.all(
    `SELECT DISTINCT message_id FROM unaccepted_submits
     WHERE operator IN (SELECT value FROM json_each(?)) AND doubt_key = ? LIMIT ?`,
    codes,
    key,
    MAX_MESSAGES_IN_DOUBT + 1,
  );
  if (messages.length > MAX_MESSAGES_IN_DOUBT) return [];
  return read.all<UnknownOutcome>(
    `SELECT id, message_id AS messageId, first_part AS firstPart, last_part AS lastPart, operator,
       parked_before AS parkedBefore, shape_id AS shapeId
     FROM unaccepted_submits WHERE operator IN (SELECT value FROM json_each(?)) AND doubt_key = ? ORDER BY id`,
    codes,
    key,
  );
}

/** The submits of unknown outcome of a family, to whatever number, up to `limit` of them in no order. */
export function sampleUnknownOutcomes(
  read: Reader,
  operators: readonly string[],
  limit: number,
): Pick<UnknownOutcome, "messageId" | "parkedBefore" | "shapeId">[] {
  return read.all(
    `SELECT message_id AS messageId, parked_before AS parkedBefore, shape_id AS shapeId FROM unaccepted_submits
     WHERE operator IN (SELECT value FROM json_each(?)) AND doubt_key IS NOT NULL LIMIT ?`,
    JSON.stringify(operators),
    limit,
  );
}

/** Whether a submit under an operator's code has an unknown outcome. */
export function hasUnknownOutcomes(read: Reader, operator: string): boolean {
  return (
    read.get("SELECT 1 FROM unaccepted_submits WHERE operator = ? AND doubt_key IS NOT NULL", operator) !==
    null
  );
}

/** A message that an operator may or may not have. `since`: when its first answer was overdue. */
export type MessageInDoubt = OpenMessage & { readonly since: number };

/** The position at which a page of `messagesInDoubt` ends. */
export type UnknownOutcomeCursor = { readonly endedAt: number; readonly rowId: number };

/**
 * A page of up to `limit` submits of unknown outcome after a cursor, the oldest first, with the messages that are still
 * undecided, each once: at the first of its submits. `last` is null when there are no more.
 */
export function messagesInDoubt(
  read: Reader,
  operator: string | null,
  after: UnknownOutcomeCursor,
  limit: number,
): { readonly messages: MessageInDoubt[]; readonly last: UnknownOutcomeCursor | null } {
  const rows = read.all<UnknownOutcomeCursor & { messageId: number; isFirst: number }>(
    `SELECT id AS rowId, ended_at AS endedAt, message_id AS messageId,
       NOT EXISTS (SELECT 1 FROM unaccepted_submits earlier
         WHERE earlier.message_id = u.message_id AND earlier.id < u.id AND earlier.doubt_key IS NOT NULL) AS isFirst
     FROM unaccepted_submits u WHERE doubt_key IS NOT NULL AND (ended_at, id) > (?, ?)
     ORDER BY ended_at, id LIMIT ?`,
    after.endedAt,
    after.rowId,
    limit,
  );
  const messages = rows.flatMap(({ endedAt: since, messageId, isFirst }) => {
    const message = isFirst === 1 ? openMessage(read, messageId) : null;
    return message && (operator ?? message.operator) === message.operator ? [{ ...message, since }] : [];
  });
  return { messages, last: rows.length < limit ? null : (rows.at(-1) ?? null) };
}
