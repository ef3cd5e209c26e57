import type { Clock } from "../base/clock.ts";
import type { GatheredLog } from "../base/gathered-log.ts";
import { numberKey } from "../messages/departures.ts";
import { readReceipt } from "../smpp/receipt.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import { type InboundRules, takeInbound } from "./inbound.ts";
import type { ParkedMark } from "./parked-receipts.ts";
import { applyReceipt, type ReceiptOutcome } from "./receipts.ts";
import type { Recorder } from "./recorder.ts";

export type IncomingDeps = {
  readonly operator: string;
  /** The connection's place in the operator's list, from 1. */
  readonly connection: number;
  readonly inbound: InboundRules;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly gathered: GatheredLog;
  readonly parked: ParkedMark;
  /** Told what became of each receipt. */
  readonly count: (outcome: ReceiptOutcome) => void;
};

/** RX_T_APPN: a temporary error, which makes the SMSC send it again (SMPP 3.4 section 5.1.3). */
const TRY_AGAIN = 0x64;

/**
 * Takes what an operator sends in: receipts and subscribers' texts. It is answered once it is durable, so that nothing is
 * lost to a crash; what can't be written is asked for again. No text ever reaches the log.
 */
export function incomingFrom(deps: IncomingDeps) {
  const { operator, connection, inbound, recorder, clock, gathered, count } = deps;
  const onParked = (rowId: number): void => {
    deps.parked.last = Math.max(deps.parked.last, rowId);
  };
  return async (message: ShortMessage, answer: (status: number) => void, sequence: number): Promise<void> => {
    try {
      const receipt = readReceipt(message);
      if (receipt) {
        const incoming = { operator, receipt, ...numbersOf(message), connection, sequence, onParked };
        const outcome = await recorder.record((tx, session) =>
          applyReceipt(tx, session, incoming, clock.nowMs()),
        );
        count(outcome);
        if (outcome === "unusable")
          gathered.note("warn", "no id", "receipt without an id", { state: receipt.rawStat });
      } else {
        const taken = await recorder.record((tx) =>
          takeInbound(tx, inbound, { operator, connection }, message, clock.nowMs()),
        );
        const told = { outcome: taken.kind, opted_out: taken.optedOut };
        gathered.note("info", `inbound ${taken.kind} ${taken.optedOut}`, "inbound text", told);
      }
      answer(STATUS.ROK);
    } catch {
      answer(TRY_AGAIN);
    }
  };
}

/** The handset a receipt is about: where it comes from, or, of operators that leave the addresses as they were, where to. */
function numbersOf({ sourceAddr, destinationAddr }: ShortMessage) {
  return numberKey(sourceAddr) === null
    ? { msisdn: destinationAddr, otherNumber: sourceAddr }
    : { msisdn: sourceAddr, otherNumber: destinationAddr };
}
