/**
 * A lasting connection to one SMSC: connects, binds, keeps alive, submits within a window, and comes back after every loss. This
 * room is SMPP 3.4 and nothing else: no SQL, no money, no message of ours. Its layers, from the wire up: octets (wire-format.ts,
 * pdu.ts); sessions without effects, which say what each PDU and each time leads to (esme-session.ts and smsc-session.ts over
 * session-states.ts); a socket with its reader, writer and time (dial.ts, socket-reader.ts, socket-writer.ts, liveness.ts); and here
 * one session over a socket (`OpenSession`) and the sessions that follow one another (`LastingConnection`).
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
import { bindRefusal, type ConnectionProfile, type Dial, type SmppSocket } from "./dial.ts";
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
import { type BindKind, decodePdu, type Pdu } from "./pdu.ts";
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

/** Opens a connection and keeps it open until it is stopped. */
export function openConnection(options: ConnectionOptions): Connection {
  return new LastingConnection(options);
}

/** What an unbind may take beside the responses that are awaited. */
const UNBINDING_MS = 5000;

/** What outlives the sessions, and the session of the moment. */
class LastingConnection implements Connection {
  private profile: ConnectionProfile;
  /** For what the operator may say a thousand times a second. */
  private readonly rateLimited: RateLimitedLog;
  private readonly reconnect: Reconnect;
  /** Submits whose slot in the window is taken. */
  private readonly taken = new Set<number>();
  private session: OpenSession | null = null;
  private history: SessionHistory = NO_HISTORY;
  private lastError: Phrase | null = null;
  private lastErrorAtMs: number | null = null;
  private downSinceMs: number | null;
  /** The session is to be followed by the next one at once. */
  private isRebinding = false;
  /** Whether a session before the present one was bound. */
  private wasBound = false;
  private stopping: Promise<void> | null = null;
  /** Called once it has stopped; null until a stop is asked for. */
  private stopped: (() => void) | null = null;

  constructor(private readonly options: ConnectionOptions) {
    const { profile, clock, chance, log } = options;
    this.profile = profile;
    this.rateLimited = rateLimitedLog(log, clock);
    this.reconnect = reconnect(
      clock,
      chance,
      () => this.profile.reconnectMs,
      () => this.connect(),
    );
    this.downSinceMs = clock.nowMs();
    this.connect();
  }

  freeSlots(): number {
    const session = this.usableSession();
    if (session === null) return 0;
    return Math.max(0, Math.min(openSlots(session.esme), this.profile.window - this.taken.size));
  }

  submit(ref: number, message: ShortMessage): number | null {
    const { taken } = this;
    assert(!taken.has(ref), "a ref stands for one submit until it is released");
    const session = this.usableSession();
    if (session === null || this.freeSlots() === 0) return null;
    taken.add(ref);
    try {
      return session.submit(ref, message);
    } catch (error) {
      taken.delete(ref);
      throw error;
    }
  }

  release(ref: number): void {
    this.taken.delete(ref);
  }

  follow(profile: ConnectionProfile): void {
    if (Bun.deepEquals(profile, this.profile)) return;
    this.profile = profile;
    if (this.session === null) this.reconnect.now();
    else this.session.follow(toEsmeSettings(profile, this.history));
  }

  rebind(): void {
    const { session, profile, stopped } = this;
    if (stopped !== null) return;
    if (session === null) {
      this.reconnect.now();
      return;
    }
    this.isRebinding = true;
    session.leave(profile.responseTimeoutMs, profile.responseTimeoutMs + UNBINDING_MS);
  }

  stop(graceMs: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.stopping === null) this.stopping = this.beginToStop(graceMs, longestMs);
    else this.session?.leave(graceMs, longestMs);
    return this.stopping;
  }

  private beginToStop(graceMs: number, longestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const stopped = (): void => {
        this.rateLimited.close();
        resolve();
      };
      this.stopped = stopped;
      this.reconnect.stop();
      if (this.session === null) stopped();
      else this.session.leave(graceMs, longestMs);
    });
  }

  status(): ConnectionStatus {
    const { session, lastError, lastErrorAtMs, downSinceMs, profile } = this;
    const { bind, host, port, window } = profile;
    const current = session?.isEnded ? null : session;
    return {
      state: toConnectionState(current?.esme.state ?? null, this.stopped !== null),
      bind,
      host,
      port,
      inFlight: this.taken.size,
      window,
      lastError,
      lastErrorAtMs,
      boundAtMs: current?.boundAtMs ?? null,
      downSinceMs,
      wasBound: this.wasBound || (current?.boundAtMs ?? null) !== null,
      nextAttemptAtMs: this.reconnect.nextAttemptAtMs(),
    };
  }

  /** The present session, unless it is about to end. */
  private usableSession(): OpenSession | null {
    const { session } = this;
    return session === null || session.isClosing || session.isEnded ? null : session;
  }

  private connect(): void {
    const { profile } = this;
    const { dial, clock, log, on } = this.options;
    const { host, port } = profile;
    const session = new OpenSession({
      profile,
      dial,
      clock,
      history: this.history,
      on: {
        ...on,
        bound: () => {
          this.reconnect.succeeded();
          this.downSinceMs = null;
          log.info("bound", { host, port, bind: profile.bind });
          on.bound();
        },
        lateResponse: (response) => {
          this.noteError(phrase("link.late_answers"));
          on.lateResponse(response);
        },
        degraded: () => {
          this.noteError(phrase("link.no_answers"));
          log.warn("submits are not answered", { host, port });
        },
        unexpected: (what, detail) =>
          this.rateLimited.note("warn", what, "unexpected from the operator", {
            host,
            what,
            detail: detail ?? undefined,
          }),
        failed: (error) => log.error("a connection failed inside", { host, ...errorFields(error) }),
        ended: (reason) => this.ended(session, reason),
      },
    });
    this.session = session;
  }

  /** Ends a session or an attempt: reports it to the owner and sets the next attempt. */
  private ended(session: OpenSession, reason: Phrase): void {
    const { clock, log, on } = this.options;
    const { profile, isRebinding } = this;
    this.session = null;
    this.isRebinding = false;
    this.history = toHistory(session.esme.life);
    try {
      if (session.boundAtMs === null) return;
      this.downSinceMs = clock.nowMs();
      this.wasBound = true;
      log.info("unbound", { host: profile.host, port: profile.port, reason: english(reason) });
      on.unbound(reason);
    } finally {
      if (this.stopped) this.stopped();
      else if (isRebinding) this.connect();
      else this.retryLater(session.refusedStatus, reason);
    }
  }

  private retryLater(refusedStatus: number | null, reason: Phrase): void {
    const { profile } = this;
    const { log } = this.options;
    const error = refusedStatus === null ? reason : bindRefusal(refusedStatus, profile);
    this.noteError(error);
    const retryMs = this.reconnect.failed(refusedStatus !== null && refusesCredentials(refusedStatus));
    const { host, port } = profile;
    log.warn("no link to the operator", {
      host,
      port,
      reason: english(error),
      retry_ms: Math.round(retryMs),
    });
  }

  private noteError(error: Phrase): void {
    this.lastError = error;
    this.lastErrorAtMs = this.options.clock.nowMs();
  }
}

type OpenSessionOptions = {
  readonly profile: ConnectionProfile;
  readonly dial: Dial;
  readonly clock: Clock;
  /** What the sessions before this one learned. */
  readonly history: SessionHistory;
  readonly on: SessionEvents;
};

/** PDUs: far more than the largest window and the answers to one of the operator's. Beyond that the other end does not read. */
const MAX_QUEUE_LENGTH = 20_000;

/**
 * One attempt to reach an operator and, if it works, the session it makes: socket, reader, writer and timer around an `EsmeSession`.
 * What the protocol demands is decided there; here its outputs are carried out.
 *
 * What became of a submit is reported once: `response`, `unanswered` or `unsent` (and a `lateResponse` may follow an unanswered one).
 */
class OpenSession {
  /** What the protocol knows of the session. */
  readonly esme: EsmeSession;
  /** The end was asked for: nothing new goes out. */
  isClosing = false;
  isEnded = false;
  boundAtMs: number | null = null;
  /** The command_status of a refused bind. */
  refusedStatus: number | null = null;
  private readonly clock: Clock;
  private readonly on: SessionEvents;
  private readonly socket: SmppSocket;
  private readonly reader: SocketReader;
  private readonly writer: SocketWriter;
  /** The time by which the session judges the other end. */
  private readonly time: SessionTimer;
  /** Known at the end: submits that were never wholly written. */
  private unsent: ReadonlySet<number> = new Set();

  constructor({ profile, dial, clock, history, on }: OpenSessionOptions) {
    this.clock = clock;
    this.on = on;
    this.time = createSessionTimer(clock, () => this.guard(() => this.run({ kind: "tick" })));
    this.socket = dial(profile, clock, {
      connected: () => this.guard(() => this.run({ kind: "connected" })),
      data: (chunk) => this.guard(() => this.reader.take(chunk)),
      drain: () => this.writer.flush(),
      failed: (reason) => this.end(reason),
      hungUp: (reason) => this.hungUp(reason),
    });
    this.esme = createEsmeSession(toEsmeSettings(profile, history));
    this.reader = socketReader({
      clock,
      frame: (frame) => {
        on.seen?.("received", frame);
        this.run({ kind: "received", decoded: decodePdu(frame) });
      },
      fault: (fault) => this.end(phrase("link.unreadable", { fault })),
      pause: () => {
        this.socket.pause();
        if (!isLeaving(this.esme)) this.time.slow();
      },
      resume: () => {
        this.socket.resume();
        this.time.normal();
      },
      guarded: (work) => this.guard(work),
    });
    this.writer = socketWriter(this.socket);
  }

  /** Sends a submit that has a slot; returns its sequence number. Throws, with nothing sent, when it cannot be encoded. */
  submit(ref: number, message: ShortMessage): number {
    try {
      this.run({ kind: "submit", ref, message });
    } catch (error) {
      if (!this.writer.queue.unsent().includes(ref)) {
        this.esme.submits.withdraw([ref]);
        throw error;
      }
      // It may leave: the end of the session reports what became of it.
      this.fail(error);
    }
    return this.esme.lastSequence;
  }

  /** Unbinds once every submit is answered, after `graceMs` at the latest, and closes after `longestMs`. */
  leave(graceMs: number, longestMs: number): void {
    this.run({ kind: "leave", graceMs, longestMs });
  }

  /** Applies other settings from now on; those of the bind count for the next one. */
  follow(settings: EsmeSettings): void {
    this.guard(() => this.run({ kind: "settings", settings }));
  }

  /** The other side is gone. What it sent before that counts: a response that was received leaves no outcome unknown. */
  private hungUp(reason: Phrase): void {
    this.isClosing = true;
    this.guard(() => this.reader.finish(() => this.end(reason)));
  }

  /** Runs what an event of socket or timer leads to. An error in it ends the session, which hands everything back. */
  private guard(work: () => void): void {
    if (this.isEnded) return;
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.on.failed(error);
    this.end(phrase("link.own_error"));
  }

  /** Gives the session one input, carries out its outputs and sets its timer. */
  private run(input: EsmeInput): void {
    const { esme, time } = this;
    const wasDegraded = isDegraded(esme.life);
    const outputs = stepEsme(esme, input, time.nowMs());
    if (isLeaving(esme)) time.normal();
    this.isClosing ||= outputs.some(({ kind }) => kind === "close");
    for (const output of outputs) this.perform(output);
    if (!wasDegraded && isDegraded(esme.life)) this.on.degraded();
    if (!this.isEnded) time.wakeBy(deadlineMs(esme));
  }

  private perform(output: EsmeOutput): void {
    const { on } = this;
    switch (output.kind) {
      case "write":
        if (!this.isEnded) this.write(output.pdu, output.ref);
        return;
      case "close":
        this.end(output.reason);
        return;
      case "halt": {
        const refs = this.writer.queue.withdraw();
        if (refs.length === 0) return;
        on.unsent(refs);
        this.run({ kind: "withdrawn", refs });
        return;
      }
      case "bound":
        this.boundAtMs = this.clock.nowMs();
        on.bound();
        return;
      case "bind_refused":
        this.refusedStatus = output.status;
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
        this.timedOut(output.refs);
        return;
      case "lost":
        this.reportUnanswered(output.refs, this.unsent);
        return;
      case "deliver":
        this.deliver(output);
        return;
      case "unexpected":
        on.unexpected(output.what, output.detail);
        return;
    }
  }

  private write(pdu: Pdu, ref: number | null): void {
    const { writer } = this;
    writer.write(pdu, ref);
    this.on.seen?.("sent", writer.queue.newest());
    if (writer.queue.length() > MAX_QUEUE_LENGTH) this.end(phrase("link.stopped_reading"));
  }

  /** Submits timed out. One still unwritten after a whole response time means that the other end does not read. */
  private timedOut(refs: readonly number[]): void {
    const unsent = new Set(this.writer.queue.unsent());
    if (refs.some((ref) => unsent.has(ref))) this.end(phrase("link.stopped_reading"), refs);
    else this.on.unanswered(refs);
  }

  private reportUnanswered(refs: readonly number[], unsent: ReadonlySet<number>): void {
    const written = refs.filter((ref) => !unsent.has(ref));
    if (written.length > 0) this.on.unanswered(written);
  }

  private deliver({ command: to, sequence, message }: EsmeOutput & { kind: "deliver" }): void {
    let isAnswered = false;
    this.reader.begun(countOctets(message));
    const answer: Answer = (status = 0) => {
      if (isAnswered) return;
      isAnswered = true;
      this.run({ kind: "answer", to, sequence, status });
      this.reader.decided(countOctets(message));
    };
    this.on.deliver(message, answer, sequence);
  }

  /**
   * Ends a session or an attempt: what was in flight is handed back, and so is what has just `timedOut`. Of these one may have been
   * half written, and leave whole only now.
   */
  private end(reason: Phrase, timedOut: readonly number[] = []): void {
    if (this.isEnded) return;
    const { writer, on } = this;
    const withdrawn = writer.queue.withdraw();
    writer.flush();
    this.unsent = new Set([...writer.queue.unsent(), ...withdrawn]);
    this.isEnded = true;
    writer.stop();
    this.reader.stop();
    this.time.stop();
    this.socket.hangUp();
    try {
      this.reportUnanswered(timedOut, this.unsent);
      for (const output of stepEsme(this.esme, { kind: "closed" }, this.time.nowMs())) this.perform(output);
      if (this.unsent.size > 0) on.unsent([...this.unsent]);
    } finally {
      on.ended(reason);
    }
  }
}

/**
 * Whether a session that is bound by one profile may go on under another, which then counts for the next bind: its window and
 * times are applied at once, and who may come back with which password and certificate is asked at a bind alone.
 */
export function canApplyLive(bound: ConnectionProfile, next: ConnectionProfile): boolean {
  const fixed = ({ tls, ...profile }: ConnectionProfile) => ({
    ...profile,
    serverName: tls?.serverName ?? null,
    password: "",
    window: 0,
    responseTimeoutMs: 0,
    reconnectMs: 0,
    enquireLinkMs: 0,
  });
  return Bun.deepEquals(fixed(bound), fixed(next));
}

/** The settings of one session, with what the sessions before it learned. */
function toEsmeSettings(profile: ConnectionProfile, history: SessionHistory): EsmeSettings {
  const { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange } = profile;
  return {
    kind: profile.bind,
    bind: { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange },
    window: profile.window,
    responseTimeoutMs: profile.responseTimeoutMs,
    enquireLinkMs: profile.enquireLinkMs,
    history,
  };
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
  readonly degraded: () => void;
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
