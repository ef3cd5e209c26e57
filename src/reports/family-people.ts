/** Everybody whom a file and its corrections are for, each once, by their last try (docs/administration.md#what-became-of-messages). */
import { slicer } from "../base/slices.ts";
import { rejectionsOf } from "../messages/batches.ts";
import { type FamilyBatch, familyOf, linesOf } from "../messages/corrections.ts";
import { DOUBLE } from "../messages/doubles.ts";
import { NEARER } from "../messages/earlier.ts";
import { type Try, type TryState, textsOf, triesOf } from "../messages/tries.ts";
import {
  illegibleOf,
  type NewUnreadableRow,
  placeOfRejected,
  rejectedRowsOf,
  sentAlreadyCount,
  unreadableCount,
} from "../messages/unreadable-rows.ts";
import type { AdminContext } from "../operations/context.ts";
import type { Reader } from "../store/read.ts";
import { leftUnread, type ToldOfRow, type UnreadRow } from "./unread-rows.ts";

/** Somebody who was sent a text, by the one that counts; `batch`: its place in the family. */
export type SentPerson = Pick<Try, "msisdn" | "operator" | "state" | "error" | "messageId" | "position"> & {
  readonly batch: number;
  /** Their first text: what is sent again comes out of no file. */
  readonly first: { readonly batch: number; readonly position: number };
  /** What all texts to them came to, of all batches: SMS that are paid, and XOF. */
  readonly segments: number;
  readonly amount: number;
  /** Why the last batch that names them sent nothing, where that was later; null where none did. */
  readonly refusedSince: string | null;
};

/** Somebody who was never sent anything. `row`: what is kept of their row. */
export type RefusedPerson = {
  readonly msisdn: string;
  readonly reason: string;
  readonly batch: number;
  readonly position: number;
  readonly reference: string | null;
  readonly row: NewUnreadableRow | null;
};

/** People are told apart by their number; a row that nobody could read is one, until a later file brings a number that is new. */
export type PeopleOfFamily = {
  readonly batches: readonly FamilyBatch[];
  readonly sent: readonly SentPerson[];
  readonly refused: readonly RefusedPerson[];
  readonly unread: readonly UnreadRow[];
  /** Rows of the first file whose number stands in an earlier one: they are nobody of their own. */
  readonly repeats: number;
  /** Texts that are not kept any more: nobody can tell whom they reached. */
  readonly forgotten: number;
};

type Gathered = {
  readonly read: Reader;
  readonly pause: () => Promise<void> | undefined;
  readonly sent: Map<string, SentPerson>;
  readonly refused: Map<string, RefusedPerson>;
};

/** Rows that are read in one go. */
const STEP = 1000;
/** Texts that are looked into for whose row they were. */
const MOST_TEXTS = 2000;

/** Read in slices beside other work; of a batch that is alone its own. */
export async function peopleOfFamily(
  { store: { read }, clock }: Pick<AdminContext, "store" | "clock">,
  batchId: number,
): Promise<PeopleOfFamily> {
  const { batches } = familyOf(read, batchId);
  const gathered: Gathered = { read, pause: slicer(clock), sent: new Map(), refused: new Map() };
  const { sent, refused } = gathered;
  let unread: readonly UnreadRow[] = [];
  let [repeats, forgotten] = [0, 0];
  for (const [place, batch] of batches.entries()) {
    const { rows, fresh } = await triedIn(gathered, batch, place);
    forgotten += batch.messages - rows;
    const { rows: here, doubles } = await refusedIn(gathered, batch, place);
    if (place === 0) repeats = doubles;
    const isAsked = place > 0 && unread.length > 0 && fresh.length > 0 && fresh.length <= MOST_TEXTS;
    const texts = isAsked
      ? new Map(
          textsOf(
            read,
            fresh.map(({ messageId }) => messageId),
          ).map((one) => [one.messageId, one.text]),
        )
      : null;
    const brought = {
      count: fresh.length,
      texts: fresh.flatMap(({ msisdn, messageId }) =>
        texts ? [{ msisdn, text: texts.get(messageId) ?? "" }] : [],
      ),
    };
    unread = leftUnread(unread, here, brought, toldBy(read, batches, batch.id));
  }
  for (const msisdn of sent.keys()) refused.delete(msisdn);
  return { batches, sent: [...sent.values()], refused: [...refused.values()], unread, repeats, forgotten };
}

/** What the file of a correction says of rows of the batches before. */
function toldBy(read: Reader, batches: readonly FamilyBatch[], correction: number): ToldOfRow {
  const told = new Map<string, "again" | "corrected">(
    linesOf(read, correction).map(([of, there, , place]) => [
      `${of} ${there}`,
      place === null ? "again" : "corrected",
    ]),
  );
  return ({ batch, row }) => (row && told.get(`${batches[batch]?.id} ${row.line}`)) ?? null;
}

/** Notes what became of the numbers of a batch: how many texts there are, and the first ones to numbers that were in none before. */
async function triedIn({ read, pause, sent, refused }: Gathered, batch: FamilyBatch, place: number) {
  const fresh: Try[] = [];
  let rows = 0;
  for (const tries of triesOf(read, batch)) {
    rows += tries.length;
    for (const one of tries) {
      // A batch has a number once. A text that was called off corrects no row.
      const isNew = place > 0 && !sent.has(one.msisdn) && !refused.has(one.msisdn);
      if (isNew && one.state !== "CANCELLED") fresh.push(one);
      noteTry(sent, one, place);
    }
    await pause();
  }
  return { rows, fresh };
}

/** The nearer a text came, the more it counts; of those that are as near the last one does. */
const NEAR: Readonly<Record<TryState, number>> = { ...NEARER, CANCELLED: -1 };

function noteTry(sent: Map<string, SentPerson>, one: Try, batch: number): void {
  const { msisdn, operator, state, error, messageId, position } = one;
  const before = sent.get(msisdn);
  // What failed or was called off at no cost took no SMS that anybody pays.
  const isFree = one.amount === 0 && (state === "FAILED" || state === "CANCELLED");
  const segments = (isFree ? 0 : one.segments) + (before?.segments ?? 0);
  const amount = one.amount + (before?.amount ?? 0);
  const first = before?.first ?? { batch, position };
  const isNearer = before === undefined || NEAR[state] > NEAR[before.state];
  const isLater = before?.state === state && NEAR[state] <= 0;
  if (isNearer || isLater) {
    const counts = { msisdn, operator, state, error, messageId, position, batch };
    sent.set(msisdn, { ...counts, first, segments, amount, refusedSince: null });
  } else sent.set(msisdn, { ...before, segments, amount });
}

/** Notes whom a batch refused, the last time counts; the rows of its file that are nobody's that is known, and how many repeat a number. */
async function refusedIn(
  { read, pause, sent, refused }: Gathered,
  { id }: FamilyBatch,
  batch: number,
): Promise<{ readonly rows: readonly UnreadRow[]; readonly doubles: number }> {
  let doubles = 0;
  const rows = await illegibleIn({ read, pause }, id, batch);
  const kept = new Map(rejectedRowsOf(read, id, 0, STEP).map((row) => [placeOfRejected(row), row]));
  for (let from = 0; ; ) {
    const page = rejectionsOf(read, { id, client_reference: null }, from, STEP);
    for (const { index: position, msisdn, reason_code: reason, client_reference: reference = null } of page) {
      if (reason === DOUBLE) {
        doubles += 1;
        continue;
      }
      const row = kept.get(position) ?? null;
      const tried = msisdn === null ? undefined : sent.get(msisdn);
      if (tried && tried.batch < batch) sent.set(tried.msisdn, { ...tried, refusedSince: reason });
      if (msisdn?.startsWith("+")) refused.set(msisdn, { msisdn, reason, batch, position, reference, row });
      else rows.push({ batch, reason, written: msisdn, position, row });
    }
    const last = page.at(-1);
    if (!last || page.length < STEP) return { rows, doubles };
    from = last.index + 1;
    await pause();
  }
}

/** Rows of a batch's file that nobody could read: those of which nothing is kept too. */
async function illegibleIn(
  { read, pause }: Pick<Gathered, "read" | "pause">,
  id: number,
  batch: number,
): Promise<UnreadRow[]> {
  const count = unreadableCount(read, id);
  if (count === 0) return [];
  const rows: UnreadRow[] = [];
  const all = count - sentAlreadyCount(read, id);
  for (let from = 0; ; ) {
    const page = illegibleOf(read, id, from, STEP);
    for (const row of page) rows.push({ batch, reason: null, written: row.written, position: null, row });
    const last = page.at(-1);
    if (!last || page.length < STEP) break;
    from = last.line + 1;
    await pause();
  }
  const unkept = { batch, reason: null, written: null, position: null, row: null };
  while (rows.length < all) rows.push(unkept);
  return rows.slice(0, all);
}
