/**
 * A lasting connection to one SMSC: it connects, binds, keeps alive, and comes back after every loss. The only file
 * that opens carrier sockets. What the protocol demands is decided by the session; here its outputs happen.
 *
 * What becomes of a submit is told once: `response`, `unanswered` or `unsent` (and a `lateResponse` may follow an
 * unanswered one). Its place in the window is taken until `release`, whatever was told and across
 * reconnections, so that a crash never leaves more than one window in doubt (docs/behaviour.md#a-crash-and-the-window).
 */
import { assert } from "../base/assert.ts";
import type { Chance } from "../base/chance.ts";
import type { Cancel, Clock } from "../base/clock.ts";
import { gatheredLog } from "../base/gathered-log.ts";
import { errorFields, type Log } from "../base/log.ts";
import { type ConnectionProfile, sessionOf, tlsOptions } from "./connection-profile.ts";
import { type ConnectionStatus, stateOf } from "./connection-status.ts";
import { type Intake, intake } from "./intake.ts";
import { bindRefusalWords, socketFaultWords } from "./link-faults.ts";
import { type LinkTime, linkTime } from "./link-time.ts";
import { type Experience, experienceOf, INEXPERIENCED } from "./liveness.ts";
import { decodePdu, encodePdu } from "./pdu.ts";
import { reconnectDelayMs } from "./reconnect.ts";
import { deadlineMs, isBound, placesLeft, type Session, step } from "./session.ts";
import type { SessionInput, SessionOutput } from "./session-io.ts";
import { octetsOf, type ShortMessage } from "./short-message.ts";
import { refusesCredentials } from "./status.ts";
import { type WriteQueue, writeQueue } from "./write-queue.ts";

export type SubmitResponse = {
  readonly ref: number;
  /** command_status; 0 is accepted. */
  readonly status: number;
  /** Null when the operator gave none. */
  readonly messageId: string | null;
};

/** Answers a deliver_sm or data_sm, once; 0 (ROK) unless told otherwise. After the link is lost it does nothing. */
export type Answer = (status?: number) => void;

/** What the owner is told. None of these may throw; one that does costs the link. */
export type ConnectionEvents = {
  readonly bound: () => void;
  /** There are free places although nothing was answered or released: the link is no longer in doubt. */
  readonly resumed: () => void;
  /** After a bound link is gone, and after its submits were told. */
  readonly unbound: (reason: string) => void;
  readonly response: (response: SubmitResponse) => void;
  /** The response to a submit that was told as unanswered before. */
  readonly lateResponse: (response: SubmitResponse) => void;
  /** Written, and no response in time or before the link went: the operator may or may not have them. */
  readonly unanswered: (refs: readonly number[]) => void;
  /** Never wholly written: the operator cannot have them. */
  readonly unsent: (refs: readonly number[]) => void;
  /** `sequence`: the PDU's number on this link. Each has to be answered: no more are read while many are not. */
  readonly deliver: (message: ShortMessage, answer: Answer, sequence: number) => void;
};

export type Connection = {
  /** Free places in the window; 0 while not bound for submitting, and few while the link is in doubt. */
  readonly freeSlots: () => number;
  /**
   * Takes a place and sends; the PDU's sequence number. Null, with nothing taken, when the link is not there or the
   * window is full. Throws, with nothing taken, when the message cannot be encoded.
   */
  readonly submit: (ref: number, message: ShortMessage) => number | null;
  /** Gives the place of a submit back, once what became of it is durable. Harmless for one that has none. */
  readonly release: (ref: number) => void;
  readonly status: () => ConnectionStatus;
  /**
   * Takes no more submits, waits up to `graceMs` for the responses that are due, unbinds and closes; after `longestMs`
   * it closes without an answer to its unbind. What stayed unanswered has been told when the promise resolves.
   */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
};

export type ConnectionOptions = {
  readonly profile: ConnectionProfile;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly on: ConnectionEvents;
};

type CarrierSocket = Bun.Socket<undefined>;

/** One attempt and, if it works, the link it made. */
type Link = {
  readonly session: Session;
  /** By which the session judges the other end, and is told when. */
  readonly time: LinkTime;
  readonly intake: Intake;
  readonly queue: WriteQueue;
  /** Known at the end: submits that never wholly left. */
  unsent: ReadonlySet<number>;
  socket: CarrierSocket | null;
  /** The session has asked for the end: nothing new goes out. */
  closing: boolean;
  ended: boolean;
  flushAsked: boolean;
  boundAtMs: number | null;
  refusedStatus: number | null;
  timerAtMs: number;
  cancelTimer: Cancel;
};

const CONNECT_TIMEOUT_MS = 10_000;
const LINGER_MS = 1_000;
const WRITE_OCTETS = 65_536;
/** PDUs: far more than the largest window and the answers to one of the operator's. Nobody reads at the other end. */
const LONGEST_QUEUE = 20_000;

/** Opens a connection and keeps it open until it is stopped. */
export function openConnection(options: ConnectionOptions): Connection {
  const { profile, clock, chance, log, on } = options;
  /** What the operator may say a thousand times a second. */
  const gathered = gatheredLog(log, clock);
  /** Submits whose place in the window is taken. */
  const taken = new Set<number>();
  let link: Link | null = null;
  let failures = 0;
  let lastError: string | null = null;
  let lastErrorAtMs: number | null = null;
  let downSinceMs: number | null = clock.nowMs();
  let experience = INEXPERIENCED;
  let nextAttemptAtMs: number | null = null;
  let cancelAttempt: Cancel = () => {};
  let stopping: { readonly stopped: () => void } | null = null;
  let stopPromise: Promise<void> | null = null;

  const connect = (): void => {
    nextAttemptAtMs = null;
    const attempt: Link = {
      ...newLink(profile, experience),
      time: linkTime(clock),
      intake: intake({
        clock,
        frame: (frame) => run(attempt, { kind: "received", decoded: decodePdu(frame) }),
        fault: (fault) => end(attempt, `the operator's stream cannot be followed: ${fault}`),
        pause: () => {
          attempt.socket?.pause();
          if (!isLeaving(attempt)) attempt.time.slow();
        },
        resume: () => {
          attempt.socket?.resume();
          attempt.time.normal();
        },
        guarded: (work) => guarded(attempt, work),
      }),
    };
    link = attempt;
    const cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () => {
      if (attempt.session.state === "CLOSED") end(attempt, `${profile.host} does not answer within 10 s`);
    });
    const connected = (): void => {
      cancelTimeout();
      guarded(attempt, () => run(attempt, { kind: "connected" }));
    };
    const failed = (error: unknown): void => {
      cancelTimeout();
      end(attempt, socketFaultWords(error, profile));
    };
    Bun.connect<undefined>({
      hostname: profile.host,
      port: profile.port,
      ...(profile.tls && { tls: tlsOptions(profile.tls) }),
      socket: {
        open: (socket) => {
          attempt.socket = socket;
          if (attempt.ended) socket.terminate();
          else if (!profile.tls) connected();
        },
        handshake: (_socket, success, fault) => {
          if (!profile.tls) return;
          if (success && fault === null) connected();
          else failed(fault ?? new Error("the TLS handshake failed"));
        },
        data: (_socket, chunk) => guarded(attempt, () => attempt.intake.take(chunk)),
        drain: () => flush(attempt),
        end: () => hungUp(attempt, "the operator closed the connection"),
        close: () => hungUp(attempt, "the connection was closed"),
        error: (_socket, error) => hungUp(attempt, socketFaultWords(error, profile)),
      },
    }).catch(failed);
  };

  /** The other side is gone. What it said before that counts: a response that is here leaves nobody in doubt. */
  const hungUp = (by: Link, reason: string): void => {
    by.closing = true;
    guarded(by, () => by.intake.finish(() => end(by, reason)));
  };

  /** It is about to end, so that what it still waits for is not drawn out. */
  const isLeaving = (one: Link): boolean => stopping !== null || one.session.state === "UNBINDING";

  /** What an event of socket or timer leads to. An error in it ends the link, which hands everything back. */
  const guarded = (of: Link, work: () => void): void => {
    if (of.ended) return;
    try {
      work();
    } catch (error) {
      log.error("a connection failed inside", { host: profile.host, ...errorFields(error) });
      end(of, "an error of our own");
    }
  };

  /** One input to the session, its outputs carried out, its timer set. */
  const run = (of: Link, input: SessionInput): void => {
    const outputs = step(of.session, input, of.time.nowMs());
    if (isLeaving(of)) of.time.normal();
    of.closing ||= outputs.some(({ kind }) => kind === "close");
    for (const output of outputs) perform(of, output);
    learn(of);
    if (of.ended) return;
    if (stopping && isBound(of.session) && of.session.submits.count() === 0) {
      run(of, { kind: "unbind" });
      return;
    }
    const atMs = deadlineMs(of.session);
    if (atMs < of.timerAtMs) setTimer(of, atMs);
  };

  /** A timer that comes early finds nothing due and is set again, so a later deadline need not move it. */
  const setTimer = (of: Link, atMs: number): void => {
    of.cancelTimer();
    of.timerAtMs = atMs;
    of.cancelTimer = clock.after(Math.max(1, atMs - of.time.nowMs()), () => {
      of.timerAtMs = Number.POSITIVE_INFINITY;
      guarded(of, () => run(of, { kind: "tick" }));
    });
  };

  const perform = (from: Link, output: SessionOutput): void => {
    switch (output.kind) {
      case "write":
        if (!from.ended) write(from, encodePdu(output.pdu), output.ref);
        return;
      case "close":
        end(from, output.reason);
        return;
      case "halt": {
        const refs = from.queue.withdraw();
        if (refs.length === 0) return;
        on.unsent(refs);
        run(from, { kind: "withdrawn", refs });
        return;
      }
      case "bound":
        failures = 0;
        from.boundAtMs = clock.nowMs();
        downSinceMs = null;
        log.info("bound", { host: profile.host, port: profile.port, bind: profile.bind });
        on.bound();
        return;
      case "bind_refused":
        from.refusedStatus = output.status;
        return;
      case "resumed":
        on.resumed();
        return;
      case "response": {
        const { ref, status, messageId, late } = output;
        if (!late) {
          on.response({ ref, status, messageId });
          return;
        }
        noteError("the operator answered a submit after its time: response_timeout_seconds may be too short");
        on.lateResponse({ ref, status, messageId });
        return;
      }
      case "timed_out": {
        const unsent = new Set(from.queue.unsent());
        const written = output.refs.filter((ref) => !unsent.has(ref));
        if (written.length > 0) on.unanswered(written);
        if (written.length < output.refs.length) end(from, "the operator stopped reading");
        return;
      }
      case "lost": {
        const written = output.refs.filter((ref) => !from.unsent.has(ref));
        if (written.length > 0) on.unanswered(written);
        return;
      }
      case "deliver": {
        const { command: to, sequence, message } = output;
        let answered = false;
        from.intake.begun(octetsOf(message));
        on.deliver(
          message,
          (status = 0) => {
            if (answered) return;
            answered = true;
            run(from, { kind: "answer", to, sequence, status });
            from.intake.decided(octetsOf(message));
          },
          sequence,
        );
        return;
      }
      case "unexpected":
        gathered.note("warn", output.what, "unexpected from the operator", {
          host: profile.host,
          what: output.what,
          detail: output.detail ?? undefined,
        });
        return;
    }
  };

  /** Keeps what the link teaches. Doubt is told once for each time that the operator stops answering. */
  const learn = (about: Link): void => {
    const before = experience;
    experience = experienceOf(about.session.life);
    if (before.doubtful || !experience.doubtful) return;
    noteError(
      "the operator is bound and answers no submit in time: messages are risked one by one until it does",
    );
    log.warn("submits are not answered", { host: profile.host, port: profile.port });
  };

  const noteError = (words: string): void => {
    lastError = words;
    lastErrorAtMs = clock.nowMs();
  };

  const write = (to: Link, octets: Uint8Array, ref: number | null): void => {
    to.queue.add(octets, ref);
    if (to.queue.length() > LONGEST_QUEUE) {
      end(to, "the operator stopped reading");
      return;
    }
    if (to.flushAsked) return;
    to.flushAsked = true;
    // What this turn has to say leaves together, and now: a submit that leaves later than its pace was counted at would
    // make the next second too full.
    queueMicrotask(() => {
      to.flushAsked = false;
      flush(to);
    });
  };

  const flush = (of: Link): void => {
    if (of.ended || of.socket === null) return;
    while (of.queue.octets() > 0) {
      const octets = of.queue.peek(WRITE_OCTETS);
      const count = of.socket.write(octets);
      if (count > 0) of.queue.took(count);
      if (count < octets.length) return;
    }
  };

  /** The end of a link or of an attempt: what was in flight is handed back, and the next attempt set. */
  const end = (of: Link, reason: string): void => {
    if (of.ended) return;
    const withdrawn = of.queue.withdraw();
    flush(of);
    of.unsent = new Set([...of.queue.unsent(), ...withdrawn]);
    of.ended = true;
    of.intake.stop();
    of.cancelTimer();
    hangUp(of.socket);
    if (link === of) link = null;
    if (of.boundAtMs !== null) downSinceMs = clock.nowMs();
    try {
      for (const output of step(of.session, { kind: "closed" }, of.time.nowMs())) perform(of, output);
      if (of.unsent.size > 0) on.unsent([...of.unsent]);
      if (of.boundAtMs !== null) {
        log.info("unbound", { host: profile.host, port: profile.port, reason });
        on.unbound(reason);
      }
    } finally {
      if (stopping) stopping.stopped();
      else waitAndConnect(of, reason);
    }
  };

  const hangUp = (socket: CarrierSocket | null): void => {
    if (socket === null) return;
    socket.end();
    clock.after(LINGER_MS, () => socket.terminate());
  };

  const waitAndConnect = (after: Link, reason: string): void => {
    failures += 1;
    const refused = after.refusedStatus;
    const credentials = refused !== null && refusesCredentials(refused);
    const delayMs = reconnectDelayMs(chance, profile.reconnectMs, failures, credentials);
    noteError(refused === null ? reason : bindRefusalWords(refused, profile));
    nextAttemptAtMs = clock.nowMs() + delayMs;
    const line = { host: profile.host, port: profile.port, reason: lastError, retry_ms: Math.round(delayMs) };
    log.warn("no link to the operator", line);
    cancelAttempt = clock.after(delayMs, connect);
  };

  const freeSlots = (): number =>
    link === null || link.closing || stopping
      ? 0
      : Math.max(0, Math.min(placesLeft(link.session), profile.window - taken.size));

  connect();
  return {
    freeSlots,
    submit: (ref, message) => {
      assert(!taken.has(ref), "a ref stands for one submit until it is released");
      if (link === null || freeSlots() === 0) return null;
      const by = link;
      taken.add(ref);
      try {
        run(by, { kind: "submit", ref, message });
      } catch (error) {
        if (!by.queue.unsent().includes(ref)) {
          taken.delete(ref);
          by.session.submits.withdraw([ref]);
          throw error;
        }
        // It may leave: the end of the link tells what became of it.
        log.error("a connection failed inside", { host: profile.host, ...errorFields(error) });
        end(by, "an error of our own");
      }
      return by.session.lastSequence;
    },
    release: (ref) => {
      taken.delete(ref);
    },
    status: () => ({
      state: stateOf(link?.session ?? null, stopPromise !== null),
      bind: profile.bind,
      host: profile.host,
      port: profile.port,
      inFlight: taken.size,
      window: profile.window,
      lastError,
      lastErrorAtMs,
      boundAtMs: link?.boundAtMs ?? null,
      downSinceMs,
      nextAttemptAtMs,
    }),
    stop: (graceMs, longestMs = Number.POSITIVE_INFINITY) => {
      stopPromise ??= new Promise<void>((resolve) => {
        cancelAttempt();
        nextAttemptAtMs = null;
        const stopped = (): void => {
          gathered.close();
          resolve();
        };
        const ending = link;
        if (ending === null) {
          stopped();
          return;
        }
        const giveUp = (): void => {
          if (isBound(ending.session)) run(ending, { kind: "unbind" });
          else end(ending, "stopped");
        };
        const cancelGrace = clock.after(Math.min(graceMs, longestMs), giveUp);
        const cancelLongest =
          longestMs === Number.POSITIVE_INFINITY
            ? () => {}
            : clock.after(longestMs, () => end(ending, "stopped, without an answer to its unbind"));
        stopping = {
          stopped: () => {
            cancelGrace();
            cancelLongest();
            stopped();
          },
        };
        if (!isBound(ending.session) || ending.session.submits.count() === 0) giveUp();
      });
      return stopPromise;
    },
  };
}

function newLink(profile: ConnectionProfile, experience: Experience): Omit<Link, "intake" | "time"> {
  return {
    session: sessionOf(profile, experience),
    queue: writeQueue(),
    unsent: new Set(),
    socket: null,
    closing: false,
    ended: false,
    flushAsked: false,
    boundAtMs: null,
    refusedStatus: null,
    timerAtMs: Number.POSITIVE_INFINITY,
    cancelTimer: () => {},
  };
}
