/** How segments left for an operator: what a message's timeline shows, and what a receipt without an owner is held against. */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** One submit_sm as it left. */
export type Departure = {
  /** The claim it belongs to, from 1. */
  readonly attempt: number;
  /** The connection's place in the operator's list, from 1, and the PDU's number on it. */
  readonly connection: number;
  readonly sequence: number;
  readonly writtenAtMs: number;
  /** The highest number that a parked receipt had then: those came before it, and can't be about it. */
  readonly parkedBefore?: number;
  /** The PDU's fields but for number, text and times, as JSON: few differ. */
  readonly shape: string;
};

/** What a submit carried: one segment, or all of a message in one. */
export type Carried = {
  readonly messageId: number;
  readonly firstPart: number;
  readonly lastPart: number;
  readonly operator: string;
};

/** The end of a submit that was not accepted there and then. */
export type Unaccepted = Carried & {
  /** Null where it is not known, as after a crash. */
  readonly departure: Departure | null;
  readonly end:
    | { readonly kind: "refused" | "put_off"; readonly commandStatus: number }
    /** `doubtKey`: the number it went to, as `numberKey` has it. `parkedBefore` is asked where there is no departure. */
    | {
        readonly kind: "unanswered";
        readonly writtenAtMs: number;
        readonly doubtKey: string;
        readonly parkedBefore: number | null;
      };
};

const OUTCOMES = { refused: "REFUSED", put_off: "PUT_OFF", unanswered: "UNANSWERED" } as const;

/** Notes a submit that was not accepted. Those that an operator put off with the same status share one row. */
export function noteUnaccepted(tx: Tx, { departure, end, ...carried }: Unaccepted, nowMs: number): void {
  const commandStatus = end.kind === "unanswered" ? null : end.commandStatus;
  const left = [
    departure?.attempt ?? null,
    departure?.connection ?? null,
    departure?.sequence ?? null,
    departure ? shapeId(tx, departure.shape) : null,
  ];
  if (end.kind === "put_off") {
    const again = tx.run(
      `UPDATE unaccepted_submits SET times = times + 1, attempt = ?, connection = ?, sequence = ?, shape_id = ?,
         ended_at = ?
       WHERE message_id = ? AND first_part = ? AND outcome = 'PUT_OFF' AND command_status = ?`,
      ...left,
      nowMs,
      carried.messageId,
      carried.firstPart,
      commandStatus,
    );
    if (again > 0) return;
  }
  tx.run(
    `INSERT INTO unaccepted_submits (message_id, first_part, last_part, operator, outcome, command_status, attempt,
       connection, sequence, shape_id, written_at, ended_at, doubt_key, parked_before)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    carried.messageId,
    carried.firstPart,
    carried.lastPart,
    carried.operator,
    OUTCOMES[end.kind],
    commandStatus,
    ...left,
    end.kind === "unanswered" ? end.writtenAtMs : (departure?.writtenAtMs ?? nowMs),
    nowMs,
    end.kind === "unanswered" ? end.doubtKey : null,
    departure?.parkedBefore ?? (end.kind === "unanswered" ? end.parkedBefore : null),
  );
}

/** Ends the doubt about one submit: its answer came after all, whatever it said. */
export function answerFound(tx: Tx, messageId: number, firstPart: number, attempt: number): void {
  tx.run(
    `UPDATE unaccepted_submits SET doubt_key = NULL
     WHERE message_id = ? AND first_part = ? AND attempt = ? AND doubt_key IS NOT NULL`,
    messageId,
    firstPart,
    attempt,
  );
}

/** Ends the doubt about one submit: a receipt named it. */
export function ownerFound(tx: Tx, unacceptedId: number): void {
  tx.run("UPDATE unaccepted_submits SET doubt_key = NULL WHERE id = ?", unacceptedId);
}

/** Ends up to `limit` doubts that began before `beforeMs`: no receipt is expected for them any more. How many. */
export function forgetOldDoubts(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `UPDATE unaccepted_submits SET doubt_key = NULL WHERE id IN
       (SELECT id FROM unaccepted_submits WHERE doubt_key IS NOT NULL AND ended_at < ?
        ORDER BY ended_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}

/** Of a row of `unaccepted_submits`, in SQL: a segment that it carried has not been accepted, by whichever attempt. */
const IS_OPEN = `(SELECT count(DISTINCT part) FROM parts
   WHERE message_id = u.message_id AND part BETWEEN u.first_part AND u.last_part) <= u.last_part - u.first_part`;

/** Whether the operator may have a submit of a message that nothing has told of, and that the message still needs. */
export function isInDoubt(read: Reader, messageId: number): boolean {
  return (
    read.get(
      `SELECT 1 FROM unaccepted_submits u WHERE message_id = ? AND doubt_key IS NOT NULL AND ${IS_OPEN} LIMIT 1`,
      messageId,
    ) !== null
  );
}

/** What an operator said of segments that it has not accepted: a refusal before anything else. Null where it said nothing. */
export function lastRefusal(
  read: Reader,
  messageId: number,
): { readonly outcome: "REFUSED" | "PUT_OFF"; readonly commandStatus: number } | null {
  return read.get(
    `SELECT outcome, command_status AS commandStatus FROM unaccepted_submits u
     WHERE message_id = ? AND command_status IS NOT NULL AND ${IS_OPEN}
     ORDER BY outcome = 'REFUSED' DESC, id DESC LIMIT 1`,
    messageId,
  );
}

const shapesOf = new WeakMap<Tx, Map<string, number>>();

/** The row of a shape: few are ever made, so each writer remembers those that are durable. */
export function shapeId(tx: Tx, fields: string): number {
  let known = shapesOf.get(tx);
  if (!known) {
    known = new Map();
    shapesOf.set(tx, known);
  }
  const remembered = known.get(fields);
  if (remembered !== undefined) return remembered;
  const id =
    tx.get<{ id: number }>("SELECT id FROM submit_shapes WHERE fields = ?", fields)?.id ??
    tx.insert("INSERT INTO submit_shapes (fields) VALUES (?)", fields);
  const shapes = known;
  tx.afterCommit(() => shapes.set(fields, id));
  return id;
}

/** What two spellings of one number share: its last eight digits, or null where there are fewer. */
export function numberKey(number: string): string | null {
  const digits = ONLY_DIGITS.test(number) ? number : number.replace(/\D/g, "");
  return digits.length < SIGNIFICANT ? null : digits.slice(-SIGNIFICANT);
}

const ONLY_DIGITS = /^\d*$/;
const SIGNIFICANT = 8;

/** A submit that the operator may have and for which nothing told so yet. */
export type Doubt = {
  readonly id: number;
  readonly messageId: number;
  readonly firstPart: number;
  readonly lastPart: number;
  /** The code it was sent under. */
  readonly operator: string;
  /** Receipts parked with a number up to this one came before it left; null where that is not known, as after a crash. */
  readonly parkedBefore: number | null;
  readonly attempt: number | null;
  readonly connection: number | null;
  readonly sequence: number | null;
};

/** Nobody tells apart more messages to one number than this, and each of them costs a look at its text. */
const MOST_MESSAGES_IN_DOUBT = 12;

/** The submits in doubt of a family to numbers that end alike, oldest first; none where they are of too many messages. */
export function doubtsAbout(read: Reader, operators: readonly string[], key: string): Doubt[] {
  const codes = JSON.stringify(operators);
  const messages = read.all(
    `SELECT DISTINCT message_id FROM unaccepted_submits
     WHERE operator IN (SELECT value FROM json_each(?)) AND doubt_key = ? LIMIT ?`,
    codes,
    key,
    MOST_MESSAGES_IN_DOUBT + 1,
  );
  if (messages.length > MOST_MESSAGES_IN_DOUBT) return [];
  return read.all<Doubt>(
    `SELECT id, message_id AS messageId, first_part AS firstPart, last_part AS lastPart, operator,
       parked_before AS parkedBefore, attempt, connection, sequence
     FROM unaccepted_submits WHERE operator IN (SELECT value FROM json_each(?)) AND doubt_key = ? ORDER BY id`,
    codes,
    key,
  );
}

/** A message for which an operator may give an id any moment. */
export type AwaitingMessage = {
  readonly messageId: number;
  /** Receipts parked with a number up to this one came before it was claimed; null where that was not noted. */
  readonly parkedBefore: number | null;
};

/** The messages to exactly this number that a family has been handed and not all of which it has answered for. */
export function awaitingAnswer(
  read: Reader,
  operators: readonly string[],
  msisdn: string,
): AwaitingMessage[] {
  return read.all<AwaitingMessage>(
    `SELECT id AS messageId, parked_before AS parkedBefore FROM messages
     WHERE status = 'SUBMITTED' AND unanswered_until IS NULL AND msisdn = ?1
       AND operator IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT id, parked_before FROM messages
     WHERE unanswered_until IS NOT NULL AND msisdn = ?1 AND operator IN (SELECT value FROM json_each(?2))`,
    msisdn,
    JSON.stringify(operators),
  );
}

/** A message's number, its text, and its segments that have an id. */
export type Whereabouts = {
  readonly msisdn: string;
  readonly segments: number;
  readonly text: string;
  readonly named: ReadonlySet<number>;
};

export function whereaboutsOf(read: Reader, messageId: number): Whereabouts | null {
  const row = read.get<{ msisdn: string; segments: number; text: string }>(
    `SELECT m.msisdn, m.segments, coalesce(m.text, b.body) AS text
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.id = ?`,
    messageId,
  );
  if (!row) return null;
  const parts = read.all<{ part: number }>("SELECT part FROM parts WHERE message_id = ?", messageId);
  return { ...row, named: new Set(parts.map(({ part }) => part)) };
}
