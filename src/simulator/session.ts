/** One session, from the operator's side: the SMSC's end of SMPP, with this operator's answers and quirks. */
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { createSessionTimer, type SessionTimer } from "../smpp/liveness.ts";
import { decodePdu, encodePdu, isResponseId, type Pdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import {
  type BindRequest,
  canDeliver,
  createSmscSession,
  maySubmit,
  nextSmscSequence,
  type SmscInput,
  type SmscOutput,
  type SmscSession,
  type SubmitCommand,
  smscDeadlineMs,
  stepSmsc,
} from "../smpp/smsc-session.ts";
import { frameReader } from "../smpp/socket-reader.ts";
import { type SocketWriter, socketWriter, type WritableSocket } from "../smpp/socket-writer.ts";
import { STATUS } from "../smpp/status.ts";
import { readFrame, readMessage, type WireFields, type WireRead, writeFrame } from "../smpp/wire-format.ts";
import type { QuirkOfLink } from "./events.ts";
import { GARBAGE_KINDS, type GarbageKind, garbage, withBrokenParameter } from "./garbage.ts";
import { toHandsetPart } from "./handset.ts";
import type { Receiver } from "./mailbox.ts";
import { cancelMessage, finalDate } from "./message-life.ts";
import { ERROR_CODE, MESSAGE_STATE } from "./message-states.ts";
import type { DropMode, Quirks } from "./quirks.ts";
import type { SmscMessage, SmscState } from "./smsc-state.ts";
import { SubmitHandler } from "./submit.ts";

/** Under these names the codec has operations, or commands that it does not know, of which this operator answers some. */
const POSSIBLE_OPERATIONS: ReadonlySet<string> = new Set(["query_sm", "cancel_sm", "unsupported"]);

/** A session that has not bound by then is closed. */
const BIND_WITHIN_MS = 60_000;
const OUR_NAME = "BENDRE-SMSC";
const VERSION = 0x34;
const MAX_SEQUENCE = 0x7fffffff;

/** The socket as the runtime gives it. */
type ClientSocket = {
  readonly write: (octets: Uint8Array) => number;
  readonly end: () => void;
  readonly terminate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
};

export class SimulatedSession {
  readonly writer: SocketWriter;
  private readonly frames = frameReader();
  private readonly session: SmscSession;
  /** The timer by which the session judges the other side: slow while nothing is read. */
  private readonly time: SessionTimer;
  private readonly receiver: Receiver;
  private readonly submits: SubmitHandler;
  /** Sequence numbers of garbage sent: refusals of them are in order. */
  private readonly garbageSent = new Set<number>();
  private systemId: string | null = null;
  /** Until we leave or the connection ends: after that nothing is read or written. */
  private isOpen = true;
  /** The socket closes once everything is written. */
  private isEnding = false;
  private isStalled = false;
  private why = phrase("simulator.closed_by_other");

  constructor(
    private readonly smsc: SmscState,
    private readonly number: number,
    private readonly socket: ClientSocket,
  ) {
    this.time = createSessionTimer(smsc.clock, () => {
      if (this.isOpen) this.run({ kind: "tick" });
    });
    this.session = createSmscSession(() => ({
      bindWithinMs: BIND_WITHIN_MS,
      enquireLinkMs: smsc.quirks.enquireLinkMs,
      responseTimeoutMs: smsc.quirks.receiptAckTimeoutMs || Number.POSITIVE_INFINITY,
    }));
    this.receiver = {
      canTake: () => this.isOpen && canDeliver(this.session),
      inFlight: () => this.session.deliveries.count(),
      send: (command, ref, message) => this.run({ kind: "deliver", command, ref, message }),
    };
    this.writer = socketWriter(
      dribbling(socket, smsc, () => this.writer.flush()),
      () => {
        if (this.isEnding) socket.end();
      },
    );
    this.submits = new SubmitHandler(smsc, number, this.receiver, (at) =>
      this.drop(smsc.quirks.dropMode, at),
    );
  }

  /** Begins, with an outbind where the quirks ask for one. */
  open(): void {
    this.run({ kind: "connected" });
    if (!this.smsc.quirks.outbind) return;
    const header = { sequence: nextSmscSequence(this.session), status: STATUS.ROK };
    this.write({ command: "outbind", ...header, systemId: OUR_NAME, password: "" });
  }

  /** Handles octets that arrived. */
  received(chunk: Uint8Array): void {
    this.frames.push(chunk);
    this.readOn();
  }

  /** Handles the end of the connection. */
  closed(): void {
    const { smsc, systemId, number, why } = this;
    this.isOpen = false;
    this.time.stop();
    this.writer.stop();
    this.submits.close();
    stepSmsc(this.session, { kind: "closed" }, this.time.nowMs());
    if (systemId !== null) {
      smsc.findMailbox(systemId).detach(this.receiver);
      smsc.binds.left(systemId);
    }
    smsc.emit({ kind: "closed", link: number, systemId, why, isUnbound: why.code === "link.unbound" });
  }

  /** Sends an unbind, and closes the session. */
  stop(): void {
    this.run({ kind: "unbind" });
    this.leave(phrase("simulator.operator_stopped"));
  }

  /** Sends an unbind, and waits for the other side. */
  askToUnbind(): void {
    if (this.systemId === null) return;
    this.emitQuirk("asked to unbind", phrase("simulator.asked_to_unbind"));
    this.run({ kind: "unbind" });
  }

  /** Ends the session without an unbind. `sequence`: of the submit at which it happens. */
  drop(mode: DropMode, sequence = 1): void {
    if (!this.isOpen) return;
    this.smsc.tally.dropped += 1;
    const why = phrase("simulator.dropped", { mode });
    this.emitQuirk("dropped", why);
    if (mode === "mid_pdu") {
      const whole = encodePdu({ command: "submit_sm_resp", sequence, status: 0, messageId: "half" });
      this.writer.write(whole.subarray(0, whole.length / 2), null);
    }
    if (mode === "fin" || mode === "mid_pdu") {
      this.leave(why);
      return;
    }
    this.isOpen = false;
    this.why = why;
    this.writer.flush();
    this.writer.stop();
    if (mode === "rst") this.socket.terminate();
  }

  /** Reads nothing for so long; 0: for ever. */
  stall(forMs: number): void {
    if (!this.isOpen || this.isStalled) return;
    this.isStalled = true;
    const what =
      forMs > 0 ? phrase("simulator.stalled", { ms: forMs }) : phrase("simulator.stalled.for_good");
    this.emitQuirk("stalled", what);
    this.socket.pause();
    this.time.slow();
    if (forMs === 0) return;
    this.smsc.later(forMs, () => {
      this.isStalled = false;
      this.socket.resume();
      this.time.normal();
      this.readOn();
    });
  }

  /** Writes octets that are no valid PDU. */
  sendGarbage(kind: GarbageKind): void {
    if (!this.isOpen) return;
    const { smsc, number } = this;
    const sequence = nextSmscSequence(this.session);
    this.garbageSent.add(sequence);
    smsc.tally.garbage += 1;
    smsc.emit({ kind: "garbage", link: number, garbage: kind });
    this.writer.write(garbage(kind, sequence, smsc.chance), null);
  }

  /** Handles frames in their order, until the session is left or no longer read. */
  private readOn(): void {
    while (this.isOpen && !this.isStalled) {
      const frame = this.frames.next();
      if (frame !== null) {
        this.handle(frame);
        continue;
      }
      const fault = this.frames.fault();
      if (fault === null) return;
      this.smsc.violate(this.number, said(fault));
      this.leave(phrase("simulator.no_pdu"));
    }
  }

  private handle(frame: Uint8Array): void {
    const { smsc, number, garbageSent } = this;
    const decoded = decodePdu(frame);
    if (!decoded.ok) {
      if (!this.operate(frame, decoded.sequence)) this.run({ kind: "received", decoded });
      return;
    }
    const { pdu } = decoded;
    const { sequence } = pdu;
    const isToGarbage = pdu.command.endsWith("_resp") && garbageSent.delete(sequence);
    // A nack need not say what it answers (SMPP 3.4 section 4.3).
    if (isToGarbage || (pdu.command === "generic_nack" && garbageSent.size > 0)) return;
    const isOperation = POSSIBLE_OPERATIONS.has(pdu.command) && this.operate(frame, sequence);
    if (!isOperation) this.run({ kind: "received", decoded });
    const isRequest = !isResponseId(Buffer.from(frame).readUInt32BE(4));
    if (isRequest && (sequence < 1 || sequence > MAX_SEQUENCE)) {
      smsc.violate(number, phrase("simulator.rule.sequence"));
    }
  }

  private run(input: SmscInput): void {
    for (const output of stepSmsc(this.session, input, this.time.nowMs())) this.perform(output);
    if (this.isOpen) this.time.wakeBy(smscDeadlineMs(this.session));
  }

  private perform(output: SmscOutput): void {
    const { smsc, number, systemId } = this;
    switch (output.kind) {
      case "write": {
        const { pdu } = output;
        const isIgnored = pdu.command === "enquire_link_resp" && smsc.quirks.ignoreEnquireLink;
        const isBroken = "message" in pdu && smsc.quirks.brokenParameters;
        if (!isIgnored) this.write(isBroken ? withBrokenParameter(encodePdu(pdu)) : pdu);
        return;
      }
      case "close":
        this.leave(output.reason);
        return;
      case "unexpected":
        smsc.violate(number, said(output.what));
        return;
      case "bind_asked":
        this.answerBind(output.bind);
        return;
      case "bind_refused":
        smsc.emit({
          kind: "bind_refused",
          link: number,
          systemId: output.bind.fields.systemId,
          status: output.status,
        });
        return;
      case "bound":
        this.bound(output.bind);
        return;
      case "submit":
        this.submit(output.command, output.sequence, output.message);
        return;
      case "misplaced_submit": {
        const { sequence, message } = output;
        this.submits.take({ sequence, message, systemId: null, respond: () => {}, request: {} });
        return;
      }
      case "delivered":
        this.delivered(output.ref, output.status, output.late);
        return;
      case "timed_out":
        if (systemId !== null) smsc.findMailbox(systemId).repeat(output.refs);
        return;
      case "lost":
        return;
    }
  }

  /** Answers a bind: admitted after the delay of the quirks, refused at once. */
  private answerBind({ fields }: BindRequest): void {
    const { smsc } = this;
    const status = smsc.binds.admit(fields.systemId, fields.password);
    const scInterfaceVersion = smsc.quirks.noTlvs ? null : VERSION;
    smsc.later(status === STATUS.ROK ? smsc.quirks.bindDelayMs : 0, () => {
      if (this.isOpen) this.run({ kind: "bind_answer", status, systemId: OUR_NAME, scInterfaceVersion });
      else smsc.binds.left(fields.systemId);
    });
  }

  private bound({ kind, fields: { systemId } }: BindRequest): void {
    this.systemId = systemId;
    this.smsc.emit({ kind: "bound", link: this.number, systemId, bind: kind });
    if (kind !== "transmitter") this.smsc.findMailbox(systemId).attach(this.receiver);
  }

  /** The system_id that may submit on this session; null for none. */
  private submitter(): string | null {
    return maySubmit(this.session) ? this.systemId : null;
  }

  private submit(to: SubmitCommand, sequence: number, message: ShortMessage): void {
    const { quirks, tally } = this.smsc;
    const respond = (status: number, messageId: string | null): void => {
      const isBodied = status !== STATUS.ROK && this.smsc.quirks.refusalBody;
      const id = messageId ?? (isBodied ? "" : null);
      this.run({ kind: "answer", to, sequence, status, messageId: id });
    };
    this.submits.take({ sequence, message, systemId: this.submitter(), respond, request: {} });
    const fate = drawSessionFate(this.submits.count, tally.garbage, quirks);
    if (fate.garbage !== null) this.sendGarbage(fate.garbage);
    if (fate.stallMs !== null) this.stall(fate.stallMs);
    if (fate.isUnbound) this.askToUnbind();
  }

  private delivered(ref: number, status: number, late: boolean): void {
    const { smsc, number, systemId } = this;
    if (systemId === null) return;
    smsc.findMailbox(systemId).acknowledged(ref, status, late);
    smsc.tally.receiptsAcknowledged += 1;
    smsc.emit({ kind: "acknowledged", link: number, status });
  }

  /** Handles an operation; false for a command that is none of those below. */
  private operate(frame: Uint8Array, sequence: number): boolean {
    const operation = readOperation(frame);
    if (operation === null) return false;
    if (operation === "broken") {
      this.smsc.violate(this.number, phrase("simulator.rule.operation_cut"));
      this.write({ command: "generic_nack", sequence, status: STATUS.RINVCMDLEN });
      return true;
    }
    const answer: Answer = (status, body) => this.write(operationResponse(operation, status, body));
    const systemId = this.submitter();
    if (operation.name === "submit_multi") submitMulti(this.submits, operation, systemId, answer);
    else if (systemId === null) answer(STATUS.RINVBNDSTS);
    else OPERATE[operation.name](this.smsc, operation, systemId, answer);
    return true;
  }

  /** Writes a PDU, or octets of any kind, to the other side while the session is open. */
  private write(pdu: Pdu | Uint8Array): void {
    if (this.isOpen) this.writer.write(pdu, null);
  }

  /** Closes the session once everything is written. */
  private leave(reason: Phrase): void {
    this.isOpen = false;
    this.why = reason;
    this.isEnding = true;
    this.writer.flush();
    if (this.writer.queue.octets() === 0) this.socket.end();
  }

  /** Emits an event of what the quirks did. */
  private emitQuirk(how: QuirkOfLink, what: Phrase): void {
    this.smsc.emit({ kind: "quirk", link: this.number, how, what });
  }
}

/** A socket that writes one octet a turn while the quirk asks for it. `goOn` is called when it can take the next. */
function dribbling(socket: WritableSocket, smsc: SmscState, goOn: () => void): WritableSocket {
  let isWaiting = false;
  return {
    write: (octets) => {
      if (!smsc.quirks.byteWrites) return socket.write(octets);
      if (isWaiting) return 0;
      isWaiting = true;
      smsc.clock.soon(() => {
        isWaiting = false;
        goOn();
      });
      return socket.write(octets.subarray(0, 1));
    },
  };
}

/** What the quirks do to a session at one of its submit_sm, besides dropping it, which the outcome of the submit_sm tells. */
type SessionFate = {
  /** Milliseconds for which it is not read; 0: for ever; null: it is read on. */
  readonly stallMs: number | null;
  readonly isUnbound: boolean;
  readonly garbage: GarbageKind | null;
};

/** `place`: of the submit_sm on its session, from 1; `garbageSoFar` counts the garbage sent to all sessions. Pure. */
function drawSessionFate(place: number, garbageSoFar: number, quirks: Quirks): SessionFate {
  const { stallAfter, stallMs, unbindAfter, garbageEvery, garbageKind } = quirks;
  const isGarbageDue = garbageEvery > 0 && place % garbageEvery === 0;
  return {
    stallMs: stallAfter > 0 && place === stallAfter ? stallMs : null,
    isUnbound: unbindAfter > 0 && place === unbindAfter,
    garbage: isGarbageDue ? kindOf(garbageKind, garbageSoFar) : null,
  };
}

/** The kind of garbage; with `cycle` each has its turn. */
function kindOf(choice: Quirks["garbageKind"], garbageSoFar: number): GarbageKind {
  if (choice !== "cycle") return choice;
  return GARBAGE_KINDS[garbageSoFar % GARBAGE_KINDS.length] ?? "random";
}

// Answers the operations on messages that were accepted before, and submit_multi.

/** Answers an operation. */
type Answer = (status: number, body?: WireFields) => void;

/** The messages that an id names, as far as the source address that came with it agrees. */
function named(
  { messages }: SmscState,
  { messageId, message: { sourceAddr } }: Operation,
  systemId: string,
): readonly SmscMessage[] {
  return messages
    .find(systemId, messageId)
    .filter(({ submitted }) => sourceAddr === "" || submitted.message.sourceAddr === sourceAddr);
}

function query(smsc: SmscState, operation: Operation, systemId: string, answer: Answer): void {
  const [message] = named(smsc, operation, systemId);
  if (!message) {
    answer(STATUS.RINVMSGID);
    return;
  }
  answer(STATUS.ROK, {
    message_id: operation.messageId,
    final_date: message.doneAtMs === null ? "" : finalDate(message.doneAtMs),
    message_state: MESSAGE_STATE[message.state],
    error_code: ERROR_CODE[message.state] & 0xff,
  });
}

function cancel(smsc: SmscState, operation: Operation, systemId: string, answer: Answer): void {
  const { messageId } = operation;
  const { sourceAddr, destinationAddr } = operation.message;
  const meant =
    messageId === ""
      ? smsc.messages
          .underWay(systemId)
          .filter(({ submitted: { message } }) => message.sourceAddr === sourceAddr)
          .filter(({ submitted: { message } }) => message.destinationAddr === destinationAddr)
      : named(smsc, operation, systemId);
  const underWay = meant.filter(({ state }) => state === "ENROUTE");
  const isUnknown = messageId !== "" && meant.length === 0;
  const failure = isUnknown ? STATUS.RINVMSGID : STATUS.RCANCELFAIL;
  answer(underWay.length > 0 ? STATUS.ROK : failure);
  for (const message of underWay) cancelMessage(smsc, message);
}

function replace(smsc: SmscState, operation: Operation, systemId: string, answer: Answer): void {
  const { registeredDelivery, shortMessage } = operation.message;
  const meant = named(smsc, operation, systemId);
  const underWay = meant.filter(({ state }) => state === "ENROUTE");
  for (const kept of underWay) {
    const { submitted } = kept;
    const { messagePayload: _, ...tlvs } = submitted.message.tlvs;
    const message = { ...submitted.message, registeredDelivery, shortMessage, tlvs };
    kept.submitted = { ...submitted, message, part: toHandsetPart(message, smsc.defaultAlphabet) };
  }
  const failure = meant.length === 0 ? STATUS.RINVMSGID : STATUS.RREPLACEFAIL;
  answer(underWay.length > 0 ? STATUS.ROK : failure);
}

const OPERATE = { query_sm: query, cancel_sm: cancel, replace_sm: replace } as const;

/** Submits to each destination separately; they share the id, and one answer reports on all. */
function submitMulti(
  submits: SubmitHandler,
  operation: Operation,
  systemId: string | null,
  answer: Answer,
): void {
  const { sequence, destinations } = operation;
  const refused: ReturnType<typeof unsuccessful>[] = [];
  const request = {};
  let waiting = destinations.length;
  let id: string | null = null;
  const settle = (): void => {
    waiting -= 1;
    if (waiting > 0) return;
    // No destination was accepted: the first status is that of the whole.
    const [first] = refused;
    if (id === null) answer(first?.error_status_code ?? STATUS.RINVNUMDESTS);
    else answer(STATUS.ROK, { message_id: id, unsuccess_sme: refused });
  };
  if (destinations.length === 0) answer(STATUS.RINVNUMDESTS);
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
    submits.take({ sequence, message: destination, systemId, respond, request });
  }
}

/** A destination that was refused, as submit_multi_resp reports it (SMPP 3.4 section 4.5.2). */
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

// The operations that only an SMSC handles: query_sm, cancel_sm, replace_sm, submit_multi (SMPP 3.4 sections 4.5, 4.8,
// 4.9 and 4.10), read here as far as this operator's answers need it.

const OPERATIONS = { 3: "query_sm", 7: "replace_sm", 8: "cancel_sm", 33: "submit_multi" } as const;

type OperationName = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** A destination of a submit_multi: the message to a number, or the name of a list, of which this operator has none. */
type MultiDestination = ShortMessage | string;

/** An operation as read; fields that it does not have are empty. */
type Operation = {
  readonly name: OperationName;
  readonly sequence: number;
  /** Empty in a cancel_sm: every message between the two addresses. */
  readonly messageId: string;
  /** Addresses, text and what else it shares with a submit_sm. */
  readonly message: ShortMessage;
  readonly destinations: readonly MultiDestination[];
};

/** The operation in a whole frame; null for any other command, "broken" where its fields are not all there. */
function readOperation(octets: Uint8Array): Operation | "broken" | null {
  const frame = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const names: Readonly<Record<number, OperationName>> = OPERATIONS;
  const name = names[frame.readUInt32BE(4)];
  if (name === undefined) return null;
  const { wire, fault } = readFrame(name, frame);
  if (fault !== 0) return "broken";
  const message = readMessage(wire);
  const messageId = typeof wire.message_id === "string" ? wire.message_id : "";
  const destinations = destinationsOf(wire, message);
  return { name, sequence: frame.readUInt32BE(12), messageId, message, destinations };
}

/** The destinations of a submit_multi, each as a submit_sm: everything but its list of destinations is the same. */
function destinationsOf({ dest_address: list }: WireRead, message: ShortMessage): MultiDestination[] {
  const each = Array.isArray(list) ? (list as WireRead[]) : [];
  return each.map(({ dl_name: name, dest_addr_ton: ton, dest_addr_npi: npi, destination_addr: number }) => {
    if (typeof name === "string") return name;
    const address = { destAddrTon: Number(ton), destAddrNpi: Number(npi), destinationAddr: String(number) };
    return { ...message, ...address };
  });
}

/** The response to an operation; one that is refused has no body. */
function operationResponse({ name, sequence }: Operation, status: number, body: WireFields = {}): Uint8Array {
  return writeFrame(`${name}_resp`, status, sequence, status === 0 ? body : null);
}
