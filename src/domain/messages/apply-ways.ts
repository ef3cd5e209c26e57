/** How facts move messages with two ways: what `decideWays` says is written beside their rows. */

import type { Tx } from "../../db/write.ts";
import { accountById } from "../accounts/accounts.ts";
import type { BatchLife } from "./batch-status.ts";
import type { MessageState } from "./decide.ts";
import { decideWays, shownStatus, type WaysDecision } from "./decide-ways.ts";
import type { Fact } from "./facts.ts";
import { type Fallback, fallbackOf } from "./fallbacks.ts";
import { forgetParts } from "./part-rows.ts";
import type { AcceptedPart } from "./parts.ts";
import { carryBy, type MessageWay, type MessageWays, waysOf, writeWays } from "./second-ways.ts";

/** A message with two ways as it stands. */
export type TwoWays = {
  readonly ways: MessageWays;
  readonly carried: MessageWay;
  readonly fallback: Fallback;
};

/** The messages with two ways that one transaction moves. */
export type WaysDesk = {
  /** Null of a message that has one way. */
  readonly of: (messageId: number, batchId: number) => TwoWays | null;
  readonly decide: (
    two: TwoWays,
    before: MessageState,
    parts: readonly AcceptedPart[],
    fact: Fact,
    rules: BatchLife,
  ) => WaysDecision;
  /** Writes the ways; the row itself is written after this. Whether its client sees a move. */
  readonly write: (messageId: number, two: TwoWays, before: MessageState, decision: WaysDecision) => boolean;
};

export function waysDesk(tx: Tx, nowMs: number): WaysDesk {
  const fallbacks = new Map<number, Fallback | null>();
  const fallbackFor = (batchId: number): Fallback | null => {
    const known = fallbacks.get(batchId);
    if (known !== undefined) return known;
    const found = fallbackOf(tx, batchId);
    fallbacks.set(batchId, found);
    return found;
  };
  return {
    of: (messageId, batchId) => {
      const fallback = fallbackFor(batchId);
      const found = fallback && waysOf(tx, messageId);
      return found && { ...found, fallback };
    },
    decide: (two, before, parts, fact, { chargeOn, cancelReason, accountId }) => {
      const isSuspended = accountById(tx, accountId)?.status !== "ACTIVE";
      const rules = { chargeOn, cancelReason, isSuspended, fallback: two.fallback };
      return decideWays(before, two, parts, fact, rules, nowMs);
    },
    write: (messageId, two, before, { after, ways, carried }) => {
      if (carried !== null) {
        if (ways.stage === "SECOND") forgetParts(tx, messageId);
        carryBy(tx, messageId, carried);
      }
      if (ways !== two.ways || after.isFinal) writeWays(tx, messageId, ways, !after.isFinal);
      return seen(two.ways, before) !== seen(ways, after) || ways.stage === "FIRST";
    },
  };
}

/** What of a message its client sees move. */
function seen({ shown }: MessageWays, { status, isFinal, errorCode }: MessageState): string {
  return [shownStatus(status, shown), isFinal, errorCode].join(" ");
}
