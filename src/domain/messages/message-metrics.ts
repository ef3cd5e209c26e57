/** What happens to messages, counted once it is durable. */
import { type Counter, LONG_SECONDS, type MetricsRegistry } from "../../core/metrics-registry.ts";
import { isSandbox, isSandboxOperator } from "../../core/sandbox.ts";
import type { Tx } from "../../db/writer.ts";
import type { Status } from "./message-status.ts";

/** Messages by operator, class and status, each time that one reaches it. */
export const MESSAGES = "bendre_messages_total";
/** Of those that failed, how many were given up before they left, by operator: it refused none of them. */
export const NEVER_LEFT = "bendre_never_left";
/** Recipients that were dropped, by reason. */
export const REJECTIONS = "bendre_rejections_total";
/** From the last submit to the receipt that ended a message, by operator. */
export const RECEIPT_SECONDS = "bendre_receipt_seconds";

/** What the facts of one transaction are to be counted as. */
type MoveMetrics = {
  /** A message came to be where it is now, by way of other states or at once. */
  readonly reached: (operator: string, messageClass: string, on: readonly Status[], now: Status) => void;
  /** A message of an operator was given up, and not by what the operator said. */
  readonly neverLeft: (operator: string) => void;
  /** A receipt ended a message that was submitted so long ago. */
  readonly receipted: (operator: string, afterMs: number) => void;
  /** Has it counted with the commit. */
  readonly close: () => void;
};

/** Collects what a transaction does, so that it counts once the transaction is durable, and else not at all. */
export function createMoveMetrics(tx: Tx): MoveMetrics {
  const { tally } = tx;
  const statuses = tally.counters(MESSAGES);
  let counters: Counter[] = [];
  let waits: { readonly operator: string; readonly afterMs: number }[] = [];
  return {
    reached: (operator, messageClass, on, now) => {
      if (isSandboxOperator(operator)) return;
      for (const status of on) if (status !== now) counters.push(statuses.of(operator, messageClass, status));
      counters.push(statuses.of(operator, messageClass, now));
    },
    neverLeft: (operator) => {
      if (!isSandboxOperator(operator)) counters.push(tally.counters(NEVER_LEFT).of(operator));
    },
    receipted: (operator, afterMs) => {
      if (!isSandboxOperator(operator)) waits.push({ operator, afterMs });
    },
    close: () => {
      if (counters.length === 0) return;
      const [counted, waited] = [counters, waits];
      tx.afterCommit(() => {
        for (const counter of counted) counter.value += 1;
        for (const { operator, afterMs } of waited)
          receiptSeconds(tally)
            .of(operator)
            .observe(Math.max(0, afterMs) / 1000);
      });
      counters = [];
      waits = [];
    },
  };
}

/** The histogram of `RECEIPT_SECONDS` by operator. */
function receiptSeconds(tally: MetricsRegistry) {
  return tally.histograms(RECEIPT_SECONDS, LONG_SECONDS);
}

/** What the recipients of a batch came to, by operator and by reason. */
export type RecipientMetrics = {
  readonly operators: Map<string, number>;
  /** Those that the accepting transaction claims as well. */
  readonly claimed: Map<string, number>;
  readonly reasons: Map<string, number>;
};

export function createRecipientMetrics(): RecipientMetrics {
  return { operators: new Map(), claimed: new Map(), reasons: new Map() };
}

/** Adds recipients that were accepted, and those that were not. */
export function addRecipients(
  { operators, reasons }: RecipientMetrics,
  messages: readonly { readonly operator: string }[],
  rejections: readonly { readonly reason: string }[],
): void {
  for (const { operator } of messages) operators.set(operator, (operators.get(operator) ?? 0) + 1);
  for (const { reason } of rejections) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

/** Adds messages that are claimed as they are accepted; they were added as accepted too. */
export function addClaims(
  { claimed }: RecipientMetrics,
  messages: readonly { readonly operator: string }[],
): void {
  for (const { operator } of messages) claimed.set(operator, (claimed.get(operator) ?? 0) + 1);
}

/** Has the recipients of a batch that is accepted counted with the commit; those of a sandbox are none. */
export function countAccepted(
  tx: Tx,
  { accountId, messageClass }: { readonly accountId: number; readonly messageClass: string },
  { operators, claimed, reasons }: RecipientMetrics,
): void {
  const { tally } = tx;
  if (isSandbox(accountId)) return;
  tx.afterCommit(() => {
    for (const [operator, messages] of operators)
      tally.counters(MESSAGES).of(operator, messageClass, "QUEUED").value += messages;
    for (const [operator, messages] of claimed)
      tally.counters(MESSAGES).of(operator, messageClass, "SUBMITTED").value += messages;
    for (const [reason, recipients] of reasons) tally.counters(REJECTIONS).of(reason).value += recipients;
  });
}
