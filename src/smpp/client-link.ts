/**
 * One attempt to reach an operator and, if it works, the link it makes: socket, reader, writer and timer around a
 * session. What the protocol demands is decided by the session; here its outputs happen.
 *
 * What becomes of a submit is told once: `response`, `unanswered` or `unsent` (and a `lateResponse` may follow an
 * unanswered one).
 */

import type { Clock } from "../core/clock.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { clientStep } from "./client-session.ts";
import type { ClientInput, ClientOutput, ClientSettings } from "./client-session-io.ts";
import { type ClientSession, createClientSession, isLeaving } from "./client-state.ts";
import { deadlineMs } from "./client-timers.ts";
import { type ConnectionProfile, clientSettings } from "./connection-profile.ts";
import type { CarrierSocket, Dial } from "./dial.ts";
import type { Answer, LinkEvents } from "./link-events.ts";
import { type LinkReader, linkReader } from "./link-reader.ts";
import { type LinkTime, linkTime } from "./link-time.ts";
import { type Experience, isDoubtful } from "./liveness.ts";
import { decodePdu, type Pdu } from "./pdu.ts";
import { octetsOf, type ShortMessage } from "./short-message.ts";
import { type SocketWriter, socketWriter } from "./socket-writer.ts";

export type LinkOptions = {
  readonly profile: ConnectionProfile;
  readonly dial: Dial;
  readonly clock: Clock;
  /** What the links before this one taught. */
  readonly experience: Experience;
  readonly on: LinkEvents;
};

export type ClientLink = {
  readonly clock: Clock;
  readonly on: LinkEvents;
  readonly session: ClientSession;
  readonly socket: CarrierSocket;
  readonly reader: LinkReader;
  readonly writer: SocketWriter;
  /** By which the session judges the other end. */
  readonly time: LinkTime;
  /** Known at the end: submits that never wholly left. */
  unsent: ReadonlySet<number>;
  /** The end is asked for: nothing new goes out. */
  isClosing: boolean;
  isEnded: boolean;
  boundAtMs: number | null;
  /** The command_status of a refused bind. */
  refusedStatus: number | null;
};

/** PDUs: far more than the largest window and the answers to one of the operator's. Nobody reads at the other end. */
const LONGEST_QUEUE = 20_000;

/** Begins an attempt. */
export function openLink({ profile, dial, clock, experience, on }: LinkOptions): ClientLink {
  const time = linkTime(clock, () => guarded(link, () => run(link, { kind: "tick" })));
  const socket = dial(profile, clock, {
    connected: () => guarded(link, () => run(link, { kind: "connected" })),
    data: (chunk) => guarded(link, () => link.reader.take(chunk)),
    drain: () => link.writer.flush(),
    failed: (reason) => endLink(link, reason),
    hungUp: (reason) => hungUp(link, reason),
  });
  const link: ClientLink = {
    clock,
    on,
    session: createClientSession(clientSettings(profile, experience)),
    socket,
    reader: linkReader({
      clock,
      frame: (frame) => {
        on.seen?.("received", frame);
        run(link, { kind: "received", decoded: decodePdu(frame) });
      },
      fault: (fault) => endLink(link, phrase("link.unreadable", { fault })),
      pause: () => {
        socket.pause();
        if (!isLeaving(link.session)) time.slow();
      },
      resume: () => {
        socket.resume();
        time.normal();
      },
      guarded: (work) => guarded(link, work),
    }),
    writer: socketWriter(socket),
    time,
    unsent: new Set(),
    isClosing: false,
    isEnded: false,
    boundAtMs: null,
    refusedStatus: null,
  };
  return link;
}

/**
 * Sends a submit that has a place; its sequence number. Throws, with nothing sent, when it cannot be encoded.
 */
export function submitOver(link: ClientLink, ref: number, message: ShortMessage): number {
  try {
    run(link, { kind: "submit", ref, message });
  } catch (error) {
    if (!link.writer.queue.unsent().includes(ref)) {
      link.session.submits.withdraw([ref]);
      throw error;
    }
    // It may leave: the end of the link tells what became of it.
    failed(link, error);
  }
  return link.session.lastSequence;
}

/** Unbinds once every submit is answered, after `graceMs` at the latest, and closes after `longestMs`. */
export function leaveLink(link: ClientLink, graceMs: number, longestMs: number): void {
  run(link, { kind: "leave", graceMs, longestMs });
}

/** Goes by other settings from now on; those of the bind count for the next one. */
export function followSettings(link: ClientLink, settings: ClientSettings): void {
  guarded(link, () => run(link, { kind: "settings", settings }));
}

/** The other side is gone. What it said before that counts: a response that is here leaves nobody in doubt. */
function hungUp(link: ClientLink, reason: Phrase): void {
  link.isClosing = true;
  guarded(link, () => link.reader.finish(() => endLink(link, reason)));
}

/** What an event of socket or timer leads to. An error in it ends the link, which hands everything back. */
function guarded(link: ClientLink, work: () => void): void {
  if (link.isEnded) return;
  try {
    work();
  } catch (error) {
    failed(link, error);
  }
}

function failed(link: ClientLink, error: unknown): void {
  link.on.failed(error);
  endLink(link, phrase("link.own_error"));
}

/** One input to the session, its outputs carried out, its timer set. */
function run(link: ClientLink, input: ClientInput): void {
  const { session, time } = link;
  const wasDoubtful = isDoubtful(session.life);
  const outputs = clientStep(session, input, time.nowMs());
  if (isLeaving(session)) time.normal();
  link.isClosing ||= outputs.some(({ kind }) => kind === "close");
  for (const output of outputs) perform(link, output);
  if (!wasDoubtful && isDoubtful(session.life)) link.on.doubted();
  if (!link.isEnded) time.wakeBy(deadlineMs(session));
}

function perform(link: ClientLink, output: ClientOutput): void {
  const { on } = link;
  switch (output.kind) {
    case "write":
      if (!link.isEnded) write(link, output.pdu, output.ref);
      return;
    case "close":
      endLink(link, output.reason);
      return;
    case "halt": {
      const refs = link.writer.queue.withdraw();
      if (refs.length === 0) return;
      on.unsent(refs);
      run(link, { kind: "withdrawn", refs });
      return;
    }
    case "bound":
      link.boundAtMs = link.clock.nowMs();
      on.bound();
      return;
    case "bind_refused":
      link.refusedStatus = output.status;
      return;
    case "resumed":
      on.resumed();
      return;
    case "response": {
      const { ref, status, messageId, late } = output;
      if (late) on.lateResponse({ ref, status, messageId });
      else on.response({ ref, status, messageId });
      return;
    }
    case "timed_out":
      timedOut(link, output.refs);
      return;
    case "lost":
      tellUnanswered(link, output.refs, link.unsent);
      return;
    case "deliver":
      deliver(link, output);
      return;
    case "unexpected":
      on.unexpected(output.what, output.detail);
      return;
  }
}

function write(link: ClientLink, pdu: Pdu, ref: number | null): void {
  link.writer.write(pdu, ref);
  link.on.seen?.("sent", link.writer.queue.newest());
  if (link.writer.queue.length() > LONGEST_QUEUE) endLink(link, phrase("link.stopped_reading"));
}

/** One that is still to be written after a whole response time has nobody who reads it. */
function timedOut(link: ClientLink, refs: readonly number[]): void {
  const unsent = new Set(link.writer.queue.unsent());
  if (refs.some((ref) => unsent.has(ref))) endLink(link, phrase("link.stopped_reading"), refs);
  else link.on.unanswered(refs);
}

function tellUnanswered(link: ClientLink, refs: readonly number[], unsent: ReadonlySet<number>): void {
  const written = refs.filter((ref) => !unsent.has(ref));
  if (written.length > 0) link.on.unanswered(written);
}

function deliver(link: ClientLink, output: ClientOutput & { kind: "deliver" }): void {
  const { command: to, sequence, message } = output;
  let isAnswered = false;
  link.reader.begun(octetsOf(message));
  const answer: Answer = (status = 0) => {
    if (isAnswered) return;
    isAnswered = true;
    run(link, { kind: "answer", to, sequence, status });
    link.reader.decided(octetsOf(message));
  };
  link.on.deliver(message, answer, sequence);
}

/**
 * The end of a link or of an attempt: what was in flight is handed back, and so is what has `timedOut` a moment ago. Of these
 * one may have left by half, and leave whole only now.
 */
function endLink(link: ClientLink, reason: Phrase, timedOut: readonly number[] = []): void {
  if (link.isEnded) return;
  const { writer, session, on } = link;
  const withdrawn = writer.queue.withdraw();
  writer.flush();
  link.unsent = new Set([...writer.queue.unsent(), ...withdrawn]);
  link.isEnded = true;
  writer.stop();
  link.reader.stop();
  link.time.stop();
  link.socket.hangUp();
  try {
    tellUnanswered(link, timedOut, link.unsent);
    for (const output of clientStep(session, { kind: "closed" }, link.time.nowMs())) perform(link, output);
    if (link.unsent.size > 0) on.unsent([...link.unsent]);
  } finally {
    on.ended(reason);
  }
}
