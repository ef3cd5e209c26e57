import { commandOf, isResponseId } from "./command.ts";
import type { Decoded, Pdu } from "./pdu.ts";
import type { SessionState } from "./session-matrix.ts";
import { STATUS } from "./status.ts";

/**
 * What is said about a PDU that is not taken: to the operator, where there is an answer to it, and to the log, where
 * `what` is the kind and the detail what may vary within it.
 */
export type Refusal = { readonly answer: Pdu | null; readonly what: string; readonly detail: string | null };

/** A command that could not be read, answered with the status that says why (SMPP 3.4 section 5.1.3). */
export function refusalOfUnreadable({
  commandId,
  sequence,
  status,
  reason,
}: Decoded & { ok: false }): Refusal {
  if (isResponseId(commandId)) return { answer: null, what: reason, detail: null };
  const command = commandOf(commandId);
  const answer: Pdu =
    command === "deliver_sm" || command === "data_sm"
      ? { command: `${command}_resp`, sequence, status, messageId: null }
      : { command: "generic_nack", sequence, status };
  return { answer, what: reason, detail: null };
}

/** A command that is not for an ESME, or that nobody knows: generic_nack; a response to one has no answer. */
export function refusalOfUnknown(pdu: Pdu): Refusal {
  if (pdu.command === "deliver_sm_resp" || (pdu.command === "unsupported" && isResponseId(pdu.commandId))) {
    return { answer: null, what: "response to a command we never send", detail: null };
  }
  return {
    answer: { command: "generic_nack", sequence: pdu.sequence, status: STATUS.RINVCMDID },
    what: "a command that is not for us",
    detail: pdu.command === "unsupported" ? `0x${pdu.commandId.toString(16).padStart(8, "0")}` : pdu.command,
  };
}

/** Requests in the wrong state are refused with RINVBNDSTS; a response or a notice there has no answer. */
export function refusalOfMisplaced({ command, sequence }: Pdu, state: SessionState): Refusal {
  const status = STATUS.RINVBNDSTS;
  const what = `${command} in state ${state}`;
  if (command === "deliver_sm" || command === "data_sm") {
    return { answer: { command: `${command}_resp`, sequence, status, messageId: null }, what, detail: null };
  }
  if (command === "unbind")
    return { answer: { command: "unbind_resp", sequence, status }, what, detail: null };
  return { answer: null, what, detail: null };
}
