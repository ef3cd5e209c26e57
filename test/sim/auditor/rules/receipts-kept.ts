import { receiptTimeoutMs } from "../connections.ts";
import { evidenceOf, isKept, type PartEvidence } from "../evidence.ts";
import { carriedStateOf, type FinalState } from "../final-states.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { joinsOf } from "../joins.ts";
import { clockForwardMs } from "../wall-clock.ts";
import { mayHaveArrived } from "../wire-submits.ts";

const found = finder(
  "receipts-kept",
  "Every deliver_sm is answered once what it says is durable: a receipt that was answered counts, whatever died.",
);

/** What receipts said that were answered is what their messages are. */
export function receiptsKept(history: History): readonly Finding[] {
  return joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1) return [];
    const state = carriedStateOf(history, only.message);
    if (state === null) return [];
    const why = whyNotCounted(history, state, evidenceOf(history, group));
    if (why === null) return [];
    const what = `message ${state.messageId} to ${only.message.msisdn} is ${state.status} (${state.errorCode ?? "no error"}): ${why}`;
    return [found(state.view.atMs, what, state.messageId, only.message.batchId ?? "")];
  });
}

function whyNotCounted(history: History, state: FinalState, parts: readonly PartEvidence[]): string | null {
  if (!parts.every(({ isAccepted }) => isAccepted)) return null;
  const kept = parts.map((part) =>
    part.receipts.filter((match) => isKept(match) && isSoon(history, part, match.deliver.writtenAtMs)),
  );
  const said = (part: number, verdict: string) => kept[part]?.find(({ says }) => says.verdict === verdict);
  const mayBe = (part: PartEvidence, verdict: string) =>
    part.receipts.some(({ says }) => says.verdict === verdict);
  // Of a text that left twice the other copy may still be on its way.
  const isOver = (part: PartEvidence, index: number) =>
    new Set(kept[index]?.flatMap(({ says }) => (says.verdict === "undelivered" ? [says.id] : []))).size >=
    part.submits.filter(mayHaveArrived).length;
  const refusing = parts.find(
    (part, index) => said(index, "undelivered") && !mayBe(part, "delivered") && isOver(part, index),
  );
  if (refusing && state.status !== "FAILED")
    return `a receipt said that part ${refusing.part} was not delivered, and was answered ${answered(said(refusing.part - 1, "undelivered"))}`;
  const areAllDelivered = parts.every(
    (part, index) => said(index, "delivered") && !mayBe(part, "undelivered"),
  );
  if (areAllDelivered && state.status !== "DELIVERED")
    return `receipts said that every part was delivered, and were answered, the last ${answered(said(parts.length - 1, "delivered"))}`;
  return null;
}

/** A receipt that comes later may come after its message was closed without it; a clock that was put forward ends the wait sooner. */
function isSoon(history: History, { submits }: PartEvidence, writtenAtMs: number): boolean {
  const leftMs = receiptTimeoutMs(history.settings) - clockForwardMs(history);
  return submits.every((submit) => writtenAtMs - submit.writtenAtMs < leftMs);
}

function answered(match: PartEvidence["receipts"][number] | undefined): string {
  return `at ${at(match?.deliver.answer?.atMs ?? 0)}`;
}
