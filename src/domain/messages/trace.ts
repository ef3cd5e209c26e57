/** Reads all that is stored of one message, in the order in which it happened, for its timeline and for the trace of its steps. */
import type { Channel } from "../../core/channels.ts";
import {
  createTraceLog,
  type FollowedMessage,
  type Log,
  TRACE_AREAS,
  type TraceArea,
  type TraceLog,
  withTrace,
} from "../../core/log.ts";
import { getOwn } from "../../core/own-value.ts";
import { PhrasedError } from "../../core/phrased-error.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { phrase, readPhrase, written } from "../../i18n/phrase.ts";
import type { MessageClass } from "../accounts/message-class.ts";
import { EXCESS_RESERVATION } from "./message-money.ts";
import type { Status } from "./message-status.ts";
import type { Note } from "./transitions.ts";

export type TracedMessage = {
  readonly id: number;
  readonly ulid: string;
  readonly accountId: number;
  readonly batchId: number;
  readonly batchUlid: string;
  readonly channel: Channel;
  readonly messageClass: MessageClass;
  readonly sender: string;
  readonly msisdn: string;
  readonly operator: string;
  readonly status: Status;
  readonly isFinal: number;
  readonly isMoneyClosed: number;
  readonly encoding: "GSM7" | "UCS2";
  readonly segments: number;
  readonly price: number;
  readonly excess: number;
  readonly amount: number;
  readonly chargeOn: "accepted" | "delivered";
  readonly text: string;
  readonly notBefore: number;
  readonly attempts: number;
  readonly resends: number;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly createdAt: number;
  readonly submittedAt: number | null;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  readonly finalizedAt: number | null;
};

/** The id of a message as people see it, by its row; null when there is none. */
export function readMessageUlid(read: Reader, row: number): string | null {
  return read.get<{ ulid: string }>("SELECT ulid FROM messages WHERE id = ?", row)?.ulid ?? null;
}

/** The message that a ULID names, whichever account's it is; null when there is none. */
export function tracedMessage(read: Reader, ulid: string): TracedMessage | null {
  return read.get<TracedMessage>(
    `SELECT m.id, m.ulid, m.account_id AS accountId, m.batch_id AS batchId, b.ulid AS batchUlid, b.channel, b.message_class AS messageClass, b.sender,
       m.msisdn, m.operator, m.status, m.is_final AS isFinal, m.is_money_closed AS isMoneyClosed, m.encoding, m.segments,
       m.price, ${EXCESS_RESERVATION} AS excess, m.amount, b.charge_on AS chargeOn, coalesce(m.text, b.body) AS text, m.not_before AS notBefore,
       m.attempts, m.resends, m.error_code AS errorCode, m.operator_code AS operatorCode, m.created_at AS createdAt,
       m.submitted_at AS submittedAt, m.sent_at AS sentAt, m.delivered_at AS deliveredAt,
       m.finalized_at AS finalizedAt
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.ulid = ? AND b.status <> 'STAGING'`,
    ulid,
  );
}

/** A segment that an operator accepted, with what its channel noted of how it left and of its receipt. */
export type TracedPart = {
  readonly part: number;
  /** The code that it was sent under. */
  readonly operator: string;
  readonly state: string;
  readonly remoteId: string;
  readonly sentAt: number;
  readonly attempt: number | null;
  readonly connection: number | null;
  readonly sequence: number | null;
  readonly writtenAt: number | null;
  readonly pduParametersId: number | null;
  readonly receiptAt: number | null;
  readonly receiptState: string | null;
  readonly receiptCode: string | null;
  readonly receiptConnection: number | null;
  readonly receiptSequence: number | null;
};

/** The segments an operator accepted, in the order it did. */
export function tracedParts(read: Reader, messageId: number): TracedPart[] {
  return read.all<TracedPart>(
    `SELECT part, operator, state, smsc_id AS remoteId, sent_at AS sentAt, attempt, connection, sequence, written_at AS writtenAt,
       pdu_parameters_id AS pduParametersId, receipt_at AS receiptAt, receipt_state AS receiptState, receipt_code AS receiptCode,
       receipt_connection AS receiptConnection, receipt_sequence AS receiptSequence
     FROM parts WHERE message_id = ? ORDER BY sent_at, part`,
    messageId,
  );
}

// The timeline of a message beside the moves of its status: contradictory receipts, resends and the like.

/** Notes of one message that are kept apart: its own are few, and an operator may say what it likes. */
const MAX_NOTES = 50;
/** What stands for all that came after them. */
const MORE: Note = { what: "more", detail: phrase("message.note.more") };

/** Events as former versions kept them, in words. */
const FORMER: Readonly<Record<string, Note["what"]>> = {
  "put off": "put_off",
  "sent back": "sent_back",
  "named by a receipt": "named_by_receipt",
  "late response": "late_response",
  "late refusal": "late_refusal",
  "accepted again": "accepted_again",
  "contradictory receipt": "contradictory_receipt",
  "arrived after all": "arrived_after_all",
  "receipt after the end": "receipt_after_end",
  "restored from a backup": "restored",
  "more of it": "more",
  "second way": "second_way",
  "first way": "first_way",
};

type StoredNote = { readonly what: string; readonly detail: string };

/** A note as it is kept, of this version or a former one. */
export function readNote({ what, detail }: StoredNote): Note {
  return { what: getOwn(FORMER, what) ?? (what as Note["what"]), detail: readPhrase(detail) };
}

/** Keeps a note. One that is there already is counted, so that however often an operator says it, it is one row. */
export function recordNote(tx: Tx, messageId: number, note: Note, nowMs: number): void {
  const detail = written(note.detail);
  const isCounted = tx.run(
    "UPDATE message_notes SET times = times + 1, last_at = ? WHERE message_id = ? AND what = ? AND detail = ?",
    nowMs,
    messageId,
    note.what,
    detail,
  );
  if (isCounted > 0) return;
  const kept = tx.get<{ n: number }>(
    "SELECT count(*) AS n FROM message_notes WHERE message_id = ?",
    messageId,
  );
  if (kept && kept.n >= MAX_NOTES && note !== MORE) {
    recordNote(tx, messageId, MORE, nowMs);
    return;
  }
  tx.insert(
    "INSERT INTO message_notes (message_id, at, what, detail, last_at) VALUES ($messageId, $nowMs, $what, $detail, $nowMs)",
    { what: note.what, detail, messageId, nowMs },
  );
}

export type TracedNote = Note & {
  /** When it came first, and last. */
  readonly at: number;
  readonly lastAt: number;
  readonly times: number;
};

/** What else happened to a message, in the order in which it first did. */
export function tracedNotes(read: Reader, messageId: number): TracedNote[] {
  const kept = read.all<Omit<TracedNote, keyof Note> & StoredNote>(
    `SELECT at, coalesce(last_at, at) AS lastAt, times, what, detail FROM message_notes
     WHERE message_id = ? ORDER BY id LIMIT 1000`,
    messageId,
  );
  return kept.map(({ what, detail, ...when }) => ({ ...when, ...readNote({ what, detail }) }));
}

// Traces: rooms that a configuration asks for, and messages that a server was started to follow.

export type TraceLogger = {
  /** The log, with traces. */
  readonly log: Log;
  readonly steps: TraceLog;
  /** Begins to follow the messages that were asked for. @throws UnknownMessage when there is none of an id. */
  readonly begin: (read: Reader) => void;
};

/** A message was to be followed that does not exist. */
export class UnknownMessage extends PhrasedError {
  override name = "UnknownMessage";

  constructor(id: string) {
    super(phrase("refusal.MESSAGE_NOT_FOUND.followed", { id }));
  }
}

export type TraceRequest = {
  readonly level: string;
  /** Rooms whose traces are logged at the level "debug"; none: all. */
  readonly rooms: readonly TraceArea[];
  /** Ids of messages whose traces are logged at any level. */
  readonly follow: readonly string[];
};

/** Null where nobody looks, so that traces cost nothing. `debugLog` must take lines of the level "debug". */
export function createTraceLogger(
  log: Log,
  debugLog: Log,
  { level, rooms, follow }: TraceRequest,
): TraceLogger | null {
  const shown = level !== "debug" ? [] : rooms.length > 0 ? rooms : TRACE_AREAS;
  if (shown.length === 0 && follow.length === 0) return null;
  const followed = new Map<number, FollowedMessage>();
  let from: Reader | null = null;
  const idOf = (row: number): string | null => from && readMessageUlid(from, row);
  const steps = createTraceLog({ log, followLog: debugLog, rooms: shown, followed, idOf });
  const begin = (read: Reader): void => {
    from = read;
    for (const messageId of follow) {
      const row = read.get<{ id: number; msisdn: string }>(
        "SELECT id, msisdn FROM messages WHERE ulid = ?",
        messageId,
      );
      if (!row) throw new UnknownMessage(messageId);
      followed.set(row.id, { messageId, msisdn: row.msisdn });
    }
    if (follow.length > 0) debugLog.info("following messages", { message_ids: follow.join(" ") });
  };
  return { log: withTrace(log, steps), steps, begin };
}
