import type { Clock } from "../base/clock.ts";
import type { GatheredLog } from "../base/gathered-log.ts";
import { errorFields } from "../base/log.ts";
import { type ConnectionConfig, smscAccount } from "../config/config.ts";
import { type InboundRules, takeInbound } from "../inbound/inbound.ts";
import type { Recorder } from "../outbound/recorder.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import type { Tx } from "../store/write.ts";
import { numberKey } from "./number-key.ts";
import { readReceipt } from "./read-receipt.ts";
import { habitBy, habitOf, noteMarked, type ReceiptMemory } from "./receipt-habit.ts";
import { applyReceipt, type ReceiptOutcome } from "./receipts.ts";
import { receivedText } from "./received-text.ts";

export type IncomingDeps = {
  readonly operator: string;
  /** The connection's place in the operator's list, from 1. */
  readonly connection: number;
  readonly inbound: InboundRules;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly gathered: GatheredLog;
  readonly memory: ReceiptMemory;
  /** The connection that brings it. */
  readonly smsc: ConnectionConfig;
  /** Told what became of each receipt. */
  readonly count: (outcome: ReceiptOutcome) => void;
};

const BOTH_KINDS =
  'receipts came with a mark and without one: those without are taken for subscribers\' texts from now on; unmarked_receipts = "always" takes both';
const NOT_SURE =
  'texts that look like receipts wait until it is sure that the operator sends them so; where it does, unmarked_receipts = "always" spares the wait';

/** RX_T_APPN: a temporary error, which makes the SMSC send it again (SMPP 3.4 section 5.1.3). */
const TRY_AGAIN = 0x64;

/**
 * Takes what an operator sends in: receipts and subscribers' texts. It is answered once it is durable, so that nothing is
 * lost to a crash; what can't be written is asked for again. No text ever reaches the log.
 */
export function incomingFrom(deps: IncomingDeps) {
  const { operator, connection, inbound, recorder, clock, gathered, count } = deps;
  const { parked, seen } = deps.memory;
  const account = smscAccount(deps.smsc);
  const { unmarked_receipts: setting } = deps.smsc;
  const onParked = (rowId: number): void => {
    parked.last = Math.max(parked.last, rowId);
  };
  const sawMark = (tx: Tx): void => {
    const before = noteMarked(tx, account, clock.nowMs());
    tx.afterCommit(() => seen.set(account, "marked"));
    if (before === "unmarked" && setting === "auto") tx.afterCommit(warnOfBoth);
  };
  const lookWhether = (tx: Tx): void => {
    if (habitOf(tx, account) === "unmarked") tx.afterCommit(() => seen.set(account, "unmarked"));
  };
  const warnOfBoth = (): void => gathered.note("warn", "both", BOTH_KINDS, { smsc_account: account });
  return async (message: ShortMessage, answer: (status: number) => void, sequence: number): Promise<void> => {
    try {
      const receipt = readReceipt(message);
      const habit = habitBy(setting, seen.get(account) ?? null);
      if (receipt && (receipt.isMarked || habit !== "marked")) {
        const from = { operator, connection, sequence, account, ...numbersOf(message), onParked };
        const incoming = { ...from, receipt, message, isSure: habit === "unmarked" };
        const outcome = await recorder.record((tx, session) => {
          if (receipt.isMarked && seen.get(account) !== "marked") sawMark(tx);
          const applied = applyReceipt(tx, session, incoming, clock.nowMs());
          if (!receipt.isMarked && habit === "unknown") lookWhether(tx);
          return applied;
        });
        count(outcome);
        if (outcome === "parked" && !receipt.isMarked && habit === "unknown")
          gathered.note("warn", "not sure", NOT_SURE, { smsc_account: account });
        if (outcome === "unusable")
          gathered.note("warn", "no id", "receipt without an id", { state: receipt.rawStat });
      } else {
        const taken = await recorder.record((tx) =>
          takeInbound(tx, inbound, { operator, connection }, receivedText(message), clock.nowMs()),
        );
        const told = { outcome: taken.kind, opted_out: taken.optedOut };
        gathered.note("info", `inbound ${taken.kind} ${taken.optedOut}`, "inbound text", told);
      }
      answer(STATUS.ROK);
    } catch (error) {
      const words = "what an operator sent could not be written down";
      gathered.note("error", "incoming", words, { ...errorFields(error) });
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
