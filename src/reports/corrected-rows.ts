/** What a correction sent for a row that was not sent: "nothing left for you" is wrong of whoever got the text two minutes later. */
import { type CorrectingBatch, correctingBatches } from "../messages/corrections.ts";
import { type MessageRow, messageObject } from "../messages/view.ts";
import type { Reader } from "../store/read.ts";
import { rowsNumber } from "./row-match.ts";

/** A message of a batch that corrects the row's. */
export type CorrectedRow = {
  readonly batch_id: string;
  readonly message_id: string;
  readonly msisdn: string;
  readonly status: string;
  /** When it came to that. */
  readonly at: string;
};

/** A row of a batch that was not sent. `isRepeat`: what goes to its number says nothing of it, for that is another row's too. */
export type UnsentRow = {
  readonly line: number | null;
  /** What stands there as its number. */
  readonly written: string;
  readonly isRepeat: boolean;
};

/** Messages of corrections that are looked at. */
const MOST_LOOKED = 2000;

/**
 * Tells of rows of a batch what a correction sent for them. Where the corrected file told which row was which, that is the link. Else it is the
 * one number that has the row's, or has all of its digits in a row; it is never one that went out for another row. Where two may be meant, nothing
 * is told.
 */
export function correctedRows(read: Reader, batchId: number): (row: UnsentRow) => CorrectedRow | null {
  const batches = correctingBatches(read, batchId, MOST_LOOKED);
  const linked = linkedIn(batches);
  const free = batches.flatMap(({ messages }) => messages.filter(({ id }) => !linked.has(id)));
  return ({ line, written, isRepeat }) => {
    const own = line === null ? [] : sentFor(batches, batchId, line);
    if (own.length > 0) return theOne([...own, ...tryingAgain(batches, own, linked)]);
    if (isRepeat) return null;
    const isMeant = rowsNumber(written);
    return theOne(free.filter(({ msisdn }) => isMeant(msisdn)));
  };
}

/** The messages that are known to be those of a row. */
function linkedIn(batches: readonly CorrectingBatch[]): ReadonlySet<number> {
  return new Set(
    batches.flatMap(({ lines, messages }) => {
      const places = new Set(lines.map(([, , , place]) => place));
      return messages.filter(({ position }) => places.has(position)).map(({ id }) => id);
    }),
  );
}

/** What went out for a row; where it was left out once more, what went out for it as a row of the correction. */
function sentFor(batches: readonly CorrectingBatch[], batchId: number, line: number): readonly MessageRow[] {
  return batches.flatMap(({ id, lines, messages }) =>
    lines
      .filter(([of, there]) => of === batchId && there === line)
      .flatMap(([, , here, place]) => {
        const own = messages.find(({ position }) => position === place);
        return own ? [own] : sentFor(batches, id, here);
      }),
  );
}

/** What went to their numbers once more since, in batches that correct theirs, and for no other row. */
function tryingAgain(
  batches: readonly CorrectingBatch[],
  own: readonly MessageRow[],
  linked: ReadonlySet<number>,
): readonly MessageRow[] {
  const since = new Set(
    batches.filter(({ messages }) => messages.some((one) => own.includes(one))).map(({ id }) => id),
  );
  const numbers = new Set(own.map(({ msisdn }) => msisdn));
  return batches.flatMap(({ id, corrects, messages }) => {
    if (!since.has(corrects)) return [];
    since.add(id);
    return messages.filter((one) => numbers.has(one.msisdn) && !linked.has(one.id));
  });
}

/** The last of them, where all went to one number. */
function theOne(found: readonly MessageRow[]): CorrectedRow | null {
  const last = found.toSorted((a, b) => a.id - b.id).at(-1);
  if (!last || new Set(found.map(({ msisdn }) => msisdn)).size > 1) return null;
  const { batch_id, message_id, msisdn, status, ...times } = messageObject(last);
  const at = times.finalized_at ?? times.sent_at ?? times.created_at;
  return { batch_id, message_id, msisdn, status, at };
}
