/** Facts for the log of steps. */
import type { TraceFields, TraceLog } from "../../core/steps.ts";
import type { Tx } from "../../db/write.ts";
import type { Fact } from "./facts.ts";
import type { Status } from "./status.ts";

/** Tells what a fact says, and what it did to its message, once that is durable. */
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
      return {};
  }
}
