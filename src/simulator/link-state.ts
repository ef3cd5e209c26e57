import type { Phrase } from "../i18n/phrase.ts";
import type { SmscSession } from "../smpp/centre-state.ts";
import type { FrameReader } from "../smpp/framing.ts";
import type { SessionTimer } from "../smpp/link-time.ts";
import type { Pdu } from "../smpp/pdu.ts";
import type { SocketWriter } from "../smpp/socket-writer.ts";
import { type SmscState, emit } from "./centre.ts";
import type { QuirkOfLink } from "./events.ts";
import type { Receiver } from "./mailbox.ts";
import type { SubmitHandlerState } from "./submit-desk.ts";

/** The socket as the runtime gives it. */
export type ClientSocket = {
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
  /** By which the session judges the other side: slow while nothing is read. */
  readonly time: SessionTimer;
  readonly receiver: Receiver;
  readonly submits: SubmitHandlerState;
  /** Takes what has come, until the link is left or no longer read. */
  readonly readOn: () => void;
  /** Sequence numbers that garbage stood under: their refusals are in order. */
  readonly garbageSent: Set<number>;
  systemId: string | null;
  /** Until we leave or the link is gone: what comes after that is neither read nor written. */
  isOpen: boolean;
  /** The socket is to be closed once everything is written. */
  isEnding: boolean;
  isStalled: boolean;
  why: Phrase;
};

/** Writes to the other side, as long as the link is there: a PDU, or octets of any kind. */
export function writePdu(link: SimulatedSession, pdu: Pdu | Uint8Array): void {
  if (link.isOpen) link.writer.write(pdu, null);
}

/** Closes the link once everything is written. */
export function leave(link: SimulatedSession, reason: Phrase): void {
  link.isOpen = false;
  link.why = reason;
  link.isEnding = true;
  link.writer.flush();
  if (link.writer.queue.octets() === 0) link.socket.end();
}

/** Tells what the quirks did. */
export function emitQuirk({ centre, number }: SimulatedSession, how: QuirkOfLink, what: Phrase): void {
  emit(centre, { kind: "quirk", link: number, how, what });
}
