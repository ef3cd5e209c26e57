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
    default:
      return { command, ...header };
  }
}
