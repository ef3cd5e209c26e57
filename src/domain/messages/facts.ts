/**
 * Type of every fact that can happen to an accepted message (claimed, accepted, refused, receipt, given up …), and how the
 * trace logs it.
 */
import type { TraceFields, TraceLog } from "../../core/log.ts";
import type { Tx } from "../../db/writer.ts";
import type { MessageError, Status } from "./message-status.ts";

/** What a receipt says of one segment. */
export type ReceiptVerdict =
  /** `isFree`: whoever carried it bills nobody, and nothing is charged. */
  | { readonly kind: "delivered"; readonly isFree?: true }
  | { readonly kind: "failed"; readonly error: MessageError }
  /** It did not go out, and is to be tried again: not before an instant. */
  | { readonly kind: "again"; readonly notBeforeMs: number; readonly operatorCode: string | null }
  /** Intermediate or of an unknown state: noted, and waited on. */
  | { readonly kind: "pending"; readonly rawState: string };

/** A receipt as it came: the state in the operator's word, its code, and what brought it. */
export type RawReceipt = {
  readonly state: string | null;
  readonly code: string | null;
  /** The connection's place in the operator's list, from 1, and its number there; null where that was not noted. */
  readonly connection: number | null;
  readonly sequence: number | null;
};

/**
 * How a segment left, in its channel's own numbers. They are kept beside the segment for its timeline and for what the
 * channel looks up later: no fact is decided by them.
 */
export type PartTrace = {
  /** The claim it belongs to, from 1. */
  readonly attempt: number;
  /** The connection's place in the operator's list, from 1, and its number there. */
  readonly connection: number;
  readonly sequence: number;
  readonly writtenAtMs: number;
  /**
   * The highest number of an unmatched receipt at the claim. It stands for a clock: a receipt with that number or a lower one came before
   * the segment left, and cannot be about it, whatever id or telephone number it names. Null: not noted.
   */
  readonly unmatchedBefore: number | null;
  /** Names what else the channel notes of it. */
  readonly pduParametersId: number;
};

/**
 * Everything that can happen to an accepted message. Whoever learns of one hands it to `applyFacts`, the only function that changes a
 * message.
 */
export type Fact = {
  readonly messageId: number;
  /** Reported of the first leg: it moves no status of a message that its fallback carries. */
  readonly isFirstLeg?: true;
} /**
 * `operator`: whose queue it was taken from. `unmatchedBefore`: the highest number of an unmatched receipt then. `mayHaveLeft`: it is not
 * about to leave, but may have before, so that its end of validity does not matter.
 */ & (
  | {
      readonly kind: "claimed";
      readonly unmatchedBefore?: number;
      readonly operator?: string;
      readonly mayHaveLeft?: true;
    }
  /** Nothing was heard of the first leg for the time that its client gave it. */
  | { readonly kind: "first_silent" }
  /** Claimed, and then not one byte of it was written. */
  | { readonly kind: "not_written" }
  /**
   * The operator asked for later, or a part has to be tried again: not before `notBeforeMs`. `isResend`: the outcome of a submit of it was
   * unknown, so that it is one of the resends.
   */
  | {
      readonly kind: "postponed";
      readonly notBeforeMs: number;
      readonly operatorCode: string | null;
      readonly isResend?: true;
    }
  /**
   * A route refused it, or said "later" too often, and another is to carry it: due at once, or at `notBeforeMs`. `routesTried`: the routes
   * that are marked for it from now on (domain/routing/marks.ts). Nothing of it was accepted, and no outcome is unknown.
   */
  | {
      readonly kind: "rerouted";
      readonly routesTried: number;
      readonly notBeforeMs: number;
      readonly operatorCode: string | null;
    }
  /** The operator accepted a segment under an id. `final`: this operator sends no receipts. */
  | {
      readonly kind: "part_accepted";
      readonly part: number;
      readonly operator: string;
      /** The operator's id exactly as received, and the form that receipts are looked up by. */
      readonly remoteId: string;
      readonly remoteKey: string;
      readonly final: boolean;
      /** As far as it is known. */
      readonly trace?: Partial<PartTrace>;
      /** It was a receipt that said so, and no response. */
      readonly byReceipt?: true;
      /** The segment's row is there already: `moveIdentifiedPart` has given it an id that had stood at another one. */
      readonly isMoved?: boolean;
    }
  /** The operator refused for good; the message may be back in the queue to be sent again. */
  | { readonly kind: "refused"; readonly error: MessageError }
  /** Written, and no answer came. "resend" goes ahead of its class; "wait" holds it until `untilMs`. */
  | { readonly kind: "unanswered"; readonly next: "resend" }
  | { readonly kind: "unanswered"; readonly next: "wait"; readonly untilMs: number }
  /** The wait for an unanswered submit is over. */
  | { readonly kind: "outcome_unknown" }
  | {
      readonly kind: "receipt";
      readonly part: number;
      readonly remoteKey: string;
      readonly verdict: ReceiptVerdict;
      readonly raw?: RawReceipt;
    }
  /** The second SMS of a message, which another route was asked to carry, has ended, whatever came of it. */
  | { readonly kind: "second_over" }
  /** SENT for so long that no receipt is expected any more. `isFree`: then nothing is charged. */
  | { readonly kind: "receipt_overdue"; readonly isFree?: true }
  /** Given up while it waited in the queue. */
  | { readonly kind: "given_up"; readonly error: MessageError }
  | { readonly kind: "cancelled"; readonly error: MessageError }
);

// Facts in the trace log.

/** Logs what a fact says, and what it did to its message, once that is durable. */
export function traceFact(tx: Tx, steps: TraceLog, fact: Fact, from: Status, to: Status): void {
  const fields = { message: fact.messageId, fact: fact.kind, from, to, ...detailsOf(fact) };
  tx.afterCommit(() => steps.tell("messages", "fact", fields));
}

function detailsOf(fact: Fact): TraceFields {
  switch (fact.kind) {
    case "part_accepted":
      return { part: fact.part, operator: fact.operator, id: fact.remoteId, by_receipt: fact.byReceipt };
    case "receipt": {
      const { part, verdict, raw } = fact;
      return { part, verdict: verdict.kind, stat: raw?.state, err: raw?.code };
    }
    case "postponed":
      return { not_before_ms: fact.notBeforeMs, operator_code: fact.operatorCode, is_resend: fact.isResend };
    case "rerouted":
      return { routes_tried: fact.routesTried, operator_code: fact.operatorCode };
    case "refused":
    case "given_up":
    case "cancelled":
      return { error: fact.error.code, operator_code: fact.error.operatorCode };
    case "unanswered":
      return { next: fact.next };
    case "claimed":
    case "first_silent":
    case "not_written":
    case "outcome_unknown":
    case "receipt_overdue":
    case "second_over":
      return {};
  }
}
