/** What a centre does about each PDU that its client sends. */

import { unreachable } from "../core/assert.ts";
import { phrase } from "../i18n/phrase.ts";
import type { BindRequest, CentreOutput } from "./centre-session-io.ts";
import { type CentreSession, maySubmit } from "./centre-state.ts";
import { KIND_OF } from "./command.ts";
import type { Decoded, Pdu } from "./pdu.ts";
import { CENTRE_TAKES, isForCentre, type SessionState } from "./session-matrix.ts";
import { closing, unexpected, write } from "./session-output.ts";
import { refuseBroken, refuseUnknown, refuseUnreadable } from "./session-refusals.ts";
import { STATUS } from "./status.ts";

/** Takes one PDU, or what was to be one. */
export function receive(session: CentreSession, decoded: Decoded): CentreOutput[] {
  if (!decoded.ok) return refuseUnreadable(decoded, isForCentre);
  const { pdu, isBroken } = decoded;
  // A client learns of its mistake; an operator, which learns nothing, is read as far as it goes.
  if (isBroken) return refuseBroken(pdu, isForCentre);
  if (pdu.command === "unsupported" || !isForCentre(pdu.command)) {
    return refuseUnknown(pdu, "a command that is not spoken here");
  }
  if (!CENTRE_TAKES[pdu.command].includes(session.state)) return misplaced(pdu, session.state);
  const { sequence } = pdu;
  switch (pdu.command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver":
      if (session.bind !== null) return misplaced(pdu, session.state);
      session.bind = { kind: KIND_OF[pdu.command], sequence, fields: pdu.bind };
      return [{ kind: "bind_asked", bind: session.bind }];
    case "submit_sm":
    case "data_sm":
      if (!maySubmit(session)) return misplaced(pdu, session.state);
      return [{ kind: "submit", command: pdu.command, sequence, message: pdu.message }];
    case "deliver_sm_resp":
    case "data_sm_resp": {
      const delivery = session.deliveries.settle(sequence);
      if (delivery === null) return misplaced(pdu, session.state);
      return [{ kind: "delivered", status: pdu.status, ...delivery }];
    }
    case "generic_nack": {
      const delivery = session.deliveries.settle(sequence);
      const fault = unexpected("generic_nack to something that was in order");
      return delivery === null ? [fault] : [{ kind: "delivered", status: pdu.status, ...delivery }, fault];
    }
    case "enquire_link":
      return [write({ command: "enquire_link_resp", sequence, status: STATUS.ROK })];
    case "enquire_link_resp":
      session.isEnquired = false;
      return [];
    case "unbind":
      return [
        write({ command: "unbind_resp", sequence, status: STATUS.ROK }),
        closing(phrase("link.unbound")),
      ];
    case "unbind_resp":
      return [closing(phrase("link.unbound"))];
    case "alert_notification":
      return [];
    default:
      return unreachable(pdu as never, "PDU");
  }
}

/** What is out of place is refused, a response only noted. One that unbinds without a bind leaves all the same. */
function misplaced(pdu: Pdu, state: SessionState): CentreOutput[] {
  const { command, sequence } = pdu;
  switch (command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver": {
      const second = { kind: KIND_OF[command], sequence, fields: pdu.bind };
      return [...refuseBind(second, STATUS.RALYBND), unexpected("a second bind on one link")];
    }
    case "submit_sm":
    case "data_sm":
      return [
        write({ command: `${command}_resp`, sequence, status: STATUS.RINVBNDSTS, messageId: null }),
        { kind: "misplaced_submit", command, sequence, message: pdu.message },
      ];
    case "deliver_sm_resp":
    case "data_sm_resp":
      return [unexpected("an answer to a deliver_sm or data_sm that was not sent")];
    case "unbind":
      return [
        unexpected("unbind on a link that is not bound"),
        write({ command: "unbind_resp", sequence, status: STATUS.ROK }),
        closing(phrase("link.unbound")),
      ];
    default:
      return [unexpected(`${command} in state ${state}`)];
  }
}

/** Answers a bind with why it is not taken. */
export function refuseBind(bind: BindRequest, status: number): CentreOutput[] {
  const { kind, sequence } = bind;
  const command = `bind_${kind}_resp` as const;
  return [
    { kind: "bind_refused", bind, status },
    write({ command, sequence, status, systemId: null, scInterfaceVersion: null }),
  ];
}
