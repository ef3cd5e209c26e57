/** What a correction sent for a row that was not sent: "nothing left for you" is wrong of whoever got the text two minutes later. */
import type { RowPlace } from "../../core/import-row.ts";
import type { Reader } from "../../db/read.ts";
import { correctingBatches } from "../../domain/messages/corrections.ts";
import { createFirstRowResolver, readLinkedRows } from "../../domain/messages/import-rows.ts";
import { type MessageRow, messageObject } from "../../domain/messages/view.ts";

/** A message of a batch that corrects the row's. */
export type CorrectedRow = {
  readonly batch_id: string;
  readonly message_id: string;
  readonly msisdn: string;
  readonly status: string;
  /** When it came to that. */
  readonly at: string;
};

/** A row of a batch that was not sent. */
export type UnsentRow = {
  readonly line: number | null;
  /** In E.164; null where nobody knows it, and of a row that repeats one: what goes to its number is another row's too. */
  readonly number: string | null;
};

/** Messages of corrections that are looked at. */
const MAX_CORRECTING_MESSAGES = 2000;

/**
 * Tells of rows of a batch what a correction sent for them: for the row that has its id, and else to its number. What went to that number last
 * is told.
 */
export function createCorrectionLookup(read: Reader, batchId: number): (row: UnsentRow) => CorrectedRow | null {
  const batches = correctingBatches(read, batchId, MAX_CORRECTING_MESSAGES);
  const firstOf = createFirstRowResolver(read, [batchId, ...batches.map(({ id }) => id)]);
  const nameOf = (row: RowPlace): string => {
    const { batch, line } = firstOf(row);
    return `${batch} ${line}`;
  };
  const numbers = new Map<string, string>();
  for (const { id, messages } of batches) {
    const byPlace = new Map(messages.map((message) => [message.position, message]));
    for (const link of readLinkedRows(read, id)) {
      const own = link.position === null ? undefined : byPlace.get(link.position);
      if (own) numbers.set(nameOf(link), own.msisdn);
    }
  }
  const last = new Map(batches.flatMap(({ messages }) => messages.map((one) => [one.msisdn, one])));
  return ({ line, number }) => {
    const own = line === null ? undefined : numbers.get(nameOf({ batch: batchId, line }));
    const message = last.get(own ?? number ?? "");
    return message ? shown(message) : null;
  };
}

function shown(message: MessageRow): CorrectedRow {
  const { batch_id, message_id, msisdn, status, ...times } = messageObject(message);
  return {
    batch_id,
    message_id,
    msisdn,
    status,
    at: times.finalized_at ?? times.sent_at ?? times.created_at,
  };
}
