/**
 * SMPP 3.4 and nothing else: no SQL, no money, no message of ours. In layers, from the wire up: octets (framing; pdu
 * over read-message and write-message, and over pdu-tables for what is seldom); sessions without effects, which say what each
 * PDU and each time leads to (client-session and centre-session over one session-matrix); a socket with its reader, writer
 * and time (dial, link-reader, socket-writer, link-time); one link of a client (client-link); and here links that follow one
 * another.
 *
 * A lasting connection to one SMSC: it connects, binds, keeps alive, and comes back after every loss. One link follows
 * another (client-link.ts); here is what outlives them: the window, the experience, the way back, the last error.
 *
 * The place of a submit in the window is taken until `release`, whatever was told of it and across reconnections, so that a
 * crash never leaves more than one window in doubt (docs/behaviour.md#a-crash-and-the-window).
 */

import { assert } from "../core/assert.ts";
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import { type GatheredLog, gatheredLog } from "../core/gathered-log.ts";
import { errorFields, type Log } from "../core/log.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import { type ClientLink, followSettings, leaveLink, openLink, submitOver } from "./client-link.ts";
import { placesLeft } from "./client-state.ts";
import { type ConnectionProfile, clientSettings } from "./connection-profile.ts";
import { type ConnectionStatus, stateOf } from "./connection-status.ts";
import type { Dial } from "./dial.ts";
import type { MessageEvents } from "./link-events.ts";
import { bindRefusal } from "./link-faults.ts";
import { type Experience, experienceOf, INEXPERIENCED } from "./liveness.ts";
import { type Reconnect, reconnect } from "./reconnect.ts";
import type { ShortMessage } from "./short-message.ts";
import { refusesCredentials } from "./status.ts";

/** What the owner is told. None of these may throw; one that does costs the link. */
export type ConnectionEvents = MessageEvents & {
  readonly bound: () => void;
  /** There are free places although nothing was answered or released: the link is no longer in doubt. */
  readonly resumed: () => void;
  /** After a bound link is gone, and after its submits were told. */
  readonly unbound: (reason: Phrase) => void;
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
  /** Goes by another profile: at once where the link can, the rest with the next bind. One that is down tries at once. */
  readonly follow: (profile: ConnectionProfile) => void;
  /** Binds anew: takes no more submits until then, waits for the responses that are due, unbinds, and connects at once. */
  readonly rebind: () => void;
  /**
   * Takes no more submits, waits up to `graceMs` for the responses that are due, unbinds and closes; after `longestMs`
   * it closes without an answer to its unbind. What stayed unanswered has been told when the promise resolves.
   * Called again, the shorter times count.
   */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
};

export type ConnectionOptions = {
  readonly profile: ConnectionProfile;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly on: ConnectionEvents;
};

/** What outlives the links. */
type Lasting = {
  readonly options: ConnectionOptions;
  profile: ConnectionProfile;
  /** For what the operator may say a thousand times a second. */
  readonly gathered: GatheredLog;
  readonly reconnect: Reconnect;
  /** Submits whose place in the window is taken. */
  readonly taken: Set<number>;
  link: ClientLink | null;
  experience: Experience;
  lastError: Phrase | null;
  lastErrorAtMs: number | null;
  downSinceMs: number | null;
  /** The link is to be followed by the next one at once. */
  isRebinding: boolean;
  /** Whether a link before the present one was bound. */
  wasBound: boolean;
  stopping: Promise<void> | null;
  /** To be called once it has stopped; null until it is asked to. */
  stopped: (() => void) | null;
};

/** Opens a connection and keeps it open until it is stopped. */
export function openConnection(options: ConnectionOptions): Connection {
  const { profile, clock, chance, log } = options;
  const lasting: Lasting = {
    options,
    profile,
    gathered: gatheredLog(log, clock),
    reconnect: reconnect(
      clock,
      chance,
      () => lasting.profile.reconnectMs,
      () => connect(lasting),
    ),
    taken: new Set(),
    link: null,
    experience: INEXPERIENCED,
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
        lasting.gathered.note("warn", what, "unexpected from the operator", {
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

/** A link or an attempt is over: the owner is told, and the next attempt set. */
function ended(lasting: Lasting, link: ClientLink, reason: Phrase): void {
  const { clock, log, on } = lasting.options;
  const { profile, isRebinding } = lasting;
  lasting.link = null;
  lasting.isRebinding = false;
  lasting.experience = experienceOf(link.session.life);
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

/** The link, unless it is about to be gone. */
function usableLink({ link }: Lasting): ClientLink | null {
  return link === null || link.isClosing || link.isEnded ? null : link;
}

function freeSlots(lasting: Lasting): number {
  const link = usableLink(lasting);
  if (link === null) return 0;
  return Math.max(0, Math.min(placesLeft(link.session), lasting.profile.window - lasting.taken.size));
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
  else followSettings(link, clientSettings(profile, lasting.experience));
}

/** What an unbind may take beside the responses that are waited for. */
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
      lasting.gathered.close();
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
    state: stateOf(current?.session.state ?? null, lasting.stopped !== null),
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
