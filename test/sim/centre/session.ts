import { between, forked, happens, oneOf } from "../chance.ts";
import type { Link, LinkHome } from "./link.ts";
import {
  type Bound,
  COMMAND,
  cString,
  GENERIC_NACK,
  pduOf,
  RESPONSE,
  type Read,
  STATUS,
  TLV,
  tlv,
} from "./pdu.ts";

const UNBIND_MS = 5_000;
const SLOWEST_BIND_MS = 5_000;
const BIND_REFUSALS = [STATUS.bindFailed, STATUS.alreadyBound, STATUS.systemError] as const;
const VERSION_3_4 = 0x34;

/** What a link does with each PDU of the appliance (SMPP 3.4 section 2.3). */
export function session(home: LinkHome, link: Link): (pdu: Read) => void {
  const { clock } = home.edges;
  const bind = binding(home, link);
  let enquiries = 0;
  const enquired = (sequence: number): void => {
    const chance = forked(home.seed, "enquire", link.number, ++enquiries);
    if (happens(chance, home.habits().deafToEnquire)) link.fault("enquire_link unanswered");
    else link.write(pduOf({ command: COMMAND.enquire_link + RESPONSE, sequence }));
  };
  return (pdu) => {
    const { sequence } = pdu;
    switch (pdu.is) {
      case "bind":
        bind(pdu.as, pdu.command, sequence);
        break;
      case "submit": {
        const bound = link.bound();
        if (bound !== null && bound !== "receiver") home.submitted(link, sequence, pdu.submitted);
        else link.write(pduOf({ command: COMMAND.submit_sm + RESPONSE, status: STATUS.notBound, sequence }));
        break;
      }
      case "deliver response":
      case "nack":
        home.answered(link, sequence, pdu.status);
        break;
      case "unbind":
        link.bind(null);
        link.write(pduOf({ command: COMMAND.unbind + RESPONSE, sequence }));
        clock.after(UNBIND_MS, () => link.end("fin"));
        break;
      case "unbind response":
        link.end("fin");
        break;
      case "enquire":
        enquired(sequence);
        break;
      case "enquire response":
        break;
      case "unreadable":
        link.fault("PDU not understood");
        link.write(pduOf({ command: GENERIC_NACK, status: STATUS.invalidCommand, sequence }));
        break;
      default:
        pdu satisfies never;
    }
  };
}

/** Binds after a while, or refuses to, and then half the time hangs up. */
function binding(home: LinkHome, link: Link): (as: Bound, command: number, sequence: number) => void {
  let isBinding = false;
  return (as, bindCommand, sequence) => {
    const chance = forked(home.seed, "bind", link.number);
    const { refuseBind, responseMs } = home.habits();
    const isRefused = happens(chance, refuseBind);
    const refusal = oneOf(chance, BIND_REFUSALS);
    const hangsUp = happens(chance, 0.5);
    const delayMs = Math.min(between(chance, responseMs), SLOWEST_BIND_MS);
    const command = bindCommand + RESPONSE;
    if (isBinding || link.bound() !== null) {
      link.write(pduOf({ command, status: STATUS.alreadyBound, sequence }));
      return;
    }
    isBinding = true;
    home.edges.clock.after(delayMs, () => {
      isBinding = false;
      if (link.isOver()) return;
      if (isRefused) {
        link.fault("bind refused", `0x${refusal.toString(16)}`);
        link.write(pduOf({ command, status: refusal, sequence }));
        if (hangsUp) link.end("fin");
        return;
      }
      link.bind(as);
      const version = tlv(TLV.sc_interface_version, Uint8Array.of(VERSION_3_4));
      link.write(pduOf({ command, sequence }, cString(home.centre.slice(0, 15)), version));
      home.bound();
    });
  };
}
