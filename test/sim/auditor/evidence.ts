/** What the wires tell of one part of a message: whether a centre has it, whether the appliance must know, and what receipts said. */
import { connectionsTo } from "./connections.ts";
import { deathThatUndid } from "./durable.ts";
import type { History } from "./history.ts";
import { carrying, type Group } from "./joins.ts";
import { type ReceiptMatch, receiptMatchesOf } from "./receipt-matches.ts";
import type { Submit } from "./wire-submits.ts";

export type PartEvidence = {
  readonly part: number;
  readonly submits: readonly Submit[];
  /** A centre accepted it, or a receipt says so. */
  readonly mayBeAccepted: boolean;
  /** An acceptance was heard in time, and nothing can have undone it. */
  readonly isAccepted: boolean;
  readonly receipts: readonly ReceiptMatch[];
};

/** What stands behind each part of a message, from the first on. */
export function evidenceOf(history: History, group: Group): readonly PartEvidence[] {
  const matches = receiptMatchesOf(history);
  return Array.from({ length: group.segments }, (_, index) => {
    const submits = carrying(group, index + 1);
    const receipts = submits.flatMap((submit) => matches.get(submit) ?? []);
    const wasAccepted = submits.some(({ answers }) => answers.some(({ status }) => status === 0));
    return {
      part: index + 1,
      submits,
      receipts,
      mayBeAccepted: wasAccepted || receipts.length > 0,
      isAccepted: submits.some((submit) => wasHeardInTime(history, submit, "accepted")),
    };
  });
}

/** Less than this before its time is up, an answer may be late after all. */
const CLOSE_MS = 1_000;

/** Whether the appliance's first answer to a submit was of a kind, came before it was called unanswered, and is kept. */
export function wasHeardInTime(
  history: History,
  submit: Submit,
  kind: "accepted" | "refused" | "any",
): boolean {
  const heard = submit.answers.filter(({ heardAtMs }) => heardAtMs !== null);
  const [first] = heard;
  if (!first || first.heardAtMs === null || !first.isSure) return false;
  if (kind !== "any" && (first.status === 0) !== (kind === "accepted")) return false;
  const { heardAtMs } = first;
  if (submit.linkEndedAtMs !== null && submit.linkEndedAtMs - heardAtMs < CLOSE_MS) return false;
  const timeouts = connectionsTo(history, submit.centre).map(({ responseTimeoutMs }) => responseTimeoutMs);
  if (heardAtMs - submit.writtenAtMs >= Math.min(...timeouts) - CLOSE_MS) return false;
  return deathThatUndid(history, heardAtMs) === null;
}

/** Whether a receipt must count: it can be about no other submit, and the centre was told that it is kept. */
export function isKept({ deliver, isSure }: ReceiptMatch): boolean {
  return isSure && deliver.answer?.status === 0;
}
