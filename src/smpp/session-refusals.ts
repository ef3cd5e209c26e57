import { assert } from "../core/assert.ts";
import { toCommand, isResponseId } from "./command.ts";
import { RINVOPTPARSTREAM } from "./pdu-frame.ts";
import type { Pdu, UndecodablePdu } from "./pdu-kinds.ts";
import { broken } from "./pdu-tables.ts";
import { type SessionOutput, unexpected, write } from "./session-output.ts";
import { STATUS } from "./status.ts";

/**
 * A command that could not be read, answered with the status that says why: with its own response where `isForUs` says that
 * this side takes such messages, else with generic_nack. A response has no answer.
 */
export function refuseUnreadable(
  { commandId, sequence, status, reason }: UndecodablePdu,
  isForUs: (command: string) => boolean,
): SessionOutput[] {
  const fault = unexpected(reason);
  if (isResponseId(commandId)) return [fault];
  const command = toCommand(commandId);
  const isMessage = command === "submit_sm" || command === "deliver_sm" || command === "data_sm";
  if (!isMessage || !isForUs(command)) return [write({ command: "generic_nack", sequence, status }), fault];
  return [write({ command: `${command}_resp`, sequence, status, messageId: null }), fault];
}

/** A message that a broken optional parameter makes unreadable to this side. */
export function refuseBroken(pdu: Pdu, isForUs: (command: string) => boolean): SessionOutput[] {
  assert(pdu.command !== "unsupported", "of what is not spoken no parameter is read");
  return refuseUnreadable(broken(pdu.command, pdu.sequence, RINVOPTPARSTREAM), isForUs);
}

/** A command that is not for this side, or that nobody knows: generic_nack, told as `what`; a response has no answer. */
export function refuseUnknown(pdu: Pdu, what: string): SessionOutput[] {
  const { command, sequence } = pdu;
  const isResponse = command === "unsupported" ? isResponseId(pdu.commandId) : command.endsWith("_resp");
  if (isResponse) return [unexpected("a response to a command that was not sent")];
  const detail = command === "unsupported" ? `0x${pdu.commandId.toString(16).padStart(8, "0")}` : command;
  const nack = write({ command: "generic_nack", sequence, status: STATUS.RINVCMDID });
  return [nack, unexpected(what, detail)];
}
