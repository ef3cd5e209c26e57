/** Answers the operations on messages that were taken before, and submits to many at once. */
import { phrase } from "../i18n/phrase.ts";
import { encodePdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import { type Centre, violate } from "./centre.ts";
import { partOf } from "./handset-part.ts";
import type { KeptMessage } from "./message-book.ts";
import { cancelMessage } from "./message-life.ts";
import { type Operation, operationResponse, readOperation } from "./operation-pdus.ts";
import { finalDate } from "./receipt-message.ts";
import { ERROR_CODE, MESSAGE_STATE } from "./states.ts";
import { type SubmitDesk, takeSubmit } from "./submit-desk.ts";

type Write = (octets: Uint8Array) => void;

/**
 * Takes a command that the codec does not know; false where it is none of these operations. `systemId` is null on a link
 * that is not bound for submitting.
 */
export function operate(
  submits: SubmitDesk,
  frame: Uint8Array,
  sequence: number,
  systemId: string | null,
  write: Write,
): boolean {
  const operation = readOperation(frame);
  if (operation === null) return false;
  const { centre, link } = submits;
  if (operation === "broken") {
    violate(centre, link, phrase("simulator.rule.operation_cut"));
    write(encodePdu({ command: "generic_nack", sequence, status: STATUS.RINVCMDLEN }));
  } else if (operation.name === "submit_multi") submitMulti(submits, operation, systemId, write);
  else if (systemId === null) write(operationResponse(operation, STATUS.RINVBNDSTS));
  else if (operation.name === "query_sm") query(centre, operation, systemId, write);
  else if (operation.name === "cancel_sm") cancel(centre, operation, systemId, write);
  else replace(centre, operation, systemId, write);
  return true;
}

/** The messages that an id names, as far as the source address that came with it agrees. */
function named(
  { book }: Centre,
  { messageId, message: { sourceAddr } }: Operation,
  systemId: string,
): readonly KeptMessage[] {
  return book
    .find(systemId, messageId)
    .filter(({ submitted }) => sourceAddr === "" || submitted.message.sourceAddr === sourceAddr);
}

function query(centre: Centre, operation: Operation, systemId: string, write: Write): void {
  const [message] = named(centre, operation, systemId);
  if (!message) {
    write(operationResponse(operation, STATUS.RINVMSGID));
    return;
  }
  write(
    operationResponse(operation, STATUS.ROK, {
      message_id: operation.messageId,
      final_date: message.doneAtMs === null ? "" : finalDate(message.doneAtMs),
      message_state: MESSAGE_STATE[message.state],
      error_code: ERROR_CODE[message.state] & 0xff,
    }),
  );
}

function cancel(centre: Centre, operation: Operation, systemId: string, write: Write): void {
  const { messageId } = operation;
  const { sourceAddr, destinationAddr } = operation.message;
  const meant =
    messageId === ""
      ? centre.book
          .underWay(systemId)
          .filter(({ submitted: { message } }) => message.sourceAddr === sourceAddr)
          .filter(({ submitted: { message } }) => message.destinationAddr === destinationAddr)
      : named(centre, operation, systemId);
  const underWay = meant.filter(({ state }) => state === "ENROUTE");
  const isUnknown = messageId !== "" && meant.length === 0;
  const failure = isUnknown ? STATUS.RINVMSGID : STATUS.RCANCELFAIL;
  write(operationResponse(operation, underWay.length > 0 ? STATUS.ROK : failure));
  for (const message of underWay) cancelMessage(centre, message);
}

function replace(centre: Centre, operation: Operation, systemId: string, write: Write): void {
  const { registeredDelivery, shortMessage } = operation.message;
  const meant = named(centre, operation, systemId);
  const underWay = meant.filter(({ state }) => state === "ENROUTE");
  for (const kept of underWay) {
    const { submitted } = kept;
    const { messagePayload: _, ...tlvs } = submitted.message.tlvs;
    const message = { ...submitted.message, registeredDelivery, shortMessage, tlvs };
    kept.submitted = { ...submitted, message, part: partOf(message, centre.defaultAlphabet) };
  }
  const failure = meant.length === 0 ? STATUS.RINVMSGID : STATUS.RREPLACEFAIL;
  write(operationResponse(operation, underWay.length > 0 ? STATUS.ROK : failure));
}

/** Each destination is a submit of its own; they share the id, and one answer tells of them all. */
function submitMulti(submits: SubmitDesk, operation: Operation, systemId: string | null, write: Write): void {
  const { sequence, destinations } = operation;
  const refused: ReturnType<typeof unsuccessful>[] = [];
  const request = {};
  let waiting = destinations.length;
  let id: string | null = null;
  const settle = (): void => {
    waiting -= 1;
    if (waiting > 0) return;
    // Nobody was taken: the first reason is that of the whole.
    const [first] = refused;
    if (id === null) write(operationResponse(operation, first?.error_status_code ?? STATUS.RINVNUMDESTS));
    else write(operationResponse(operation, STATUS.ROK, { message_id: id, unsuccess_sme: refused }));
  };
  if (destinations.length === 0) write(operationResponse(operation, STATUS.RINVNUMDESTS));
  for (const destination of destinations) {
    if (typeof destination === "string") {
      refused.push(unsuccessful({ destinationAddr: destination }, STATUS.RINVDLNAME));
      settle();
      continue;
    }
    const respond = (status: number, messageId: string | null): void => {
      if (status === STATUS.ROK) id ??= messageId;
      else refused.push(unsuccessful(destination, status));
      settle();
    };
    takeSubmit(submits, { sequence, message: destination, systemId, respond, request });
  }
}

/** A destination that was not taken, as submit_multi_resp tells it (SMPP 3.4 section 4.5.2). */
function unsuccessful(
  { destAddrTon = 0, destAddrNpi = 0, destinationAddr = "" }: Partial<ShortMessage>,
  status: number,
) {
  return {
    dest_addr_ton: destAddrTon,
    dest_addr_npi: destAddrNpi,
    destination_addr: destinationAddr,
    error_status_code: status,
  };
}
