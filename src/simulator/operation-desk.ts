import { isResponseId } from "../smpp/command.ts";
import { encodePdu, type Pdu } from "../smpp/pdu.ts";
import type { Centre } from "./centre.ts";
import { type KeptMessage, stateNumber } from "./message-book.ts";
import {
  multiBody,
  type Operation,
  operationResponse,
  queryBody,
  readOperation,
  type Unsuccessful,
} from "./operation-pdus.ts";
import { partOf } from "./part.ts";
import { finalDate } from "./receipt-message.ts";
import { ERROR_CODE, STATUS } from "./states.ts";
import type { SubmitDesk } from "./submit-desk.ts";

/** Answers the operations on messages that were taken before, and submits to many at once. */
export type OperationDesk = {
  /** A command that the codec does not know. `systemId` is null on a link that is not bound for submitting. */
  readonly take: (frame: Uint8Array, header: UnknownPdu, systemId: string | null) => void;
};

type UnknownPdu = Extract<Pdu, { readonly command: "unsupported" }>;

export type OperationDeskOptions = {
  readonly centre: Centre;
  readonly submits: SubmitDesk;
  readonly violate: (what: string) => void;
  readonly write: (octets: Uint8Array) => void;
};

export function operationDesk({ centre, submits, violate, write }: OperationDeskOptions): OperationDesk {
  const { book } = centre;

  /** The messages that an id names, as far as the source address that came with it agrees. */
  const named = (systemId: string, messageId: string, sourceAddr: string): readonly KeptMessage[] =>
    book
      .find(systemId, messageId)
      .filter(({ submitted }) => sourceAddr === "" || submitted.message.sourceAddr === sourceAddr);

  const query = ({ name, sequence, messageId, sourceAddr }: Of<"query_sm">, systemId: string): void => {
    const [message] = named(systemId, messageId, sourceAddr);
    if (!message) {
      write(operationResponse(name, sequence, STATUS.RINVMSGID));
      return;
    }
    const date = message.doneAtMs === null ? "" : finalDate(message.doneAtMs);
    const body = queryBody(messageId, date, stateNumber(message), ERROR_CODE[message.state]);
    write(operationResponse(name, sequence, STATUS.ROK, body));
  };

  const cancel = (operation: Of<"cancel_sm">, systemId: string): void => {
    const { name, sequence, messageId, sourceAddr, destinationAddr } = operation;
    const meant =
      messageId === ""
        ? book
            .underWay(systemId)
            .filter(({ submitted: { message } }) => message.sourceAddr === sourceAddr)
            .filter(({ submitted: { message } }) => message.destinationAddr === destinationAddr)
        : named(systemId, messageId, sourceAddr);
    const underWay = meant.filter(({ state }) => state === "ENROUTE");
    const isUnknown = messageId !== "" && meant.length === 0;
    const failure = isUnknown ? STATUS.RINVMSGID : STATUS.RCANCELFAIL;
    write(operationResponse(name, sequence, underWay.length > 0 ? STATUS.ROK : failure));
    for (const message of underWay) centre.cancel(message);
  };

  const replace = (operation: Of<"replace_sm">, systemId: string): void => {
    const { name, sequence, messageId, sourceAddr, registeredDelivery, shortMessage } = operation;
    const meant = named(systemId, messageId, sourceAddr);
    const underWay = meant.filter(({ state }) => state === "ENROUTE");
    for (const kept of underWay) {
      const { submitted } = kept;
      const { messagePayload: _, ...tlvs } = submitted.message.tlvs;
      const message = { ...submitted.message, registeredDelivery, shortMessage, tlvs };
      kept.submitted = { ...submitted, message, part: partOf(message, centre.defaultAlphabet) };
    }
    const failure = meant.length === 0 ? STATUS.RINVMSGID : STATUS.RREPLACEFAIL;
    write(operationResponse(name, sequence, underWay.length > 0 ? STATUS.ROK : failure));
  };

  /** Each destination is a submit of its own; they share the id, and one answer tells of them all. */
  const submitMulti = (operation: Of<"submit_multi">, systemId: string | null): void => {
    const { name, sequence, destinations } = operation;
    const unsuccessful: Unsuccessful[] = [];
    const request = {};
    let waiting = destinations.length;
    let id: string | null = null;
    const settle = (): void => {
      waiting -= 1;
      if (waiting > 0) return;
      const [first] = unsuccessful;
      // Nobody was taken: the first reason is that of the whole.
      if (id === null) write(operationResponse(name, sequence, first?.status ?? STATUS.RINVNUMDESTS));
      else write(operationResponse(name, sequence, STATUS.ROK, multiBody(id, unsuccessful)));
    };
    if (destinations.length === 0) write(operationResponse(name, sequence, STATUS.RINVNUMDESTS));
    for (const destination of destinations) {
      if (destination.kind === "list") {
        unsuccessful.push({ ton: 0, npi: 0, address: destination.name, status: STATUS.RINVDLNAME });
        settle();
        continue;
      }
      const { message } = destination;
      const { destAddrTon: ton, destAddrNpi: npi, destinationAddr: address } = message;
      const respond = (status: number, messageId: string | null): void => {
        if (status === STATUS.ROK) id ??= messageId;
        else unsuccessful.push({ ton, npi, address, status });
        settle();
      };
      submits.take({ sequence, message, systemId, respond, request });
    }
  };

  const operate = (operation: Operation, systemId: string | null): void => {
    if (operation.name === "submit_multi") {
      submitMulti(operation, systemId);
      return;
    }
    if (systemId === null) {
      write(operationResponse(operation.name, operation.sequence, STATUS.RINVBNDSTS));
      return;
    }
    switch (operation.name) {
      case "query_sm":
        query(operation, systemId);
        return;
      case "cancel_sm":
        cancel(operation, systemId);
        return;
      case "replace_sm":
        replace(operation, systemId);
        return;
    }
  };

  const refuse = (what: string, sequence: number, status: number): void => {
    violate(what);
    write(encodePdu({ command: "generic_nack", sequence, status }));
  };

  return {
    take: (frame, { commandId, sequence }, systemId) => {
      const operation = readOperation(frame);
      if (operation === "broken") refuse("an operation is cut short", sequence, STATUS.RINVCMDLEN);
      else if (operation !== null) operate(operation, systemId);
      else if (isResponseId(commandId)) violate("a response to a command that was not sent");
      else refuse("a command that is not spoken here", sequence, STATUS.RINVCMDID);
    },
  };
}

type Of<Name extends Operation["name"]> = Extract<Operation, { readonly name: Name }>;
