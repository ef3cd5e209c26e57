/** Corrected rows of a batch: what it came to for whom, so that nobody is served twice without knowing it. */
import { type Static, Type as t } from "typebox";
import {
  type SentBatch,
  STILL_VALIDATING,
  TOO_MANY_CORRECTIONS,
} from "../../../admin/operations/batch-send.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import type { DetailedQuote } from "../../../admin/operations/submissions.ts";
import { isoUtc } from "../../../core/clock.ts";
import { createYielder } from "../../../core/slices.ts";
import { wasRegistered } from "../../../domain/accounts/senders.ts";
import { type FamilyBatch, familyOf, MAX_FAMILY_BATCHES } from "../../../domain/messages/corrections.ts";
import { mayPass } from "../../../domain/messages/failed-messages.ts";
import { importUlids } from "../../../domain/messages/import-rows.ts";
import { errorPhrase } from "../../../domain/messages/message-error.ts";
import { readAttempts } from "../../../domain/messages/tries.ts";
import {
  type EarlierBatches,
  type EarlierNumber,
  type EarlierRows,
  type FailedCause,
  type FamilyPlace,
  recordEarlierResult,
} from "../send/earlier-rows.ts";
import { type PageContext, requireOwnBatch } from "./asked.ts";
import { ID } from "./shapes.ts";

export const CORRECTED = t.Object({
  /** The batch whose rows were corrected. */
  of: ID,
  /** Whether rows are sent whose number it served, or may still serve, and those whose number it failed for. */
  sends_served: t.Boolean(),
  sends_failed: t.Boolean(),
  /** Those too for whom another try changes nothing. */
  sends_lasting: t.Optional(t.Boolean()),
  /** The moment, in epoch milliseconds, that its quote told of: what is sent is what was quoted. */
  as_of: t.Optional(t.Integer({ minimum: 0 })),
  /** The batches that its quote compared the rows with; all that there are where it is absent. */
  batches: t.Optional(t.Array(ID, { maxItems: MAX_FAMILY_BATCHES })),
});

export type Corrected = Static<typeof CORRECTED>;

/** A batch that rows are compared with. */
export type ComparedBatch = { readonly batch_id: string; readonly created_at: string };

/** What earlier batches came to for the rows of a file. */
export type EarlierView = Omit<EarlierRows, "failed" | "left"> & {
  readonly as_of: number;
  /** The batch, those that it corrects and those that correct it, in the order in which they were sent. */
  readonly batches: readonly ComparedBatch[];
  /** Texts of these that are not kept any more, or whose number was erased: nobody can tell whom they reached. */
  readonly forgotten: number;
  readonly failed: Pick<EarlierRows["failed"], "rows" | "lasting"> & {
    /** Each in the reader's words. */
    readonly causes: readonly (FailedCause & { readonly detail: string })[];
  };
  /** Rows that are left out because of it. */
  readonly left: number;
};

/** What rows of a corrected file are compared with. */
export type Earlier = {
  readonly compared: EarlierBatches;
  /** The row id of the batch whose rows they are. */
  readonly of: number;
  readonly batches: readonly FamilyBatch[];
  /** Whether one of the family was sent since, that is not among them. */
  readonly isOutdated: boolean;
  readonly forgotten: number;
};

/**
 * What became of the numbers of the batch that is corrected and of its family, read in slices beside other work; null where none is.
 * `sender`: of the text that goes to them now. `pressed`: what was sent under the same key before; it is compared with what there was then.
 */
export async function readEarlierBatches(
  asked: PageContext,
  accountId: number,
  { corrected, sender }: { readonly corrected: Corrected | undefined; readonly sender: string },
  asOf: number,
  pressed: SentBatch | null = null,
): Promise<AdminOutcome<Earlier | null>> {
  if (corrected === undefined) return done(null);
  const batch = requireOwnBatch(asked, corrected.of);
  if (!batch.ok) return batch;
  const { id, accountId: owner } = batch.value;
  if (owner !== accountId) {
    return refuse("BATCH_NOT_FOUND", { id: corrected.of });
  }
  const { batches, isFull } = familyOf(asked.context.store.read, id);
  const quoted = corrected.batches && new Set(corrected.batches.map((one) => one.toUpperCase()));
  const own = batches.findIndex(({ ulid }) => ulid === pressed?.batch_id);
  const there = own < 0 ? batches : batches.slice(0, own);
  const before = there.filter((one) => one.id === id || !quoted || quoted.has(one.ulid));
  if (isFull && !quoted && !pressed) return TOO_MANY_CORRECTIONS;
  if (before.some(({ status }) => status === "VALIDATING")) return STILL_VALIDATING;
  const { numbers, forgotten } = await numbersOf(
    asked,
    before,
    asOf,
    knownAt(asked, accountId, sender, asOf),
  );
  return done({
    compared: {
      numbers,
      batches: placesOf(asked, before),
      sendsServed: corrected.sends_served,
      sendsFailed: corrected.sends_failed,
      sendsLasting: corrected.sends_lasting ?? false,
    },
    of: id,
    batches: before,
    isOutdated: before.length < there.length,
    forgotten,
  });
}

/** Batches by the ids that rows of theirs may have: their own, and those of the files that they were sent out of. */
function placesOf({ context }: PageContext, batches: readonly FamilyBatch[]): ReadonlyMap<string, FamilyPlace> {
  const ids = batches.map(({ id }) => id);
  const own = batches.map(({ ulid, id }, place) => [ulid, { id, place }] as const);
  const files = [...importUlids(context.store.read, ids)].map(
    ([ulid, id]) => [ulid, { id, place: ids.indexOf(id) }] as const,
  );
  return new Map([...files, ...own]);
}

/** Whether operators knew a sender by a moment, as far as they know it now; each is asked for once. */
function knownAt(
  { context }: PageContext,
  accountId: number,
  sender: string,
  atMs: number,
): (operator: string) => boolean {
  const { read } = context.store;
  const known = new Map<string, boolean>();
  return (operator) => {
    const isKnown = known.get(operator) ?? wasRegistered(read, accountId, sender, operator, atMs);
    known.set(operator, isKnown);
    return isKnown;
  };
}

async function numbersOf(
  { context }: PageContext,
  batches: readonly FamilyBatch[],
  asOf: number,
  isKnownAt: (operator: string) => boolean,
) {
  const pause = createYielder(context.clock);
  const numbers = new Map<string, EarlierNumber>();
  let forgotten = 0;
  for (const [place, batch] of batches.entries()) {
    forgotten += batch.messages;
    for (const tries of readAttempts(context.store.read, batch, asOf)) {
      recordEarlierResult(numbers, tries, place, ({ error, operator }) => mayPass(error, operator, isKnownAt));
      forgotten -= tries.length;
      await pause();
    }
  }
  return { numbers, forgotten };
}

/** The same as people are told of it. */
export function toEarlierView(
  { translate }: PageContext,
  { batches, forgotten }: Earlier,
  { fresh, unlocked, served, failed, left }: EarlierRows,
  asOf: number,
): EarlierView {
  const causes = failed.causes.map((cause) => ({
    ...cause,
    detail: translate(errorPhrase(cause.code)),
  }));
  return {
    fresh,
    unlocked,
    served,
    failed: { ...failed, causes },
    as_of: asOf,
    batches: batches.map(({ ulid, createdAtMs }) => ({ batch_id: ulid, created_at: isoUtc(createdAtMs) })),
    forgotten,
    left: left.length,
  };
}

/** Of a file of which no row is left to send. */
export const NOTHING_TO_SEND: DetailedQuote = {
  status: "REJECTED",
  accepted: 0,
  rejected: 0,
  rejections_by_reason: {},
  rejections: [],
  total_segments: 0,
  amount: 0,
  by_operator: [],
  encodings: {},
  characters: [],
  unreached: [],
  rewritten: { total_segments: 0, amount: 0, saved: 0, examples: [] },
  is_payable: true,
  refusal: null,
  spendable_before: null,
  spendable_after: null,
  starts_at: null,
  warnings: [],
  first: [],
  dearer: { messages: 0, characters: [] },
  lengths: [],
  doubles_of_refused: 0,
};
