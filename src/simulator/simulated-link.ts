/** One link, from the operator's side: a centre's session, with this operator's answers to what it asks. */
import { phrase, said } from "../i18n/phrase.ts";
import { centreDeadlineMs, centreStep, createCentreSession } from "../smpp/centre-session.ts";
import type { BindRequest, CentreInput, CentreOutput, SubmitCommand } from "../smpp/centre-session-io.ts";
import { canDeliver, centreSequence, maySubmit } from "../smpp/centre-state.ts";
import { isResponseId } from "../smpp/command.ts";
import { frameReader } from "../smpp/framing.ts";
import { linkTime } from "../smpp/link-time.ts";
import { decodePdu, encodePdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { socketWriter } from "../smpp/socket-writer.ts";
import { STATUS } from "../smpp/status.ts";
import { type Centre, later, mailboxOf, tell, violate } from "./centre.ts";
import { dribbling } from "./dribble.ts";
import { withBrokenParameter } from "./garbage.ts";
import { linkFateOf } from "./link-fate.ts";
import { drop, sendGarbage, stall } from "./link-mishaps.ts";
import { type ClientSocket, leave, type SimulatedLink, tellQuirk, writePdu } from "./link-state.ts";
import { acknowledged, attach, detach, type Receiver, repeat } from "./mailbox.ts";
import { operate } from "./operation-desk.ts";
import { closeSubmits, submitDesk, takeSubmit } from "./submit-desk.ts";

/** What has not bound by then is closed. */
const BIND_WITHIN_MS = 60_000;
const OUR_NAME = "BENDRE-SMSC";
const VERSION = 0x34;
const LARGEST_SEQUENCE = 0x7fffffff;

export function openSimulatedLink(centre: Centre, number: number, socket: ClientSocket): SimulatedLink {
  const time = linkTime(centre.clock, () => {
    if (link.isOpen) run(link, { kind: "tick" });
  });
  const session = createCentreSession(() => ({
    bindWithinMs: BIND_WITHIN_MS,
    enquireLinkMs: centre.quirks.enquireLinkMs,
    responseTimeoutMs: centre.quirks.receiptAckTimeoutMs || Number.POSITIVE_INFINITY,
  }));
  const receiver: Receiver = {
    canTake: () => link.isOpen && canDeliver(session),
    inFlight: () => session.deliveries.count(),
    send: (command, ref, message) => run(link, { kind: "deliver", command, ref, message }),
  };
  const link: SimulatedLink = {
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
    submits: submitDesk(centre, number, receiver, (at) => drop(link, centre.quirks.dropMode, at)),
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
    const header = { sequence: centreSequence(session), status: STATUS.ROK };
    writePdu(link, { command: "outbind", ...header, systemId: OUR_NAME, password: "" });
  }
  return link;
}

/** Octets came. */
export function received(link: SimulatedLink, chunk: Uint8Array): void {
  link.frames.push(chunk);
  readOn(link);
}

/** The link is gone. */
export function closed(link: SimulatedLink): void {
  const { centre, systemId, number } = link;
  link.isOpen = false;
  link.time.stop();
  link.writer.stop();
  closeSubmits(link.submits);
  centreStep(link.session, { kind: "closed" }, link.time.nowMs());
  if (systemId !== null) {
    detach(mailboxOf(centre, systemId), link.receiver);
    centre.desk.left(systemId);
  }
  const { why } = link;
  tell(centre, { kind: "closed", link: number, systemId, why, isUnbound: why.code === "link.unbound" });
}

/** Asks the other side to leave, and leaves. */
export function stopLink(link: SimulatedLink): void {
  run(link, { kind: "unbind" });
  leave(link, phrase("simulator.operator_stopped"));
}

/** Asks the other side to leave, and waits for it. */
export function askToUnbind(link: SimulatedLink): void {
  if (link.systemId === null) return;
  tellQuirk(link, "asked to unbind", phrase("simulator.asked_to_unbind"));
  run(link, { kind: "unbind" });
}

/** Takes frames in their order, until the link is left or no longer read. */
function readOn(link: SimulatedLink): void {
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

function handle(link: SimulatedLink, frame: Uint8Array): void {
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
  if (isRequest && (sequence < 1 || sequence > LARGEST_SEQUENCE)) {
    violate(centre, number, phrase("simulator.rule.sequence"));
  }
}

function run(link: SimulatedLink, input: CentreInput): void {
  for (const output of centreStep(link.session, input, link.time.nowMs())) perform(link, output);
  if (link.isOpen) link.time.wakeBy(centreDeadlineMs(link.session));
}

function perform(link: SimulatedLink, output: CentreOutput): void {
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
      tell(centre, { kind: "bind_refused", link: number, systemId, status: output.status });
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
      if (link.systemId !== null) repeat(mailboxOf(centre, link.systemId), output.refs);
      return;
    case "lost":
      return;
  }
}

/** Admitted is answered as late as the quirks say, refused at once. */
function answerBind(link: SimulatedLink, { fields }: BindRequest): void {
  const { centre } = link;
  const status = centre.desk.admit(fields.systemId, fields.password);
  const scInterfaceVersion = centre.quirks.noTlvs ? null : VERSION;
  const answer = { kind: "bind_answer", status, systemId: OUR_NAME, scInterfaceVersion } as const;
  later(centre, status === STATUS.ROK ? centre.quirks.bindDelayMs : 0, () => {
    if (link.isOpen) run(link, answer);
    else centre.desk.left(fields.systemId);
  });
}

function bound(link: SimulatedLink, { kind, fields: { systemId } }: BindRequest): void {
  const { centre, number } = link;
  link.systemId = systemId;
  tell(centre, { kind: "bound", link: number, systemId, bind: kind });
  if (kind !== "transmitter") attach(mailboxOf(centre, systemId), link.receiver);
}

/** The system_id that may submit on this link; null for none. */
function submitter({ session, systemId }: SimulatedLink): string | null {
  return maySubmit(session) ? systemId : null;
}

function submit(link: SimulatedLink, to: SubmitCommand, sequence: number, message: ShortMessage): void {
  const { centre, submits } = link;
  const respond = (status: number, messageId: string | null): void => {
    const isBodied = status !== STATUS.ROK && centre.quirks.refusalBody;
    const id = messageId ?? (isBodied ? "" : null);
    run(link, { kind: "answer", to, sequence, status, messageId: id });
  };
  takeSubmit(submits, { sequence, message, systemId: submitter(link), respond, request: {} });
  const fate = linkFateOf(submits.count, centre.tally.garbage, centre.quirks);
  if (fate.garbage !== null) sendGarbage(link, fate.garbage);
  if (fate.stallMs !== null) stall(link, fate.stallMs);
  if (fate.isUnbound) askToUnbind(link);
}

function delivered(link: SimulatedLink, ref: number, status: number, late: boolean): void {
  const { centre, number, systemId } = link;
  if (systemId === null) return;
  acknowledged(mailboxOf(centre, systemId), ref, status, late);
  centre.tally.receiptsAcknowledged += 1;
  tell(centre, { kind: "acknowledged", link: number, status });
}
