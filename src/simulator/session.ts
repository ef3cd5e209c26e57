/** One session, from the operator's side: the SMSC's end of SMPP, with this operator's answers and quirks. */
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { isResponseId } from "../smpp/command.ts";
import { decodePdu, encodePdu, type Pdu } from "../smpp/pdu.ts";
import { createSessionTimer, type SessionTimer } from "../smpp/session-timer.ts";
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
import { type FrameReader, frameReader } from "../smpp/socket-reader.ts";
import { type SocketWriter, socketWriter, type WritableSocket } from "../smpp/socket-writer.ts";
import { STATUS } from "../smpp/status.ts";
import { readFrame, readMessage, type WireFields, type WireRead, writeFrame } from "../smpp/wire-format.ts";
import type { QuirkOfLink } from "./events.ts";
import { GARBAGE_KINDS, type GarbageKind, garbage, withBrokenParameter } from "./garbage.ts";
import { toHandsetPart } from "./handset.ts";
import { acknowledged, attach, detach, type Receiver, repeat } from "./mailbox.ts";
import { cancelMessage, finalDate } from "./message-life.ts";
import { ERROR_CODE, MESSAGE_STATE } from "./message-states.ts";
import type { DropMode, Quirks } from "./quirks.ts";
import { emit, findMailbox, later, type SmscMessage, type SmscState, violate } from "./smsc-state.ts";
import { closeSubmits, createSubmitHandlerState, type SubmitHandlerState, takeSubmit } from "./submit.ts";

/** A session that has not bound by then is closed. */
const BIND_WITHIN_MS = 60_000;
const OUR_NAME = "BENDRE-SMSC";
const VERSION = 0x34;
const MAX_SEQUENCE = 0x7fffffff;

export function openSimulatedSession(
  centre: SmscState,
  number: number,
  socket: ClientSocket,
): SimulatedSession {
  const time = createSessionTimer(centre.clock, () => {
    if (link.isOpen) run(link, { kind: "tick" });
  });
  const session = createSmscSession(() => ({
    bindWithinMs: BIND_WITHIN_MS,
    enquireLinkMs: centre.quirks.enquireLinkMs,
    responseTimeoutMs: centre.quirks.receiptAckTimeoutMs || Number.POSITIVE_INFINITY,
  }));
  const receiver: Receiver = {
    canTake: () => link.isOpen && canDeliver(session),
    inFlight: () => session.deliveries.count(),
    send: (command, ref, message) => run(link, { kind: "deliver", command, ref, message }),
  };
  const link: SimulatedSession = {
    centre,
    number,
    socket,
    session,
    frames: frameReader(),
    writer: socketWriter(
      dribbling(socket, centre, () => link.writer.flush()),
      () => {
        if (link.isEnding) socket.end();
      },
    ),
    time,
    receiver,
    submits: createSubmitHandlerState(centre, number, receiver, (at) =>
      drop(link, centre.quirks.dropMode, at),
    ),
    readOn: () => readOn(link),
    garbageSent: new Set(),
    systemId: null,
    isOpen: true,
    isEnding: false,
    isStalled: false,
    why: phrase("simulator.closed_by_other"),
  };
  run(link, { kind: "connected" });
  if (centre.quirks.outbind) {
    const header = { sequence: nextSmscSequence(session), status: STATUS.ROK };
    writePdu(link, { command: "outbind", ...header, systemId: OUR_NAME, password: "" });
  }
  return link;
}

/** Handles octets that arrived. */
export function received(link: SimulatedSession, chunk: Uint8Array): void {
  link.frames.push(chunk);
  readOn(link);
}

/** Handles the end of the connection. */
export function closed(link: SimulatedSession): void {
  const { centre, systemId, number } = link;
  link.isOpen = false;
  link.time.stop();
  link.writer.stop();
  closeSubmits(link.submits);
  stepSmsc(link.session, { kind: "closed" }, link.time.nowMs());
  if (systemId !== null) {
    detach(findMailbox(centre, systemId), link.receiver);
    centre.desk.left(systemId);
  }
  const { why } = link;
  emit(centre, { kind: "closed", link: number, systemId, why, isUnbound: why.code === "link.unbound" });
}

/** Sends an unbind, and closes the session. */
export function unbindSession(link: SimulatedSession): void {
  run(link, { kind: "unbind" });
  leave(link, phrase("simulator.operator_stopped"));
}

/** Sends an unbind, and waits for the other side. */
export function askToUnbind(link: SimulatedSession): void {
  if (link.systemId === null) return;
  emitQuirk(link, "asked to unbind", phrase("simulator.asked_to_unbind"));
  run(link, { kind: "unbind" });
}

/** Handles frames in their order, until the session is left or no longer read. */
function readOn(link: SimulatedSession): void {
  while (link.isOpen && !link.isStalled) {
    const frame = link.frames.next();
    if (frame !== null) {
      handle(link, frame);
      continue;
    }
    const fault = link.frames.fault();
    if (fault === null) return;
    violate(link.centre, link.number, said(fault));
    leave(link, phrase("simulator.no_pdu"));
  }
}

function handle(link: SimulatedSession, frame: Uint8Array): void {
  const { centre, number, garbageSent } = link;
  const decoded = decodePdu(frame);
  if (!decoded.ok) {
    run(link, { kind: "received", decoded });
    return;
  }
  const { pdu } = decoded;
  const { sequence } = pdu;
  const isToGarbage = pdu.command.endsWith("_resp") && garbageSent.delete(sequence);
  // A nack need not say what it answers (SMPP 3.4 section 4.3).
  if (isToGarbage || (pdu.command === "generic_nack" && garbageSent.size > 0)) return;
  const isOperation =
    pdu.command === "unsupported" &&
    operate(link.submits, frame, sequence, submitter(link), (octets) => writePdu(link, octets));
  if (!isOperation) run(link, { kind: "received", decoded });
  const isRequest = !isResponseId(Buffer.from(frame).readUInt32BE(4));
  if (isRequest && (sequence < 1 || sequence > MAX_SEQUENCE)) {
    violate(centre, number, phrase("simulator.rule.sequence"));
  }
}

function run(link: SimulatedSession, input: SmscInput): void {
  for (const output of stepSmsc(link.session, input, link.time.nowMs())) perform(link, output);
  if (link.isOpen) link.time.wakeBy(smscDeadlineMs(link.session));
}

function perform(link: SimulatedSession, output: SmscOutput): void {
  const { centre, number } = link;
  switch (output.kind) {
    case "write": {
      const { pdu } = output;
      const isIgnored = pdu.command === "enquire_link_resp" && centre.quirks.ignoreEnquireLink;
      const isBroken = "message" in pdu && centre.quirks.brokenParameters;
      if (!isIgnored) writePdu(link, isBroken ? withBrokenParameter(encodePdu(pdu)) : pdu);
      return;
    }
    case "close":
      leave(link, output.reason);
      return;
    case "unexpected":
      violate(centre, number, said(output.what));
      return;
    case "bind_asked":
      answerBind(link, output.bind);
      return;
    case "bind_refused": {
      const { systemId } = output.bind.fields;
      emit(centre, { kind: "bind_refused", link: number, systemId, status: output.status });
      return;
    }
    case "bound":
      bound(link, output.bind);
      return;
    case "submit":
      submit(link, output.command, output.sequence, output.message);
      return;
    case "misplaced_submit": {
      const { sequence, message } = output;
      takeSubmit(link.submits, { sequence, message, systemId: null, respond: () => {}, request: {} });
      return;
    }
    case "delivered":
      delivered(link, output.ref, output.status, output.late);
      return;
    case "timed_out":
      if (link.systemId !== null) repeat(findMailbox(centre, link.systemId), output.refs);
      return;
    case "lost":
      return;
  }
}

/** Answers a bind: admitted after the delay of the quirks, refused at once. */
function answerBind(link: SimulatedSession, { fields }: BindRequest): void {
  const { centre } = link;
  const status = centre.desk.admit(fields.systemId, fields.password);
  const scInterfaceVersion = centre.quirks.noTlvs ? null : VERSION;
  const answer = { kind: "bind_answer", status, systemId: OUR_NAME, scInterfaceVersion } as const;
  later(centre, status === STATUS.ROK ? centre.quirks.bindDelayMs : 0, () => {
    if (link.isOpen) run(link, answer);
    else centre.desk.left(fields.systemId);
  });
}

function bound(link: SimulatedSession, { kind, fields: { systemId } }: BindRequest): void {
  const { centre, number } = link;
  link.systemId = systemId;
  emit(centre, { kind: "bound", link: number, systemId, bind: kind });
  if (kind !== "transmitter") attach(findMailbox(centre, systemId), link.receiver);
}

/** The system_id that may submit on this session; null for none. */
function submitter({ session, systemId }: SimulatedSession): string | null {
  return maySubmit(session) ? systemId : null;
}

function submit(link: SimulatedSession, to: SubmitCommand, sequence: number, message: ShortMessage): void {
  const { centre, submits } = link;
  const respond = (status: number, messageId: string | null): void => {
    const isBodied = status !== STATUS.ROK && centre.quirks.refusalBody;
    const id = messageId ?? (isBodied ? "" : null);
    run(link, { kind: "answer", to, sequence, status, messageId: id });
  };
  takeSubmit(submits, { sequence, message, systemId: submitter(link), respond, request: {} });
  const fate = drawSessionFate(submits.count, centre.tally.garbage, centre.quirks);
  if (fate.garbage !== null) sendGarbage(link, fate.garbage);
  if (fate.stallMs !== null) stall(link, fate.stallMs);
  if (fate.isUnbound) askToUnbind(link);
}

function delivered(link: SimulatedSession, ref: number, status: number, late: boolean): void {
  const { centre, number, systemId } = link;
  if (systemId === null) return;
  acknowledged(findMailbox(centre, systemId), ref, status, late);
  centre.tally.receiptsAcknowledged += 1;
  emit(centre, { kind: "acknowledged", link: number, status });
}

/** A socket that writes one octet a turn while the quirk asks for it. `goOn` is called when it can take the next. */
function dribbling(socket: WritableSocket, centre: SmscState, goOn: () => void): WritableSocket {
  let isWaiting = false;
  return {
    write: (octets) => {
      if (!centre.quirks.byteWrites) return socket.write(octets);
      if (isWaiting) return 0;
      isWaiting = true;
      centre.clock.soon(() => {
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

type Write = (octets: Uint8Array) => void;

/**
 * Handles a command that the codec does not know; false where it is none of these operations. `systemId` is null on a
 * session that is not bound for submitting.
 */
function operate(
  submits: SubmitHandlerState,
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
  { book }: SmscState,
  { messageId, message: { sourceAddr } }: Operation,
  systemId: string,
): readonly SmscMessage[] {
  return book
    .find(systemId, messageId)
    .filter(({ submitted }) => sourceAddr === "" || submitted.message.sourceAddr === sourceAddr);
}

function query(centre: SmscState, operation: Operation, systemId: string, write: Write): void {
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

function cancel(centre: SmscState, operation: Operation, systemId: string, write: Write): void {
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

function replace(centre: SmscState, operation: Operation, systemId: string, write: Write): void {
  const { registeredDelivery, shortMessage } = operation.message;
  const meant = named(centre, operation, systemId);
  const underWay = meant.filter(({ state }) => state === "ENROUTE");
  for (const kept of underWay) {
    const { submitted } = kept;
    const { messagePayload: _, ...tlvs } = submitted.message.tlvs;
    const message = { ...submitted.message, registeredDelivery, shortMessage, tlvs };
    kept.submitted = { ...submitted, message, part: toHandsetPart(message, centre.defaultAlphabet) };
  }
  const failure = meant.length === 0 ? STATUS.RINVMSGID : STATUS.RREPLACEFAIL;
  write(operationResponse(operation, underWay.length > 0 ? STATUS.ROK : failure));
}

/** Submits to each destination separately; they share the id, and one answer reports on all. */
function submitMulti(
  submits: SubmitHandlerState,
  operation: Operation,
  systemId: string | null,
  write: Write,
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
// 4.9 and 4.10). The appliance never sends them, so they are read here and not in the codec.

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

// What the quirks, or a person, do to a session.

/** Ends the session without an unbind. `sequence`: of the submit at which it happens. */
export function drop(link: SimulatedSession, mode: DropMode, sequence = 1): void {
  if (!link.isOpen) return;
  link.centre.tally.dropped += 1;
  const why = phrase("simulator.dropped", { mode });
  emitQuirk(link, "dropped", why);
  if (mode === "mid_pdu") {
    const whole = encodePdu({ command: "submit_sm_resp", sequence, status: 0, messageId: "half" });
    link.writer.write(whole.subarray(0, whole.length / 2), null);
  }
  if (mode === "fin" || mode === "mid_pdu") {
    leave(link, why);
    return;
  }
  link.isOpen = false;
  link.why = why;
  link.writer.flush();
  link.writer.stop();
  if (mode === "rst") link.socket.terminate();
}

/** Reads nothing for so long; 0: for ever. */
export function stall(link: SimulatedSession, forMs: number): void {
  if (!link.isOpen || link.isStalled) return;
  link.isStalled = true;
  const what = forMs > 0 ? phrase("simulator.stalled", { ms: forMs }) : phrase("simulator.stalled.for_good");
  emitQuirk(link, "stalled", what);
  link.socket.pause();
  link.time.slow();
  if (forMs === 0) return;
  later(link.centre, forMs, () => {
    link.isStalled = false;
    link.socket.resume();
    link.time.normal();
    link.readOn();
  });
}

/** Writes octets that are no valid PDU. */
export function sendGarbage(link: SimulatedSession, kind: GarbageKind): void {
  if (!link.isOpen) return;
  const { centre, number } = link;
  const sequence = nextSmscSequence(link.session);
  link.garbageSent.add(sequence);
  centre.tally.garbage += 1;
  emit(centre, { kind: "garbage", link: number, garbage: kind });
  link.writer.write(garbage(kind, sequence, centre.chance), null);
}

/** The socket as the runtime gives it. */
type ClientSocket = {
  readonly write: (octets: Uint8Array) => number;
  readonly end: () => void;
  readonly terminate: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
};

export type SimulatedSession = {
  readonly centre: SmscState;
  readonly number: number;
  readonly socket: ClientSocket;
  readonly session: SmscSession;
  readonly frames: FrameReader;
  readonly writer: SocketWriter;
  /** The timer by which the session judges the other side: slow while nothing is read. */
  readonly time: SessionTimer;
  readonly receiver: Receiver;
  readonly submits: SubmitHandlerState;
  /** Handles what has arrived, until the session is left or no longer read. */
  readonly readOn: () => void;
  /** Sequence numbers of garbage sent: refusals of them are in order. */
  readonly garbageSent: Set<number>;
  systemId: string | null;
  /** Until we leave or the connection ends: after that nothing is read or written. */
  isOpen: boolean;
  /** The socket closes once everything is written. */
  isEnding: boolean;
  isStalled: boolean;
  why: Phrase;
};

/** Writes a PDU, or octets of any kind, to the other side while the session is open. */
function writePdu(link: SimulatedSession, pdu: Pdu | Uint8Array): void {
  if (link.isOpen) link.writer.write(pdu, null);
}

/** Closes the session once everything is written. */
function leave(link: SimulatedSession, reason: Phrase): void {
  link.isOpen = false;
  link.why = reason;
  link.isEnding = true;
  link.writer.flush();
  if (link.writer.queue.octets() === 0) link.socket.end();
}

/** Emits an event of what the quirks did. */
function emitQuirk({ centre, number }: SimulatedSession, how: QuirkOfLink, what: Phrase): void {
  emit(centre, { kind: "quirk", link: number, how, what });
}
