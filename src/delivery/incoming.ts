import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { readReceipt } from "../smpp/receipt.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import { applyReceipt, type ReceiptOutcome } from "./receipts.ts";
import type { Recorder } from "./recorder.ts";

export type IncomingDeps = {
  readonly operator: string;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly log: Log;
  /** Told what became of each receipt. */
  readonly count: (outcome: ReceiptOutcome) => void;
};

/** RX_T_APPN: a temporary error, which makes the SMSC send it again (SMPP 3.4 section 5.1.3). */
const TRY_AGAIN = 0x64;

/**
 * Takes what an operator sends in. A receipt is answered once its fact is durable, so that none is lost to a crash;
 * one that can't be written is asked for again.
 */
export function incomingFrom({ operator, recorder, clock, log, count }: IncomingDeps) {
  return async (message: ShortMessage, answer: (status: number) => void): Promise<void> => {
    const receipt = readReceipt(message);
    if (!receipt) {
      log.warn("inbound text received and not kept", { from_length: message.sourceAddr.length });
      answer(STATUS.ROK);
      return;
    }
    try {
      const outcome = await recorder.record((tx, session) =>
        applyReceipt(tx, session, { operator, receipt, msisdn: handsetOf(message) }, clock.nowMs()),
      );
      count(outcome);
      if (outcome === "unusable") log.warn("receipt without an id", { state: receipt.rawStat });
      answer(STATUS.ROK);
    } catch {
      answer(TRY_AGAIN);
    }
  };
}

/** A number has at least this many digits; a sender that is text or a short code has fewer. */
const FEWEST_DIGITS = 8;

/** The handset a receipt is about: where it comes from, or, of operators that leave the addresses as they were, where to. */
function handsetOf({ sourceAddr, destinationAddr }: ShortMessage): string {
  return sourceAddr.replace(/\D/g, "").length >= FEWEST_DIGITS ? sourceAddr : destinationAddr;
}
