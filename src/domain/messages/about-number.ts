/** What is kept about one number: messages to it, and recipients that were rejected or are still to be read. */
import { type Page, toPage } from "../../core/pages.ts";
import type { NumberMatcher } from "../../core/sought-number.ts";
import type { Reader } from "../../db/read.ts";
import { MESSAGES } from "./look-up.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./view.ts";

/** A message to a number, whoever was answered for it; `batch_status` tells. */
export type MessageTo = MessageRow & {
  readonly account_id: number;
  readonly batch_id: number;
  readonly batch_status: string;
};

/** Those among some ids, given as a JSON list, that are to a number, the newest first. */
export function messagesTo(read: Reader, msisdn: string, ids: string): MessageTo[] {
  return read.all<MessageTo>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id, m.batch_id, b.status AS batch_status FROM ${MESSAGES}
     WHERE m.id IN (SELECT value FROM json_each(?)) AND m.msisdn = ? ORDER BY m.id DESC`,
    ids,
    msisdn,
  );
}

/** A recipient that got no message. */
export type RejectedRecipient = {
  readonly batchId: number;
  readonly position: number;
  readonly msisdn: string | null;
  readonly reason: string;
};

export type RejectionPlace = Pick<RejectedRecipient, "batchId" | "position">;

/** Rows looked at in one go: some milliseconds. */
const PAGE = 1000;

/** Rejections of a number among the next rows. */
export function rejectionsPage(
  read: Reader,
  msisdn: string,
  after: RejectionPlace | null,
): Page<RejectedRecipient, RejectionPlace> {
  const rows = read.all<RejectedRecipient>(
    `SELECT batch_id AS batchId, position, msisdn, reason FROM rejections
     WHERE (batch_id, position) > (?, ?) ORDER BY batch_id, position LIMIT ?`,
    after?.batchId ?? -1,
    after?.position ?? -1,
    PAGE,
  );
  const placeOf = ({ batchId, position }: RejectedRecipient) => ({ batchId, position });
  return toPage(rows, PAGE, placeOf, (row) => row.msisdn === msisdn);
}

/** A piece of what was submitted and is not validated yet. */
export type SubmittedPiece = {
  readonly batchId: number;
  readonly piece: number;
  readonly recipients: string;
};

/** Pieces in which a number stands, among the next few. */
export function submittedPage(
  read: Reader,
  number: NumberMatcher,
  after: Pick<SubmittedPiece, "batchId" | "piece"> | null,
): Page<SubmittedPiece, Pick<SubmittedPiece, "batchId" | "piece">> {
  const rows = read.all<SubmittedPiece>(
    `SELECT batch_id AS batchId, piece, recipients FROM submitted_recipients
     WHERE (batch_id, piece) > (?, ?) ORDER BY batch_id, piece LIMIT ?`,
    after?.batchId ?? -1,
    after?.piece ?? -1,
    PIECES,
  );
  const placeOf = ({ batchId, piece }: SubmittedPiece) => ({ batchId, piece });
  return toPage(rows, PIECES, placeOf, ({ recipients }) => number.occursIn(recipients));
}

/** Each is some hundred recipients. */
const PIECES = 4;
