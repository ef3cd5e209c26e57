import type { Cancel } from "../base/clock.ts";
import { type BindKind, commandOf } from "../smpp/command.ts";
import { frameSplitter } from "../smpp/framing.ts";
import { type Decoded, decodePdu, encodePdu, type Pdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import type { Centre } from "./centre.ts";
import type { Receiver } from "./mailbox.ts";
import { STATUS, type SubmitStatus } from "./states.ts";
import { violationOf } from "./strict.ts";

/** The way to the other side. Writing to one that is gone does nothing. */
export type Wire = {
  readonly write: (octets: Uint8Array) => void;
  /** Closes once everything is written. */
  readonly end: () => void;
  /** Closes at once, as a lost link does. */
  readonly cut: () => void;
};

/** One link, from the operator's side. */
export type SmscSession = {
  readonly received: (chunk: Uint8Array) => void;
  readonly closed: () => void;
  /** Asks the other side to leave, and leaves. */
  readonly unbind: () => void;
  readonly cut: () => void;
};

/** How often an idle or busy link is asked whether it is there; what has not bound or answered by then is closed. */
const ENQUIRE_LINK_MS = 60_000;
const OUR_NAME = "BENDRE-SMSC";
const LARGEST_SEQUENCE = 0x7fffffff;

type Bound = { readonly systemId: string; readonly kind: BindKind };

/** Speaks SMPP 3.4 on one link: strict in what it takes, counting what it has to refuse. */
export function smscSession(centre: Centre, link: number, wire: Wire): SmscSession {
  const split = frameSplitter();
  let bound: Bound | null = null;
  /** Until we leave or the link is gone: what comes after that is neither read nor written. */
  let isOpen = true;
  let lastSequence = 0;
  let submits = 0;
  let unanswered = 0;
  let enquiryUnanswered = false;
  let cancelEnquiry: Cancel = () => {};
  let why = "closed by the other side";

  const write = (pdu: Pdu): void => {
    if (isOpen) wire.write(encodePdu(pdu));
  };
  const nextSequence = (): number => {
    lastSequence = lastSequence === LARGEST_SEQUENCE ? 1 : lastSequence + 1;
    return lastSequence;
  };
  const receiver: Receiver = {
    send: (message) => {
      const sequence = nextSequence();
      write({ command: "deliver_sm", sequence, status: STATUS.ROK, message });
      return sequence;
    },
  };
  const violate = (what: string): void => {
    centre.tally.violations += 1;
    centre.tell({ kind: "violation", link, what });
  };
  const leave = (reason: string): void => {
    isOpen = false;
    why = reason;
    wire.end();
  };
  const cut = (reason: string): void => {
    isOpen = false;
    why = reason;
    wire.cut();
  };

  const enquire = (): void => {
    cancelEnquiry = centre.clock.after(ENQUIRE_LINK_MS, () => {
      if (bound === null) {
        leave("did not bind in time");
        return;
      }
      if (enquiryUnanswered) {
        leave("enquire_link was not answered");
        return;
      }
      enquiryUnanswered = true;
      write({ command: "enquire_link", sequence: nextSequence(), status: STATUS.ROK });
      enquire();
    });
  };

  const bind = (kind: BindKind, sequence: number, systemId: string, password: string): void => {
    const command = `bind_${kind}_resp` as const;
    const status = bound === null ? centre.admit(systemId, password) : STATUS.RALYBND;
    if (status !== STATUS.ROK) {
      if (bound !== null) violate("a second bind on one link");
      centre.tell({ kind: "bind_refused", link, systemId, status });
      write({ command, sequence, status, systemId: null, scInterfaceVersion: null });
      if (bound === null) leave("its bind was refused");
      return;
    }
    bound = { systemId, kind };
    const scInterfaceVersion = centre.quirks().noTlvs ? null : 0x34;
    write({ command, sequence, status, systemId: OUR_NAME, scInterfaceVersion });
    centre.tell({ kind: "bound", link, systemId, bind: kind });
    if (kind !== "transmitter") centre.mailboxOf(systemId).attach(receiver);
  };

  const respond = (sequence: number, status: SubmitStatus, messageId: string | null): void => {
    write({ command: "submit_sm_resp", sequence, status, messageId });
  };

  const refuse = (sequence: number, message: ShortMessage, status: SubmitStatus): void => {
    centre.tally.refused += 1;
    tellSubmit(message, null, status);
    respond(sequence, status, null);
  };

  const tellSubmit = (message: ShortMessage, id: string | null, status: SubmitStatus | null): void => {
    const { sourceAddr: from, destinationAddr: to } = message;
    centre.tell({ kind: "submit", link, from, to, id, status });
  };

  const submit = (sequence: number, message: ShortMessage): void => {
    const { tally } = centre;
    tally.submits += 1;
    submits += 1;
    if (bound === null || bound.kind === "receiver") {
      violate("submit_sm on a link that is not bound for it");
      refuse(sequence, message, STATUS.RINVBNDSTS);
      return;
    }
    const violation = violationOf(message);
    if (violation) {
      violate(violation.what);
      refuse(sequence, message, violation.status);
      return;
    }
    const allowed = centre.quirks().windowCheck;
    if (allowed > 0 && unanswered >= allowed) violate(`more than ${allowed} submit_sm without an answer`);

    const { systemId } = bound;
    const { plan, id } = centre.judge(systemId, message, submits);
    const { status, fate, responseAfterMs } = plan;
    if (fate === null || id === null) tally.refused += 1;
    else {
      tally.accepted += 1;
      // Begun first, because what has no delay happens at once.
      if (fate.afterMs < (responseAfterMs ?? 0)) meet();
    }
    tellSubmit(message, id?.response ?? null, responseAfterMs === null ? null : status);
    if (plan.isLinkCut) {
      tally.dropped += 1;
      cut("cut by a quirk");
    }
    if (responseAfterMs === null) tally.unanswered += 1;
    else {
      unanswered += 1;
      tally.mostUnansweredOnLink = Math.max(tally.mostUnansweredOnLink, unanswered);
      centre.later(responseAfterMs, () => {
        unanswered -= 1;
        respond(sequence, status, id?.response ?? null);
      });
    }
    if (fate !== null && fate.afterMs >= (responseAfterMs ?? 0)) meet();

    function meet(): void {
      if (fate === null || id === null) return;
      centre.later(fate.afterMs, () => centre.fulfil({ message, id, systemId }, fate, receiver));
    }
  };

  const acknowledge = (sequence: number, status: number): void => {
    const isKnown =
      bound !== null && centre.mailboxOf(bound.systemId).acknowledged(receiver, sequence, status);
    if (!isKnown) {
      violate("deliver_sm_resp to a deliver_sm that was not sent");
      return;
    }
    centre.tally.receiptsAcknowledged += 1;
    centre.tell({ kind: "acknowledged", link, status });
  };

  const nack = (sequence: number, status: number): void => {
    write({ command: "generic_nack", sequence, status });
  };

  const handle = (decoded: Decoded): void => {
    if (!decoded.ok) {
      violate(`${commandOf(decoded.commandId) ?? "a command"}: ${decoded.reason}`);
      nack(decoded.sequence, decoded.status);
      return;
    }
    const { pdu } = decoded;
    const { sequence } = pdu;
    if (sequence < 1 || sequence > LARGEST_SEQUENCE) violate("sequence_number outside 1 to 0x7FFFFFFF");
    switch (pdu.command) {
      case "bind_transceiver":
        bind("transceiver", sequence, pdu.bind.systemId, pdu.bind.password);
        return;
      case "bind_transmitter":
        bind("transmitter", sequence, pdu.bind.systemId, pdu.bind.password);
        return;
      case "bind_receiver":
        bind("receiver", sequence, pdu.bind.systemId, pdu.bind.password);
        return;
      case "submit_sm":
        submit(sequence, pdu.message);
        return;
      case "deliver_sm_resp":
        acknowledge(sequence, pdu.status);
        return;
      case "enquire_link":
        write({ command: "enquire_link_resp", sequence, status: STATUS.ROK });
        return;
      case "enquire_link_resp":
        enquiryUnanswered = false;
        return;
      case "unbind":
        if (bound === null) violate("unbind on a link that is not bound");
        write({ command: "unbind_resp", sequence, status: STATUS.ROK });
        leave("unbound");
        return;
      case "unbind_resp":
        leave("unbound");
        return;
      case "generic_nack":
        violate("generic_nack to something that was in order");
        return;
      default:
        violate(`${pdu.command} is not spoken here`);
        nack(sequence, STATUS.RINVCMDID);
        return;
    }
  };

  enquire();
  return {
    received: (chunk) => {
      const { frames, fault } = split(chunk);
      for (const frame of frames) if (isOpen) handle(decodePdu(frame));
      if (fault !== null) {
        violate(fault);
        leave("its octets made no PDU");
      }
    },
    closed: () => {
      isOpen = false;
      cancelEnquiry();
      if (bound !== null) centre.mailboxOf(bound.systemId).detach(receiver);
      centre.tell({ kind: "closed", link, systemId: bound?.systemId ?? null, why });
    },
    unbind: () => {
      if (bound !== null) write({ command: "unbind", sequence: nextSequence(), status: STATUS.ROK });
      leave("the operator stopped");
    },
    cut: () => cut("cut on request"),
  };
}
