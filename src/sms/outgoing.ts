import type { LimitClock } from "../base/clock.ts";
import { validUntil } from "../outbound/gate.ts";
import type { Candidate } from "../outbound/lanes.ts";
import { isEncodable } from "../smpp/pdu.ts";
import type { Outgoing, Submission } from "./submissions.ts";

/** A message that leaves at this moment. */
export function outgoingOf(
  { batch, message }: Candidate,
  wantsReceipt: boolean,
  clock: LimitClock,
): Outgoing {
  return {
    messageId: message.id,
    sender: batch.sender,
    msisdn: message.msisdn,
    messageClass: batch.messageClass,
    text: message.text ?? batch.body,
    validityMs: validUntil(clock, batch) - clock.nowMs(),
    wantsReceipt,
  };
}

/** Whether submits can be made at all, and each of them be written in the protocol. */
export function isCarried(submits: () => readonly Submission[]): boolean {
  try {
    return submits().every(({ message }) => isEncodable(message));
  } catch {
    return false;
  }
}
