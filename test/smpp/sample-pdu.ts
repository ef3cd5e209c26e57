import type { Command, Pdu } from "../../src/smpp/pdu.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";

const message = shortMessage({ destinationAddr: "22670123456" });
/** What a client binds with. */
export const bind = {
  systemId: "bendre",
  password: "secret",
  systemType: "",
  interfaceVersion: 0x34,
  addrTon: 0,
  addrNpi: 0,
  addressRange: "",
};

/** What query_sm and cancel_sm ask about. */
export const operation = {
  serviceType: "",
  messageId: "m",
  sourceAddrTon: 5,
  sourceAddrNpi: 0,
  sourceAddr: "ACME",
  destAddrTon: 0,
  destAddrNpi: 0,
  destinationAddr: "",
};

/** A PDU of each command, with sequence 1. */
export function samplePdu(command: Command): Pdu {
  const header = { sequence: 1, status: 0 };
  switch (command) {
    case "bind_receiver":
    case "bind_transmitter":
    case "bind_transceiver":
      return { command, ...header, bind };
    case "bind_receiver_resp":
    case "bind_transmitter_resp":
    case "bind_transceiver_resp":
      return { command, ...header, systemId: "S", scInterfaceVersion: null };
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
      return { command, ...header, message };
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
      return { command, ...header, messageId: "m" };
    case "outbind":
      return { command, ...header, systemId: "S", password: "p" };
    case "query_sm":
    case "cancel_sm":
      return { command, ...header, operation };
    case "query_sm_resp":
      return { command, ...header, messageId: "m", finalDate: "", messageState: 1, errorCode: 0 };
    default:
      return { command, ...header };
  }
}
