/** Who has the text of a batch and of those that correct it, each person once. */
import { slicer } from "../../base/slices.ts";
import { rejectionsOf } from "../../messages/batches.ts";
import { type FamilyBatch, familyOf } from "../../messages/corrections.ts";
import { DOUBLE } from "../../messages/doubles.ts";
import { earlierMessages } from "../../messages/earlier.ts";
import { errorObject } from "../../messages/message-error.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import { type EarlierNumber, noteEarlier } from "../send/earlier-rows.ts";
import type { Asked } from "./asked.ts";
import { unreadableView } from "./batch-missed.ts";

export type NothingYet = {
  readonly code: string;
  /** In the reader's words. */
  readonly why: string;
  readonly people: number;
  /** Whether no text ever went to them; else it failed. */
  readonly was_never_sent: boolean;
};

/** People are told apart by their number; a row that nobody could read is one, until a later file brings a number that is new. */
export type FamilyPeople = {
  readonly people: number;
  /** Whoever was reached once is, whatever failed later; without a receipt too. */
  readonly reached: number;
  readonly under_way: number;
  /** The rest, by their last try, the most frequent reason first. */
  readonly nothing: number;
  readonly reasons: readonly NothingYet[];
  /** Texts that are not kept any more: nobody can tell whom they reached. */
  readonly forgotten: number;
};

/** Rejections read in one go. */
const STEP = 1000;

/** Read in slices beside other work; null where the batch is alone. */
export async function familyPeople(asked: Asked, batchId: number): Promise<FamilyPeople | null> {
  const { context } = asked;
  const { batches } = familyOf(context.store.read, batchId);
  if (batches.length < 2) return null;
  const pause = slicer(context.clock);
  const sent = new Map<string, EarlierNumber>();
  const rejected = new Map<string, string>();
  let [unread, forgotten] = [0, 0];
  for (const [place, batch] of batches.entries()) {
    const known = new Set([...sent.keys(), ...rejected.keys()]);
    forgotten += batch.messages;
    for (const { rows, messages } of earlierMessages(context.store.read, batch, context.clock.nowMs())) {
      noteEarlier(sent, messages, place, () => false);
      forgotten -= rows;
      await pause();
    }
    const fresh = [...sent.keys()].filter((msisdn) => !known.has(msisdn)).length;
    const here = await rejectedIn(asked, batch, rejected, pause);
    unread = place === 0 ? here : Math.max(unread - fresh, here);
  }
  for (const msisdn of sent.keys()) rejected.delete(msisdn);
  const count = (...states: readonly string[]) =>
    [...sent.values()].filter(({ state }) => states.includes(state)).length;
  const nothing = count("FAILED") + rejected.size + unread;
  return {
    ...{ people: sent.size + rejected.size + unread, nothing, forgotten },
    ...{ reached: count("DELIVERED", "SENT"), under_way: count("UNDER_WAY") },
    reasons: reasonsOf(asked, [...sent.values()], [...rejected.values()], unread),
  };
}

/** Notes why numbers were rejected, the last time counts; how many rows of its file are nobody's that is known. */
async function rejectedIn(
  asked: Asked,
  { id }: FamilyBatch,
  rejected: Map<string, string>,
  pause: () => Promise<void> | undefined,
): Promise<number> {
  let unknown = unreadableView(asked, id).unreadable;
  for (let from = 0; ; ) {
    const page = rejectionsOf(asked.context.store.read, { id, client_reference: null }, from, STEP);
    for (const { msisdn, reason_code: reason } of page) {
      if (reason === DOUBLE) continue;
      if (msisdn?.startsWith("+")) rejected.set(msisdn, reason);
      else unknown += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < STEP) return unknown;
    from = last.index + 1;
    await pause();
  }
}

function reasonsOf(
  { language, inTheirWords }: Asked,
  sent: readonly EarlierNumber[],
  rejected: readonly string[],
  unread: number,
): readonly NothingYet[] {
  const words: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  const failed = Map.groupBy(
    sent.filter(({ state }) => state === "FAILED"),
    ({ error }) => error,
  );
  const never = new Map(
    [...Map.groupBy(rejected, (reason) => reason)].map(([code, all]) => [code, all.length]),
  );
  if (unread > 0) never.set(UNREADABLE, unread);
  return [
    ...[...failed].map(([code, { length: people }]) => ({
      ...{ code, people, was_never_sent: false },
      why: inTheirWords(errorObject(code, null)?.detail ?? code),
    })),
    ...[...never].map(([code, people]) => ({
      ...{ code, people, was_never_sent: true },
      why: words[code] ?? code,
    })),
  ].sort((a, b) => b.people - a.people);
}
