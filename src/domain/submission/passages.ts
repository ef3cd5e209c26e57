/** What of a batch that is being accepted leaves at once, and what of it waits in the queue. */

import type { Tx } from "../../db/write.ts";
import { claimedFrom } from "../messages/batch-status.ts";
import type { FirstClaims } from "../messages/first-claim.ts";
import type { NewBatch, Opening, OpeningClaims } from "../messages/insert.ts";
import type { FilledPlace, Passage, QueuedMessage, TakePassage, UnwrittenBatch } from "../messages/queue.ts";
import type { Screened } from "./screen-step.ts";

/** The messages of a batch for one operator, in order, and the room that there is for the first of them. */
type Place = {
  readonly batch: UnwrittenBatch;
  readonly messages: readonly QueuedMessage[];
  readonly passage: Passage | null;
};

/**
 * The messages of one batch by operator. Room on the lines is taken inside the accepting transaction, which may be run again: what
 * an earlier run took is given back then.
 */
export type Places = {
  /** To be called before anything of the batch is written. `firstId`: the row id of the first message. */
  readonly take: (tx: Tx, batch: NewBatch, firstId: number, drafts: Screened["drafts"]) => void;
  /** What the transaction claims; null for nothing. */
  readonly claims: (batch: NewBatch, nowMs: number) => FirstClaims | null;
  /** To be called once the transaction is durable: what it claimed leaves. */
  readonly leave: (batchId: number) => void;
  /** What waits, as the queue would be read. */
  readonly waiting: (batchId: number) => readonly FilledPlace[];
  /** Gives back the room that nothing left by. To be called at the end, whatever came of it. */
  readonly end: () => void;
};

export function placesOf(passage: TakePassage): Places {
  let places: readonly Place[] = [];
  const end = (): void => {
    for (const place of places) place.passage?.end();
    places = [];
  };
  return {
    end,
    take: (tx, batch, firstId, drafts) => {
      end();
      const { accountId, messageClass, sender, body, createdAt, scheduledAt, fallback } = batch;
      const expiresAt = fallback?.firstExpiresAt ?? batch.expiresAt;
      const head = { accountId, messageClass, sender, body, createdAt, expiresAt };
      for (const [operator, messages] of byOperator(firstId, drafts)) {
        const place = { batch: { ...head, operator }, messages };
        const taken = scheduledAt === null ? passage(tx, place.batch, messages) : null;
        places = [...places, { ...place, passage: taken }];
      }
    },
    claims: ({ chargeOn }, nowMs) => {
      const parkedBefore = new Map<number, number>();
      for (const { passage, messages } of places)
        for (const { id } of messages.slice(0, passage?.count ?? 0))
          parkedBefore.set(id, passage?.parkedBefore ?? 0);
      return parkedBefore.size === 0 ? null : { chargeOn, nowMs, parkedBefore };
    },
    leave: (batchId) => {
      for (const { passage } of places) passage?.leave(batchId);
    },
    waiting: (batchId) =>
      places
        .map(({ batch, messages, passage }) => ({
          batch: { ...batch, batchId },
          messages: messages.slice(passage?.count ?? 0),
        }))
        .filter(({ messages }) => messages.length > 0),
  };
}

/** A batch that is opened with these claims. */
export function withClaims(opening: Opening, claims: FirstClaims | null): Opening & Partial<OpeningClaims> {
  if (claims === null) return opening;
  const submitted = claims.parkedBefore.size;
  return { ...opening, ...claimedFrom(opening.sums.accepted, claims.nowMs), submitted };
}

const NEVER_TRIED = { attempts: 0, resends: 0, operatorCode: null } as const;

function byOperator(firstId: number, drafts: Screened["drafts"]): ReadonlyMap<string, QueuedMessage[]> {
  const found = new Map<string, QueuedMessage[]>();
  for (const [index, { operator, msisdn, segments, text }] of drafts.entries()) {
    const messages = found.get(operator) ?? [];
    messages.push({ id: firstId + index, msisdn, segments, text, ...NEVER_TRIED });
    found.set(operator, messages);
  }
  return found;
}
