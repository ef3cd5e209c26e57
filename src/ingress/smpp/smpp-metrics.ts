/** What SMPP users do and are told, as figures: counted as it happens, since the start. */
import type { MetricsRegistry } from "../../core/metrics-registry.ts";
import { STATUS } from "../../smpp/status.ts";
import type { BindRefusal } from "./binds.ts";

/** submit_sm and data_sm of a user, by what they were answered. */
export const SMPP_SUBMITS = "bendre_smpp_user_submits_total";
/** Attempts to deliver a receipt, or a text that came in, to a user, by what came of them. */
export const SMPP_RECEIPTS = "bendre_smpp_user_receipts_total";
/** Binds that were refused, by their true reason. */
export const SMPP_BINDS_REFUSED = "bendre_smpp_binds_refused_total";

export const SMPP_SUBMIT_RESULTS = ["accepted", "refused", "throttled", "busy", "error"] as const;
type SubmitOutcome = (typeof SMPP_SUBMIT_RESULTS)[number];

/** `delivered`: the client took it; `repeated`: it is tried again; `given_up`: it is not. */
export const SMPP_RECEIPT_RESULTS = ["delivered", "repeated", "given_up"] as const;
export type ReceiptOutcome = (typeof SMPP_RECEIPT_RESULTS)[number];

type Tally = Pick<MetricsRegistry, "counters">;

/** Counts a submit by the command_status that it was answered with. */
export function countSubmit(tally: Tally, systemId: string, commandStatus: number): void {
  tally.counters(SMPP_SUBMITS).of(systemId, toOutcome(commandStatus)).value += 1;
}

function toOutcome(commandStatus: number): SubmitOutcome {
  switch (commandStatus) {
    case STATUS.ROK:
      return "accepted";
    case STATUS.RTHROTTLED:
      return "throttled";
    case STATUS.RMSGQFUL:
      return "busy";
    case STATUS.RSYSERR:
      return "error";
    default:
      return "refused";
  }
}

export function countReceipts(tally: Tally, systemId: string, outcome: ReceiptOutcome, count = 1): void {
  tally.counters(SMPP_RECEIPTS).of(systemId, outcome).value += count;
}

export function countRefusedBind(tally: Tally, why: BindRefusal): void {
  tally.counters(SMPP_BINDS_REFUSED).of(why).value += 1;
}
