/**
 * A lasting connection to one SMSC: connects, binds, keeps alive, submits within a window, and comes back after every loss. This
 * room is SMPP 3.4 and nothing else: no SQL, no money, no message of ours. Its layers, from the wire up: octets (wire-format.ts,
 * pdu.ts); sessions without effects, which say what each PDU and each time leads to (esme-session.ts and smsc-session.ts over
 * session-states.ts); a socket with its reader, writer and time (dial.ts, socket-reader.ts, socket-writer.ts, liveness.ts);
 * and here one session over a socket (`OpenSession`) and the sessions that follow one another.
 *
 * What outlives a session is kept here: the window, its history, the reconnection, the last error. The slot of a submit in the
 * window is taken until `release`, whatever was reported of it and across reconnections, so that a crash never leaves more than
 * one window with its outcome unknown (docs/behaviour.md#a-crash-and-the-window).
 */
import { assert } from "../core/assert.ts";
import { type Chance, jitter } from "../core/chance.ts";
import type { Cancel, Clock } from "../core/clock.ts";
import { errorFields, type Log, type RateLimitedLog, rateLimitedLog } from "../core/log.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { BindKind } from "./command.ts";
import { type ConnectionProfile, toEsmeSettings } from "./connection-profile.ts";
import { bindRefusal, type Dial, type SmppSocket } from "./dial.ts";
import {
  createEsmeSession,
  deadlineMs,
  type EsmeInput,
  type EsmeOutput,
  type EsmeSession,
  type EsmeSettings,
  isLeaving,
  openSlots,
  stepEsme,
} from "./esme-session.ts";
import {
  createSessionTimer,
  isDegraded,
  NO_HISTORY,
  type SessionHistory,
  type SessionTimer,
  toHistory,
} from "./liveness.ts";
import { decodePdu, type Pdu } from "./pdu.ts";
import type { SessionState } from "./session-states.ts";
import { countOctets, type ShortMessage } from "./short-message.ts";
import { type SocketReader, socketReader } from "./socket-reader.ts";
import { type SocketWriter, socketWriter } from "./socket-writer.ts";
import { refusesCredentials } from "./status.ts";

/** What the owner is told. None of these may throw; one that does ends the session. */
type ConnectionEvents = MessageEvents & {
  readonly bound: () => void;
  /** There are free slots although nothing was answered or released: the session is no longer degraded. */
  readonly resumed: () => void;
  /** After a bound session ended, and after what became of its submits was reported. */
  readonly unbound: (reason: Phrase) => void;
};

export type Connection = {
  /** Free slots in the window; 0 while not bound for submitting, and few while the session is degraded. */
  readonly freeSlots: () => number;
  /**
   * Takes a slot and sends; the PDU's sequence number. Null, with nothing taken, when there is no session or the window is full.
   * Throws, with nothing taken, when the message cannot be encoded.
   */
  readonly submit: (ref: number, message: ShortMessage) => number | null;
  /** Releases the slot of a submit, once what became of it is durable. Does nothing for one that has none. */
  readonly release: (ref: number) => void;
  readonly status: () => ConnectionStatus;
  /** Applies another profile: at once where the session can, the rest with the next bind. One that is down tries at once. */
  readonly follow: (profile: ConnectionProfile) => void;
  /** Binds anew: takes no more submits until then, waits for the responses that are due, unbinds, and connects at once. */
  readonly rebind: () => void;
  /**
   * Takes no more submits, waits up to `graceMs` for the responses that are due, unbinds and closes; after `longestMs` it closes
   * without an answer to its unbind. What stayed unanswered has been reported when the promise resolves. Called again, the
   * shorter times count.
   */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
};

type ConnectionOptions = {
  readonly profile: ConnectionProfile;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly on: ConnectionEvents;
};

/** What outlives the sessions. */
type Lasting = {
  readonly options: ConnectionOptions;
  profile: ConnectionProfile;
  /** For what the operator may say a thousand times a second. */
  readonly rateLimited: RateLimitedLog;
  readonly reconnect: Reconnect;
  /** Submits whose slot in the window is taken. */
  readonly taken: Set<number>;
  link: OpenSession | null;
  experience: SessionHistory;
  lastError: Phrase | null;
  lastErrorAtMs: number | null;
  downSinceMs: number | null;
  /** The session is to be followed by the next one at once. */
  isRebinding: boolean;
  /** Whether a session before the present one was bound. */
  wasBound: boolean;
  stopping: Promise<void> | null;
  /** Called once it has stopped; null until a stop is asked for. */
  stopped: (() => void) | null;
};

/** Opens a connection and keeps it open until it is stopped. */
export function openConnection(options: ConnectionOptions): Connection {
  const { profile, clock, chance, log } = options;
  const lasting: Lasting = {
    options,
    profile,
    rateLimited: rateLimitedLog(log, clock),
    reconnect: reconnect(
      clock,
      chance,
      () => lasting.profile.reconnectMs,
      () => connect(lasting),
    ),
    taken: new Set(),
    link: null,
    experience: NO_HISTORY,
    lastError: null,
    lastErrorAtMs: null,
    downSinceMs: clock.nowMs(),
    isRebinding: false,
    wasBound: false,
    stopping: null,
    stopped: null,
  };
  connect(lasting);
  return {
    freeSlots: () => freeSlots(lasting),
    submit: (ref, message) => submit(lasting, ref, message),
    release: (ref) => {
      lasting.taken.delete(ref);
    },
    status: () => statusOf(lasting),
    follow: (next) => follow(lasting, next),
    rebind: () => rebind(lasting),
    stop: (graceMs, longestMs = Number.POSITIVE_INFINITY) => {
      if (lasting.stopping === null) lasting.stopping = stop(lasting, graceMs, longestMs);
      else if (lasting.link !== null) leaveLink(lasting.link, graceMs, longestMs);
      return lasting.stopping;
    },
  };
}

function connect(lasting: Lasting): void {
  const { profile } = lasting;
  const { dial, clock, log, on } = lasting.options;
  const { host, port } = profile;
  const link = openLink({
    profile,
    dial,
    clock,
    experience: lasting.experience,
    on: {
      ...on,
      bound: () => {
        lasting.reconnect.succeeded();
        lasting.downSinceMs = null;
        log.info("bound", { host, port, bind: profile.bind });
        on.bound();
      },
      lateResponse: (response) => {
        noteError(lasting, phrase("link.late_answers"));
        on.lateResponse(response);
      },
      doubted: () => {
        noteError(lasting, phrase("link.no_answers"));
        log.warn("submits are not answered", { host, port });
      },
      unexpected: (what, detail) =>
        lasting.rateLimited.note("warn", what, "unexpected from the operator", {
          host,
          what,
          detail: detail ?? undefined,
        }),
      failed: (error) => log.error("a connection failed inside", { host, ...errorFields(error) }),
      ended: (reason) => ended(lasting, link, reason),
    },
  });
  lasting.link = link;
}

/** Ends a session or an attempt: reports it to the owner and sets the next attempt. */
function ended(lasting: Lasting, link: OpenSession, reason: Phrase): void {
  const { clock, log, on } = lasting.options;
  const { profile, isRebinding } = lasting;
  lasting.link = null;
  lasting.isRebinding = false;
  lasting.experience = toHistory(link.session.life);
  try {
    if (link.boundAtMs === null) return;
    lasting.downSinceMs = clock.nowMs();
    lasting.wasBound = true;
    log.info("unbound", { host: profile.host, port: profile.port, reason: english(reason) });
    on.unbound(reason);
  } finally {
    if (lasting.stopped) lasting.stopped();
    else if (isRebinding) connect(lasting);
    else comeBack(lasting, link.refusedStatus, reason);
  }
}

function comeBack(lasting: Lasting, refusedStatus: number | null, reason: Phrase): void {
  const { profile } = lasting;
  const { log } = lasting.options;
  const error = refusedStatus === null ? reason : bindRefusal(refusedStatus, profile);
  noteError(lasting, error);
  const retryMs = lasting.reconnect.failed(refusedStatus !== null && refusesCredentials(refusedStatus));
  const { host, port } = profile;
  log.warn("no link to the operator", { host, port, reason: english(error), retry_ms: Math.round(retryMs) });
}

function noteError(lasting: Lasting, error: Phrase): void {
  lasting.lastError = error;
  lasting.lastErrorAtMs = lasting.options.clock.nowMs();
}

/** The present session, unless it is about to end. */
function usableLink({ link }: Lasting): OpenSession | null {
  return link === null || link.isClosing || link.isEnded ? null : link;
}

function freeSlots(lasting: Lasting): number {
  const link = usableLink(lasting);
  if (link === null) return 0;
  return Math.max(0, Math.min(openSlots(link.session), lasting.profile.window - lasting.taken.size));
}

function submit(lasting: Lasting, ref: number, message: ShortMessage): number | null {
  const { taken } = lasting;
  assert(!taken.has(ref), "a ref stands for one submit until it is released");
  const link = usableLink(lasting);
  if (link === null || freeSlots(lasting) === 0) return null;
  taken.add(ref);
  try {
    return submitOver(link, ref, message);
  } catch (error) {
    taken.delete(ref);
    throw error;
  }
}

function follow(lasting: Lasting, profile: ConnectionProfile): void {
  if (Bun.deepEquals(profile, lasting.profile)) return;
  lasting.profile = profile;
  const { link } = lasting;
  if (link === null) lasting.reconnect.now();
  else followSettings(link, toEsmeSettings(profile, lasting.experience));
}

/** What an unbind may take beside the responses that are awaited. */
const UNBINDING_MS = 5000;

function rebind(lasting: Lasting): void {
  const { link, profile, stopped } = lasting;
  if (stopped !== null) return;
  if (link === null) {
    lasting.reconnect.now();
    return;
  }
  lasting.isRebinding = true;
  leaveLink(link, profile.responseTimeoutMs, profile.responseTimeoutMs + UNBINDING_MS);
}

function stop(lasting: Lasting, graceMs: number, longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stopped = (): void => {
      lasting.rateLimited.close();
      resolve();
    };
    lasting.stopped = stopped;
    lasting.reconnect.stop();
    if (lasting.link === null) stopped();
    else leaveLink(lasting.link, graceMs, longestMs);
  });
}

function statusOf(lasting: Lasting): ConnectionStatus {
  const { link, lastError, lastErrorAtMs, downSinceMs, profile } = lasting;
  const { bind, host, port, window } = profile;
  const current = link?.isEnded ? null : link;
  return {
    state: toConnectionState(current?.session.state ?? null, lasting.stopped !== null),
    bind,
    host,
    port,
    inFlight: lasting.taken.size,
    window,
    lastError,
    lastErrorAtMs,
    boundAtMs: current?.boundAtMs ?? null,
    downSinceMs,
    wasBound: lasting.wasBound || (current?.boundAtMs ?? null) !== null,
    nextAttemptAtMs: lasting.reconnect.nextAttemptAtMs(),
  };
}

// One attempt to reach an operator and, if it works, the session it makes: socket, reader, writer and timer around an `EsmeSession`. What
// the protocol demands is decided there; here its outputs are carried out.
//
// What became of a submit is reported once: `response`, `unanswered` or `unsent` (and a `lateResponse` may follow an unanswered one).

type LinkOptions = {
  readonly profile: ConnectionProfile;
  readonly dial: Dial;
  readonly clock: Clock;
  /** What the sessions before this one learned. */
  readonly experience: SessionHistory;
  readonly on: SessionEvents;
};

type OpenSession = {
  readonly clock: Clock;
  readonly on: SessionEvents;
  readonly session: EsmeSession;
  readonly socket: SmppSocket;
  readonly reader: SocketReader;
  readonly writer: SocketWriter;
  /** The time by which the session judges the other end. */
  readonly time: SessionTimer;
  /** Known at the end: submits that were never wholly written. */
  unsent: ReadonlySet<number>;
  /** The end was asked for: nothing new goes out. */
  isClosing: boolean;
  isEnded: boolean;
  boundAtMs: number | null;
  /** The command_status of a refused bind. */
  refusedStatus: number | null;
};

/** PDUs: far more than the largest window and the answers to one of the operator's. Beyond that the other end does not read. */
const MAX_QUEUE_LENGTH = 20_000;

/** Begins an attempt. */
function openLink({ profile, dial, clock, experience, on }: LinkOptions): OpenSession {
  const time = createSessionTimer(clock, () => guarded(link, () => run(link, { kind: "tick" })));
  const socket = dial(profile, clock, {
    connected: () => guarded(link, () => run(link, { kind: "connected" })),
    data: (chunk) => guarded(link, () => link.reader.take(chunk)),
    drain: () => link.writer.flush(),
    failed: (reason) => endLink(link, reason),
    hungUp: (reason) => hungUp(link, reason),
  });
  const link: OpenSession = {
    clock,
    on,
    session: createEsmeSession(toEsmeSettings(profile, experience)),
    socket,
    reader: socketReader({
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

/** Sends a submit that has a slot; returns its sequence number. Throws, with nothing sent, when it cannot be encoded. */
function submitOver(link: OpenSession, ref: number, message: ShortMessage): number {
  try {
    run(link, { kind: "submit", ref, message });
  } catch (error) {
    if (!link.writer.queue.unsent().includes(ref)) {
      link.session.submits.withdraw([ref]);
      throw error;
    }
    // It may leave: the end of the session reports what became of it.
    failed(link, error);
  }
  return link.session.lastSequence;
}

/** Unbinds once every submit is answered, after `graceMs` at the latest, and closes after `longestMs`. */
function leaveLink(link: OpenSession, graceMs: number, longestMs: number): void {
  run(link, { kind: "leave", graceMs, longestMs });
}

/** Applies other settings from now on; those of the bind count for the next one. */
function followSettings(link: OpenSession, settings: EsmeSettings): void {
  guarded(link, () => run(link, { kind: "settings", settings }));
}

/** The other side is gone. What it sent before that counts: a response that was received leaves no outcome unknown. */
function hungUp(link: OpenSession, reason: Phrase): void {
  link.isClosing = true;
  guarded(link, () => link.reader.finish(() => endLink(link, reason)));
}

/** Runs what an event of socket or timer leads to. An error in it ends the session, which hands everything back. */
function guarded(link: OpenSession, work: () => void): void {
  if (link.isEnded) return;
  try {
    work();
  } catch (error) {
    failed(link, error);
  }
}

function failed(link: OpenSession, error: unknown): void {
  link.on.failed(error);
  endLink(link, phrase("link.own_error"));
}

/** Gives the session one input, carries out its outputs and sets its timer. */
function run(link: OpenSession, input: EsmeInput): void {
  const { session, time } = link;
  const wasDoubtful = isDegraded(session.life);
  const outputs = stepEsme(session, input, time.nowMs());
  if (isLeaving(session)) time.normal();
  link.isClosing ||= outputs.some(({ kind }) => kind === "close");
  for (const output of outputs) perform(link, output);
  if (!wasDoubtful && isDegraded(session.life)) link.on.doubted();
  if (!link.isEnded) time.wakeBy(deadlineMs(session));
}

function perform(link: OpenSession, output: EsmeOutput): void {
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

function write(link: OpenSession, pdu: Pdu, ref: number | null): void {
  link.writer.write(pdu, ref);
  link.on.seen?.("sent", link.writer.queue.newest());
  if (link.writer.queue.length() > MAX_QUEUE_LENGTH) endLink(link, phrase("link.stopped_reading"));
}

/** Submits timed out. One still unwritten after a whole response time means that the other end does not read. */
function timedOut(link: OpenSession, refs: readonly number[]): void {
  const unsent = new Set(link.writer.queue.unsent());
  if (refs.some((ref) => unsent.has(ref))) endLink(link, phrase("link.stopped_reading"), refs);
  else link.on.unanswered(refs);
}

function tellUnanswered(link: OpenSession, refs: readonly number[], unsent: ReadonlySet<number>): void {
  const written = refs.filter((ref) => !unsent.has(ref));
  if (written.length > 0) link.on.unanswered(written);
}

function deliver(link: OpenSession, output: EsmeOutput & { kind: "deliver" }): void {
  const { command: to, sequence, message } = output;
  let isAnswered = false;
  link.reader.begun(countOctets(message));
  const answer: Answer = (status = 0) => {
    if (isAnswered) return;
    isAnswered = true;
    run(link, { kind: "answer", to, sequence, status });
    link.reader.decided(countOctets(message));
  };
  link.on.deliver(message, answer, sequence);
}

/**
 * Ends a session or an attempt: what was in flight is handed back, and so is what has just `timedOut`. Of these one may have been
 * half written, and leave whole only now.
 */
function endLink(link: OpenSession, reason: Phrase, timedOut: readonly number[] = []): void {
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
    for (const output of stepEsme(session, { kind: "closed" }, link.time.nowMs())) perform(link, output);
    if (link.unsent.size > 0) on.unsent([...link.unsent]);
  } finally {
    on.ended(reason);
  }
}

/** The state of a connection. WAITING: until the next attempt. */
type ConnectionState = "CONNECTING" | "BINDING" | "BOUND" | "UNBINDING" | "WAITING" | "STOPPED";

/** The status of a connection. Times are epoch milliseconds. */
export type ConnectionStatus = {
  readonly state: ConnectionState;
  readonly bind: BindKind;
  readonly host: string;
  readonly port: number;
  /** Submits whose slot in the window is taken. */
  readonly inFlight: number;
  readonly window: number;
  /** What last went wrong; it stays when the session is back. Null if nothing did. */
  readonly lastError: Phrase | null;
  readonly lastErrorAtMs: number | null;
  /** Since when it is bound; null while it is not. */
  readonly boundAtMs: number | null;
  /** Since when it is not bound; null while it is. */
  readonly downSinceMs: number | null;
  /** Whether it was bound since the server's start. */
  readonly wasBound: boolean;
  readonly nextAttemptAtMs: number | null;
};

const STATE_OF: Record<SessionState, ConnectionState> = {
  CLOSED: "CONNECTING",
  OPEN: "BINDING",
  BOUND_TX: "BOUND",
  BOUND_RX: "BOUND",
  BOUND_TRX: "BOUND",
  UNBINDING: "UNBINDING",
};

/** The state of a connection whose present session, if any, is in this state. */
function toConnectionState(session: SessionState | null, isStopped: boolean): ConnectionState {
  if (session === null) return isStopped ? "STOPPED" : "WAITING";
  return STATE_OF[session];
}

/* What a session reports to its owner. */

export type SubmitResponse = {
  readonly ref: number;
  /** command_status; 0 is accepted. */
  readonly status: number;
  /** Null when the operator gave none. */
  readonly messageId: string | null;
};

/** Answers a deliver_sm or data_sm, once; 0 (ROK) unless given otherwise. After the session has ended it does nothing. */
export type Answer = (status?: number) => void;

/** What is reported of messages. */
export type MessageEvents = {
  readonly response: (response: SubmitResponse) => void;
  /** The response to a submit that was reported as unanswered before. */
  readonly lateResponse: (response: SubmitResponse) => void;
  /** Written, and no response in time or before the session ended: the operator may or may not have them. */
  readonly unanswered: (refs: readonly number[]) => void;
  /** Never wholly written: the operator cannot have them. */
  readonly unsent: (refs: readonly number[]) => void;
  /** `sequence`: the PDU's number in this session. Each has to be answered: no more are read while many are not. */
  readonly deliver: (message: ShortMessage, answer: Answer, sequence: number) => void;
  /** Octets of each PDU that is written or was read, which must not be kept; absent where nobody looks. */
  readonly seen?: ((way: "sent" | "received", octets: Uint8Array) => void) | undefined;
};

/** What is reported of the session itself. */
type SessionEvents = MessageEvents & {
  readonly bound: () => void;
  /** There are free slots although nothing was answered or released: the session is no longer degraded. */
  readonly resumed: () => void;
  /** The session is degraded: submits, one after the other, are not answered any more. */
  readonly doubted: () => void;
  readonly unexpected: (what: string, detail: string | null) => void;
  /** An error of our own, which ends the session. */
  readonly failed: (error: unknown) => void;
  /** After everything else that is reported. */
  readonly ended: (reason: Phrase) => void;
};

const MAX_MS = 60_000;
const JITTER_SHARE = 0.2;

/** Reconnects after every loss. */
type Reconnect = {
  /** Sets the next attempt, later with each failure in a row; in how many milliseconds. */
  readonly failed: (credentialsRefused: boolean) => number;
  readonly succeeded: () => void;
  /** Makes the next attempt at once, where one is set, and restarts the count of failures. */
  readonly now: () => void;
  /** No attempt is made any more. */
  readonly stop: () => void;
  /** Epoch milliseconds; null while none is set. */
  readonly nextAttemptAtMs: () => number | null;
};

function reconnect(clock: Clock, chance: Chance, firstMs: () => number, attempt: () => void): Reconnect {
  let failures = 0;
  let nextAttemptAtMs: number | null = null;
  let cancel: Cancel = () => {};
  return {
    failed: (credentialsRefused) => {
      failures += 1;
      const delayMs = reconnectDelayMs(chance, firstMs(), failures, credentialsRefused);
      nextAttemptAtMs = clock.nowMs() + delayMs;
      cancel = clock.after(delayMs, () => {
        nextAttemptAtMs = null;
        attempt();
      });
      return delayMs;
    },
    succeeded: () => {
      failures = 0;
    },
    now: () => {
      failures = 0;
      if (nextAttemptAtMs === null) return;
      cancel();
      nextAttemptAtMs = null;
      attempt();
    },
    stop: () => {
      cancel();
      nextAttemptAtMs = null;
    },
    nextAttemptAtMs: () => nextAttemptAtMs,
  };
}

/**
 * How long to wait before the next attempt, in whole milliseconds: `firstMs` doubling with each failure in a row up to a minute,
 * ±20 % so that many connections do not come back in one moment (docs/behaviour.md#refused-binds). Refused credentials wait the
 * full minute at once: trying faster only locks the account.
 */
export function reconnectDelayMs(
  chance: Chance,
  firstMs: number,
  failures: number,
  credentialsRefused: boolean,
): number {
  if (credentialsRefused) return MAX_MS;
  const plainMs = firstMs * 2 ** Math.min(16, Math.max(0, failures - 1));
  return Math.min(MAX_MS, Math.round(jitter(chance, Math.min(MAX_MS, plainMs), JITTER_SHARE)));
}
