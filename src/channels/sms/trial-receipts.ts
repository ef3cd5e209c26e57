import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { candidateIds } from "./id-readings.ts";
import { numbersAgree } from "./number-key.ts";
import { hadLeft, mayBeTo, type ReceiptKeys, type ReceiptMatch } from "./receipt-match.ts";
import {
  type NamedTrial,
  type TrialReceipt,
  trialReceipt,
  trialsAwaiting,
  trialsByKey,
} from "./trial-rows.ts";

/**
 * Gives a receipt to the test text that it names, if there is one and no message that waits for it. It moves no money, so that it
 * needs no proof of how the account sends its receipts: id and number are enough.
 */
export function endTrial(tx: Tx, keys: ReceiptKeys, match: ReceiptMatch, receipt: TrialReceipt): boolean {
  if (match.kind === "named" && match.parts.some(({ isOpen }) => isOpen)) return false;
  const trial = trialNamed(tx, keys);
  if (trial === null) return false;
  trialReceipt(tx, trial.id, receipt);
  return true;
}

/** The exact id before its other readings; the newest where an id was used again. */
function trialNamed(read: Reader, keys: ReceiptKeys): NamedTrial | null {
  const trials = trialsByKey(read, keys.family, candidateIds(keys.id)).filter(
    (trial) => mayBeTo(trial, keys) && hadLeft(trial, keys.parkedAs),
  );
  return trials.find(({ remoteId }) => remoteId === keys.id) ?? trials[0] ?? null;
}

/** After this a test text is waited for no more. */
const WAITED_FOR_MS = 72 * 3_600_000;

/** Whether a receipt whose id nobody gave may be about a test text to this number whose answer has not come. */
export function mayBeOfTrial(
  read: Reader,
  {
    family,
    msisdn,
    parkedAs,
  }: { readonly family: readonly string[]; readonly msisdn: string; readonly parkedAs: number | null },
  nowMs: number,
): boolean {
  return trialsAwaiting(read, family, nowMs - WAITED_FOR_MS).some(
    (trial) => numbersAgree(trial.msisdn, msisdn) && hadLeft(trial, parkedAs),
  );
}
