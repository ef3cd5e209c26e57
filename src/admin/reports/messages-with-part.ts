/** Who is asked for by a part of their number, "it ends in 9003": among the last messages alone, so that it costs the same however many there are. */
import { isSandbox } from "../../core/sandbox.ts";
import { createYielder } from "../../core/slices.ts";
import {
  type MessageToPart,
  messagesWithPart,
  NEWEST,
  type PartPlace,
  spansBelow,
} from "../../domain/messages/part-of-number.ts";
import type { AdminContext } from "../operations/context.ts";
import { findAccount } from "../operations/find-account.ts";
import { createDigitCounter, createMsisdnReader, SHORTENED } from "../operations/msisdn.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { type FindView, toMessageView } from "./message-find.ts";
import { looksLikeNumber } from "./row-match.ts";

export type PartQuery = { readonly account: string | null; readonly limit: number };

/** Some digits of a number, of as many as one of its country has without its code. */
export type PartOfNumber = { readonly digits: string; readonly national: number };

export type PartView = {
  readonly messages: FindView["messages"];
  readonly is_more: boolean;
  /** How many of the last messages were looked through; all of them where `is_all`. */
  readonly looked: number;
  readonly is_all: boolean;
};

/** Messages that one search goes through: some ten milliseconds, in slices. */
const MAX_LOOKED = 20_000;
/** Batches that one search goes through, with those that hold nothing. */
const MAX_BATCHES = 20_000;
/** Messages, and batches, that are read in one go. */
const STEP = 500;

/** The digits of a part of a number; null of a whole one, and of what is none. */
export function partOf(config: AdminContext["config"], typed: string): PartOfNumber | null {
  const text = readNumberPart(typed);
  if (!looksLikeNumber(text) || SHORTENED.test(text) || createMsisdnReader(config)(text) !== null) return null;
  const digits = text.replaceAll(/\D/g, "");
  const count = createDigitCounter(config)(text);
  if (count === null || count.code !== null || count.digits >= count.most) return null;
  return { digits, national: count.most };
}

/** A part as people write it that something stands before: "…9003". */
export function readNumberPart(typed: string): string {
  return typed.replace(/^[\s….*]+/, "").trim();
}

/** The newest first. */
export async function findByNumberPart(
  { store: { read }, clock }: Pick<AdminContext, "store" | "clock">,
  { digits, national }: PartOfNumber,
  { account: wanted, limit }: PartQuery,
): Promise<AdminOutcome<PartView>> {
  const account = wanted === null ? done(null) : findAccount(read, wanted);
  if (!account.ok) return account;
  const accountId = account.value?.id ?? null;
  const pause = createYielder(clock);
  const found: MessageToPart[] = [];
  let [looked, batches] = [0, 0];
  const viewed = (is_all: boolean): AdminOutcome<PartView> =>
    done({
      messages: found.slice(0, limit).map((row) => toMessageView(read, row)),
      is_more: found.length > limit,
      looked,
      is_all,
    });
  for (let place: PartPlace = NEWEST; ; ) {
    const spans = spansBelow(read, place, accountId, STEP);
    for (const span of spans) {
      // Of all accounts sandboxes are none.
      if (accountId === null && isSandbox(span.accountId)) continue;
      for (let belowId = span.belowId; belowId > span.fromId; belowId -= STEP) {
        const fromId = Math.max(span.fromId, belowId - STEP, belowId - (MAX_LOOKED - looked));
        found.push(...messagesWithPart(read, { ...span, fromId, belowId }, digits, national));
        looked += belowId - fromId;
        if (found.length > limit || looked >= MAX_LOOKED) return viewed(false);
        const turn = pause();
        if (turn !== undefined) await turn;
      }
    }
    const last = spans.at(-1);
    if (!last || spans.length < STEP) return viewed(true);
    batches += spans.length;
    if (batches >= MAX_BATCHES) return viewed(false);
    place = last;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}
