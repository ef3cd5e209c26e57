/** Everybody whom a file and its corrections are for, each once, by their last try (docs/administration.md#what-became-of-messages). */
import type { RowPlace } from "../../core/import-row.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { rejectionsOf } from "../../domain/messages/batches.ts";
import { type FamilyBatch, familyOf } from "../../domain/messages/corrections.ts";
import { DUPLICATE_ROW } from "../../domain/messages/doubles.ts";
import {
  alreadyReachedCount,
  createFirstRowResolver,
  type KeptRow,
  leftOutCount,
  createLineReader,
  readLinkedRows,
  rowsOf,
} from "../../domain/messages/import-rows.ts";
import { NEARNESS, type Try, readAttempts } from "../../domain/messages/tries.ts";
import type { AdminContext } from "../operations/context.ts";

/** Somebody who was sent a text, by the one that counts; `batch`: its place in the family. */
export type SentRecipient = Pick<Try, "msisdn" | "operator" | "state" | "error" | "messageId"> & {
  readonly batch: number;
  /** Their row, of the first file that is known to have it. */
  readonly row: RowPlace | null;
  /** What all texts to them came to, of all batches: SMS that are paid, and XOF. */
  readonly segments: number;
  readonly amount: number;
  /** Why the last batch that names them sent nothing, where that was later; null where none did. */
  readonly refusedSince: string | null;
};

/** Somebody who was never sent anything. */
export type RejectedPerson = {
  /** As it stands there where it is none in E.164; null where nobody knows it. */
  readonly msisdn: string | null;
  /** Why the batch rejected it; null of a row that was no recipient. */
  readonly reason: string | null;
  readonly batch: number;
  readonly reference: string | null;
  readonly row: RowPlace | null;
  /** What is kept of a row that nobody could read. */
  readonly kept: KeptRow | null;
};

/** People are told apart by their number; who has none is a row, until the row with its id has one. */
export type FamilyRecipients = {
  readonly batches: readonly FamilyBatch[];
  readonly sent: readonly SentRecipient[];
  readonly refused: readonly RejectedPerson[];
  /** Rows of the first file whose number stands in an earlier one: they are nobody of their own. */
  readonly repeats: number;
  /** Texts that are not kept any more: nobody can tell whom they reached. */
  readonly forgotten: number;
};

/** A batch as it is gone through: whose row stood at a place of it. */
type Gathering = {
  readonly read: Reader;
  readonly pause: () => Promise<void> | undefined;
  readonly place: number;
  readonly rowAt: (position: number) => RowPlace | null;
  readonly firstOf: (row: RowPlace) => RowPlace;
  readonly sent: Map<string, SentRecipient>;
  readonly refused: Map<string, RejectedPerson>;
  /** By the name of a row, under which name its person is among the refused. */
  readonly byRow: Map<string, string>;
};

/** Rows that are read in one go. */
const STEP = 1000;

/** Read in slices beside other work; of a batch that is alone its own. */
export async function readFamilyRecipients(
  { store: { read }, clock }: Pick<AdminContext, "store" | "clock">,
  batchId: number,
): Promise<FamilyRecipients> {
  const { batches } = familyOf(read, batchId);
  const ids = batches.map(({ id }) => id);
  const known = { read, pause: createYielder(clock), firstOf: createFirstRowResolver(read, ids) };
  const people = {
    sent: new Map<string, SentRecipient>(),
    refused: new Map<string, RejectedPerson>(),
    byRow: new Map<string, string>(),
  };
  let [repeats, forgotten] = [0, 0];
  for (const [place, batch] of batches.entries()) {
    const lineAt = createLineReader(read, batch.id);
    const rowAt = (position: number): RowPlace | null => {
      const line = lineAt(position);
      return line === null ? null : { batch: batch.id, line };
    };
    const gathering = { ...known, ...people, place, rowAt };
    // Whose row comes back is told by what this file has in its place.
    for (const link of readLinkedRows(read, batch.id))
      people.refused.delete(people.byRow.get(nameOf(known.firstOf(link))) ?? "");
    forgotten += batch.messages - (await gatherTries(gathering, batch, clock.nowMs()));
    const doubles = await gatherRejections(gathering, batch);
    if (place === 0) repeats = doubles;
    await gatherUnreadable(gathering, batch);
  }
  for (const msisdn of people.sent.keys()) people.refused.delete(msisdn);
  return {
    batches,
    sent: [...people.sent.values()],
    refused: [...people.refused.values()],
    repeats,
    forgotten,
  };
}

function nameOf({ batch, line }: RowPlace): string {
  return `${batch} ${line}`;
}

/** Notes what became of the numbers of a batch; how many texts there are. */
async function gatherTries(gathering: Gathering, batch: FamilyBatch, nowMs: number): Promise<number> {
  let texts = 0;
  for (const tries of readAttempts(gathering.read, batch, nowMs)) {
    texts += tries.length;
    for (const one of tries) noteTry(gathering, one);
    await gathering.pause();
  }
  return texts;
}

/** The nearer a text came, the more it counts; of those that are as near the last one does. */
function noteTry({ sent, place, rowAt, firstOf }: Gathering, one: Try): void {
  const { msisdn, operator, state, error, messageId, position } = one;
  const before = sent.get(msisdn);
  // What failed or was called off at no cost took no SMS that anybody pays.
  const isFree = one.amount === 0 && (state === "FAILED" || state === "CANCELLED");
  const segments = (isFree ? 0 : one.segments) + (before?.segments ?? 0);
  const amount = one.amount + (before?.amount ?? 0);
  const isNearer = before === undefined || NEARNESS[state] > NEARNESS[before.state];
  if (!isNearer && !(before.state === state && NEARNESS[state] <= 0)) {
    sent.set(msisdn, { ...before, segments, amount });
    return;
  }
  const own = rowAt(position);
  sent.set(msisdn, {
    msisdn,
    operator,
    state,
    error,
    messageId,
    batch: place,
    row: own === null ? (before?.row ?? null) : firstOf(own),
    segments,
    amount,
    refusedSince: null,
  });
}

/** Notes whom a batch rejected: the last time counts. How many repeat a number. */
async function gatherRejections(gathering: Gathering, { id }: FamilyBatch): Promise<number> {
  const { read, pause, place: batch, rowAt, firstOf, sent } = gathering;
  let doubles = 0;
  for (let from = 0; ; ) {
    const page = rejectionsOf(read, { id, client_reference: null }, from, STEP);
    for (const { index, msisdn, reason_code: reason, client_reference: reference = null } of page) {
      if (reason === DUPLICATE_ROW) {
        doubles += 1;
        continue;
      }
      const own = rowAt(index);
      const row = own && firstOf(own);
      const tried = msisdn === null ? undefined : sent.get(msisdn);
      if (tried && tried.batch < batch) sent.set(tried.msisdn, { ...tried, refusedSince: reason });
      const name = msisdn?.startsWith("+") ? msisdn : `rejected ${id} ${index}`;
      noteRefused(gathering, name, { msisdn, reason, batch, reference, row, kept: null });
    }
    const last = page.at(-1);
    if (!last || page.length < STEP) return doubles;
    from = last.index + 1;
    await pause();
  }
}

function noteRefused({ refused, byRow }: Gathering, name: string, person: RejectedPerson): void {
  refused.set(name, person);
  if (person.row !== null) byRow.set(nameOf(person.row), name);
}

/** Notes the rows of a batch's file that nobody could read: those of which nothing is kept too. */
async function gatherUnreadable(gathering: Gathering, { id }: FamilyBatch): Promise<void> {
  const { read, pause, place: batch, firstOf } = gathering;
  const all = leftOutCount(read, id);
  if (all === 0) return;
  let known = alreadyReachedCount(read, id);
  for (let from = 0; ; ) {
    const page = rowsOf(read, id, ["UNREADABLE"], from, STEP);
    for (const kept of page) {
      const row = firstOf({ batch: id, line: kept.line });
      const { written: msisdn, client_reference: reference } = kept;
      noteRefused(gathering, nameOf(row), { msisdn, reason: null, batch, reference, row, kept });
    }
    known += page.length;
    const last = page.at(-1);
    if (!last || page.length < STEP) break;
    from = last.line + 1;
    await pause();
  }
  for (; known < all; known += 1) {
    const nobody = { msisdn: null, reason: null, batch, reference: null, row: null, kept: null };
    noteRefused(gathering, `unkept ${id} ${known}`, nobody);
  }
}
