import { type BindKind, commandOf } from "../smpp/command.ts";
import { frameSplitter } from "../smpp/framing.ts";
import { type BindFields, decodePdu, encodePdu, type Pdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import type { Centre } from "./centre.ts";
import { enquiry } from "./enquiry.ts";
import { type GarbageKind, garbage } from "./garbage.ts";
import { linkFateOf } from "./link-fate.ts";
import type { Receiver } from "./mailbox.ts";
import { operationDesk } from "./operation-desk.ts";
import type { DropMode } from "./quirks.ts";
import type { Wire } from "./socket-wire.ts";
import { STATUS } from "./states.ts";
import { submitDesk } from "./submit-desk.ts";

/** One link, from the operator's side. */
export type SmscSession = {
  readonly received: (chunk: Uint8Array) => void;
  readonly closed: () => void;
  /** Asks the other side to leave, and leaves. */
  readonly unbind: () => void;
  /** Asks the other side to leave, and waits for it. */
  readonly askToUnbind: () => void;
  readonly drop: (mode: DropMode) => void;
  /** Reads nothing for so long; 0: for ever. */
  readonly stall: (forMs: number) => void;
  readonly sendGarbage: (kind: GarbageKind) => void;
};

/** What has not bound by then is closed. */
const BIND_WITHIN_MS = 60_000;
const OUR_NAME = "BENDRE-SMSC";
const LARGEST_SEQUENCE = 0x7fffffff;

type Bound = { readonly systemId: string; readonly kind: BindKind };

/** Speaks SMPP 3.4 on one link, counting what it has to refuse. */
export function smscSession(centre: Centre, link: number, wire: Wire): SmscSession {
  const split = frameSplitter();
  let bound: Bound | null = null;
  let isBinding = false;
  /** Until we leave or the link is gone: what comes after that is neither read nor written. */
  let isOpen = true;
  let isStalled = false;
  /** Frames that came while nothing is read. */
  const held: Uint8Array[] = [];
  let lastSequence = 0;
  let why = "closed by the other side";
  /** Sequence numbers that garbage stood under: their refusals are in order. */
  const garbageSent = new Set<number>();

  const write = (pdu: Pdu): void => {
    if (isOpen) wire.write(encodePdu(pdu));
  };
  const nextSequence = (): number => {
    lastSequence = lastSequence === LARGEST_SEQUENCE ? 1 : lastSequence + 1;
    return lastSequence;
  };
  const receiver: Receiver = {
    send: (command, message) => {
      const sequence = nextSequence();
      write({ command, sequence, status: STATUS.ROK, message });
      return sequence;
    },
  };
  const violate = (what: string): void => {
    const { violationsByKind } = centre.tally;
    violationsByKind.set(what, (violationsByKind.get(what) ?? 0) + 1);
    centre.tell({ kind: "violation", link, what });
  };
  const leave = (reason: string): void => {
    isOpen = false;
    why = reason;
    wire.end();
  };
  const quirk = (what: string): void => centre.tell({ kind: "quirk", link, what });

  const desk = submitDesk({
    centre,
    link,
    receiver,
    violate,
    drop: (sequence) => drop(centre.quirks().dropMode, sequence),
  });
  const operations = operationDesk({
    centre,
    submits: desk,
    violate,
    write: (octets) => {
      if (isOpen) wire.write(octets);
    },
  });

  const enquiries = enquiry({
    centre,
    isBound: () => bound !== null,
    isStalled: () => isStalled,
    ask: () => write({ command: "enquire_link", sequence: nextSequence(), status: STATUS.ROK }),
    unanswered: () => leave("enquire_link was not answered"),
  });

  const bind = (kind: BindKind, sequence: number, fields: BindFields): void => {
    const { systemId, password } = fields;
    const isSecond = bound !== null || isBinding;
    const status = isSecond ? STATUS.RALYBND : centre.desk.admit(systemId, password);
    const command = `bind_${kind}_resp` as const;
    if (status !== STATUS.ROK) {
      if (isSecond) violate("a second bind on one link");
      centre.tell({ kind: "bind_refused", link, systemId, status });
      write({ command, sequence, status, systemId: null, scInterfaceVersion: null });
      if (!isSecond) leave("its bind was refused");
      return;
    }
    isBinding = true;
    centre.later(centre.quirks().bindDelayMs, () => {
      isBinding = false;
      if (!isOpen) {
        centre.desk.left(systemId);
        return;
      }
      bound = { systemId, kind };
      // A client of an older version knows no optional parameters (SMPP 3.4 section 2.10).
      const isOlder = fields.interfaceVersion < 0x34;
      const scInterfaceVersion = centre.quirks().noTlvs || isOlder ? null : 0x34;
      write({ command, sequence, status, systemId: OUR_NAME, scInterfaceVersion });
      centre.tell({ kind: "bound", link, systemId, bind: kind });
      if (kind !== "transmitter") centre.mailboxOf(systemId).attach(receiver);
    });
  };

  /** The system_id that may submit on this link; null for none. */
  const submitter = (): string | null =>
    bound === null || bound.kind === "receiver" ? null : bound.systemId;

  const submit = (command: "submit_sm" | "data_sm", sequence: number, message: ShortMessage): void => {
    const respond = (status: number, messageId: string | null): void => {
      const isBodied = status !== STATUS.ROK && centre.quirks().refusalBody;
      write({ command: `${command}_resp`, sequence, status, messageId: messageId ?? (isBodied ? "" : null) });
    };
    desk.take({ sequence, message, systemId: submitter(), respond, request: {} });
    if (submitter() === null) return;
    const fate = linkFateOf(desk.count(), centre.tally.garbage, centre.quirks());
    if (fate.garbage !== null) sendGarbage(fate.garbage);
    if (fate.stallMs !== null) stall(fate.stallMs);
    if (fate.isUnbound) askToUnbind();
  };

  const drop = (mode: DropMode, sequence = 1): void => {
    if (!isOpen) return;
    centre.tally.dropped += 1;
    quirk(`dropped: ${mode}`);
    if (mode === "mid_pdu") {
      const whole = encodePdu({ command: "submit_sm_resp", sequence, status: 0, messageId: "half" });
      wire.write(whole.subarray(0, whole.length / 2));
    }
    isOpen = false;
    why = `dropped: ${mode}`;
    if (mode === "rst") wire.cut();
    else if (mode !== "half_open") wire.end();
  };

  const stall = (forMs: number): void => {
    if (!isOpen || isStalled) return;
    isStalled = true;
    quirk(forMs > 0 ? `not read for ${forMs} ms` : "not read any more");
    wire.pause();
    if (forMs === 0) return;
    centre.later(forMs, () => {
      isStalled = false;
      wire.resume();
      take(held.splice(0));
    });
  };

  const askToUnbind = (): void => {
    if (bound === null) return;
    quirk("asked to unbind");
    write({ command: "unbind", sequence: nextSequence(), status: STATUS.ROK });
  };

  const sendGarbage = (kind: GarbageKind): void => {
    if (!isOpen) return;
    const sequence = nextSequence();
    garbageSent.add(sequence);
    centre.tally.garbage += 1;
    centre.tell({ kind: "garbage", link, garbage: kind });
    wire.write(garbage(kind, sequence, centre.chance));
  };

  const acknowledge = (sequence: number, status: number): void => {
    if (garbageSent.delete(sequence)) return;
    const box = bound === null ? null : centre.mailboxOf(bound.systemId);
    if (!box?.acknowledged(receiver, sequence, status)) {
      violate("an answer to a deliver_sm or data_sm that was not sent");
      return;
    }
    centre.tally.receiptsAcknowledged += 1;
    centre.tell({ kind: "acknowledged", link, status });
  };

  const nack = (sequence: number, status: number): void => {
    write({ command: "generic_nack", sequence, status });
  };

  const handle = (frame: Uint8Array): void => {
    const decoded = decodePdu(frame);
    if (!decoded.ok) {
      violate(`${commandOf(decoded.commandId) ?? "a command"}: ${decoded.reason}`);
      nack(decoded.sequence, decoded.status);
      return;
    }
    const { pdu } = decoded;
    const { sequence } = pdu;
    switch (pdu.command) {
      case "bind_transceiver":
        bind("transceiver", sequence, pdu.bind);
        break;
      case "bind_transmitter":
        bind("transmitter", sequence, pdu.bind);
        break;
      case "bind_receiver":
        bind("receiver", sequence, pdu.bind);
        break;
      case "submit_sm":
      case "data_sm":
        submit(pdu.command, sequence, pdu.message);
        break;
      case "unsupported":
        operations.take(frame, pdu, submitter());
        break;
      case "alert_notification":
        // It has no answer (SMPP 3.4 section 4.12).
        return;
      case "deliver_sm_resp":
      case "data_sm_resp":
        acknowledge(sequence, pdu.status);
        return;
      case "enquire_link":
        if (!centre.quirks().ignoreEnquireLink) {
          write({ command: "enquire_link_resp", sequence, status: STATUS.ROK });
        }
        break;
      case "enquire_link_resp":
        enquiries.answered();
        return;
      case "unbind":
        if (bound === null) violate("unbind on a link that is not bound");
        write({ command: "unbind_resp", sequence, status: STATUS.ROK });
        leave("unbound");
        break;
      case "unbind_resp":
        leave("unbound");
        return;
      case "generic_nack":
        // A nack need not say what it answers (SMPP 3.4 section 4.3).
        if (!garbageSent.delete(sequence) && garbageSent.size === 0) {
          violate("generic_nack to something that was in order");
        }
        return;
      default:
        violate(`${pdu.command} is not spoken here`);
        nack(sequence, STATUS.RINVCMDID);
    }
    if (sequence < 1 || sequence > LARGEST_SEQUENCE) violate("sequence_number outside 1 to 0x7FFFFFFF");
  };

  /** Frames in their order, until the link is left or no longer read. */
  const take = (frames: readonly Uint8Array[]): void => {
    for (const frame of frames) {
      if (!isOpen) return;
      // Copied, because a frame lasts only until more was received.
      if (isStalled) held.push(Uint8Array.from(frame));
      else handle(frame);
    }
  };

  const cancelBindTimeout = centre.clock.after(BIND_WITHIN_MS, () => {
    if (isOpen && bound === null) leave("did not bind in time");
  });
  if (centre.quirks().outbind) {
    write({
      command: "outbind",
      sequence: nextSequence(),
      status: STATUS.ROK,
      systemId: OUR_NAME,
      password: "",
    });
  }
  return {
    received: (chunk) => {
      const { frames, fault } = split(chunk);
      take(frames);
      if (fault !== null && isOpen) {
        violate(fault);
        leave("its octets made no PDU");
      }
    },
    closed: () => {
      isOpen = false;
      enquiries.stop();
      cancelBindTimeout();
      desk.closed();
      if (bound !== null) {
        centre.mailboxOf(bound.systemId).detach(receiver);
        centre.desk.left(bound.systemId);
      }
      centre.tell({ kind: "closed", link, systemId: bound?.systemId ?? null, why });
    },
    unbind: () => {
      if (bound !== null) write({ command: "unbind", sequence: nextSequence(), status: STATUS.ROK });
      leave("the operator stopped");
    },
    askToUnbind,
    drop: (mode) => drop(mode),
    stall,
    sendGarbage,
  };
}
