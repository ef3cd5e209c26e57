/**
 * One SMPP session to an operator: what leaves by it and what comes in over it. `OperatorSession` is its state: send queue, pause,
 * pace, counters, throttling responses, and how many more segments it can take. What comes in are delivery receipts and
 * subscribers' texts, each answered only once it is durable (`IncomingMessages`). What came of its submits goes to
 * `submit-results.ts`, which knows this file and not the other way round.
 */
import { type ConnectionConfig, type OperatorConfig, smscAccount } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log, type RateLimitedLog, rateLimitedLog, withFields } from "../../core/log.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Attempt, endSubmit } from "../../dispatch/attempt.ts";
import type { Leases } from "../../dispatch/leases.ts";
import { createPace, type Pace } from "../../dispatch/pace.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { SharedPace, SharedPaces } from "../../dispatch/shared-pace.ts";
import type { TaskTracker } from "../../dispatch/worker.ts";
import { type InboundRules, receiveInbound } from "../../domain/inbound/inbound.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import {
  type Connection,
  type ConnectionStatus,
  canApplyLive,
  type MessageEvents,
  openConnection,
} from "../../smpp/connection.ts";
import type { ConnectionProfile, Dial } from "../../smpp/dial.ts";
import type { ShortMessage } from "../../smpp/short-message.ts";
import { STATUS } from "../../smpp/status.ts";
import {
  type AttemptRules,
  MAX_OF_INTEREST,
  type OnAccepted,
  type ResponseMeaning,
} from "./attempt-result.ts";
import { applyReceipt, type ReceiptOutcome } from "./delivery-receipts.ts";
import { answerLabel, answerMeaning, answerPhrase } from "./partner-reasons.ts";
import { type PduTrace, pduTrace } from "./pdu-trace.ts";
import { readReceipt, receivedText } from "./read-deliver-sm.ts";
import {
  deriveCountedReceipts,
  noteMarked,
  type ReceiptCache,
  readCountedReceipts,
  type UnmarkedSetting,
} from "./receipt-detection.ts";
import { numberKey } from "./receipt-keys.ts";
import type { RouteCosts, SegmentCost } from "./route-costs.ts";
import type { Submit } from "./submit-sm.ts";
import type { IncomingReceipt } from "./unmatched-receipts.ts";

/** One submit of an attempt that waits to be written. */
export type PendingSubmit = { readonly attempt: Attempt; readonly submit: Submit };

/** What a session leaves by: a lasting connection to an SMSC, or posts to another Bendre. */
export type SessionLink = Pick<Connection, "freeSlots" | "release" | "status" | "rebind" | "stop"> & {
  /** Takes a slot and sends; a number of it on this link. Null, with nothing taken, where it takes none. */
  readonly submit: (ref: number, submit: Submit) => number | null;
  /** Applies other settings; false: it must be bound anew for them. */
  readonly follow: (config: ConnectionConfig) => boolean;
};

/** What an operator answers while it takes nothing. */
type ThrottledState = {
  /** How many responses in a row, since when, epoch milliseconds. */
  readonly answers: number;
  readonly sinceMs: number;
  /** The last one's command_status, and when it came. */
  readonly status: number;
  readonly atMs: number;
};

/** Counters of one connection since the server started, for `operator status`. Whoever learns of an event counts it. */
export type SessionCounters = {
  /** Submits by their end. */
  accepted: number;
  refused: number;
  /** To be sent again later: the session slowed down for it, or only the message waits. */
  throttled: number;
  postponed: number;
  unanswered: number;
  /** Responses that came after their time; such a submit counts as unanswered too. */
  answeredLate: number;
  /** Messages that could not be put on the wire, and responses that could not be written down: errors of our own. */
  faults: number;
  /** Receipts that found their message, and those that did not, at least not at once. */
  receiptsMatched: number;
  receiptsUnmatched: number;
  /** Of the latter, those that were not stored, because the cap was reached. */
  receiptsRefused: number;
};

export function newSessionCounters(): SessionCounters {
  return {
    accepted: 0,
    refused: 0,
    throttled: 0,
    postponed: 0,
    unanswered: 0,
    answeredLate: 0,
    faults: 0,
    receiptsMatched: 0,
    receiptsUnmatched: 0,
    receiptsRefused: 0,
  };
}

/** A session as it stands, with its counters and its pace in `submit_sm` a second. */
export type SessionStatus = ConnectionStatus & {
  readonly tally: Readonly<SessionCounters>;
  readonly paused: Pause | null;
  /** The response while it takes nothing: the last status as manuals write it and in words. */
  readonly refusing: (ThrottledState & { readonly code: string; readonly answer: Phrase }) | null;
  /** What the configuration allows, what is granted after the operator's complaints, and what left in the last second. */
  readonly throughput: number;
  readonly granted: number;
  readonly lastSecond: number;
};

type OperatorSessionParts = Pick<
  OperatorSession,
  "name" | "number" | "config" | "shared" | "rateLimited" | "trace"
> & {
  /** Opens its connection, which is never used before this has returned. */
  readonly connect: (session: OperatorSession) => SessionLink;
};

/** The session of one connection, with what is about to leave by it. */
export class OperatorSession {
  /** The connection's name, whatever its place (config/connection-names). */
  readonly name: string;
  /** Its place in the operator's list of connections, from 1. */
  number: number;
  config: ConnectionConfig;
  readonly connection: SessionLink;
  pace: Pace;
  /** The pace that it shares with other connections; null where it has one of its own. */
  shared: SharedPace | null;
  /** Why nothing may leave by it until it is resumed; null where it may. */
  pause: Pause | null = null;
  /** Claimed and committed, not yet written, in order; the parts of a message stand together. */
  readonly sendQueue: PendingSubmit[] = [];
  /** Segments of messages whose claim is being committed. */
  claiming = 0;
  isBound = false;
  /** The configuration no longer has it: nothing is sent, and it ends once the responses that are due have come. */
  isLeaving = false;
  readonly tally: SessionCounters = newSessionCounters();
  /** The rate-limited log, for what may happen with every PDU. */
  readonly rateLimited: RateLimitedLog;
  /** The trace of its PDUs; null where none is written. */
  readonly trace: PduTrace | null;
  /** Responses in a row that took no message; null where the last one took its message. */
  throttled: ThrottledState | null = null;
  /** Messages that were to be tried later, since the last other response; no more than MAX_OF_INTEREST. */
  private readonly toRetry = new Set<number>();

  constructor({ name, number, config, shared, rateLimited, trace, connect }: OperatorSessionParts) {
    this.name = name;
    this.number = number;
    this.config = config;
    this.rateLimited = rateLimited;
    this.trace = trace;
    this.shared = shared;
    this.pace = openPace(shared, config.throughput);
    this.connection = connect(this);
  }

  /** Goes by the throughput of the configuration as it is now, alone or with others. */
  followPace(shared: SharedPace | null, nowMs: number): void {
    const { throughput } = this.config;
    if (shared !== this.shared) {
      const before = this.pace;
      this.shared = shared;
      this.pace = openPace(shared, throughput);
      this.pace.takeOver(before, nowMs);
    }
    this.pace.allow(throughput);
  }

  /** Submits that are claimed for it, or are being claimed, and have not left. */
  countPending(): number {
    return this.sendQueue.length + this.claiming;
  }

  /** Those of them that the window takes: the others wait for answers, and for no pace. */
  countLeaving(): number {
    return Math.min(this.countPending(), this.connection.freeSlots());
  }

  status(steadyMs: number): SessionStatus {
    const { throttled, pace } = this;
    return {
      ...this.connection.status(),
      tally: this.tally,
      paused: this.pause,
      refusing: throttled && {
        ...throttled,
        code: answerLabel(throttled.status),
        answer: answerMeaning(throttled.status),
      },
      throughput: this.config.throughput,
      granted: pace.grantedPerSecond(steadyMs),
      lastSecond: pace.lastSecond(steadyMs),
    };
  }

  /** Whether messages may leave by it at this moment, window and pace apart. */
  canSend(): boolean {
    return this.isBound && !this.isLeaving && this.pause === null;
  }

  /** Whether a submit may be written at this moment. */
  canWrite(nowMs: number): boolean {
    return this.canSend() && this.connection.freeSlots() > 0 && this.pace.available(nowMs) >= 1;
  }

  /**
   * How many more segments may be claimed for it: what window and pace leave, less what is on its way there, of a shared pace by all of its
   * sessions. `reserved` slots of the window are to stay free.
   */
  countFreeSlots(nowMs: number, reserved = 0): number {
    if (!this.canSend()) return 0;
    const pending = this.countPending();
    const ofPace = this.shared === null ? pending : this.shared.countPending();
    return Math.min(this.connection.freeSlots() - reserved - pending, this.pace.available(nowMs) - ofPace);
  }

  /** Drops a refused message's other segments from the send queue. */
  dropFromSendQueue(refused: Attempt): void {
    const { sendQueue } = this;
    const kept = sendQueue.filter(({ attempt }) => attempt !== refused);
    const dropped = sendQueue.length - kept.length;
    sendQueue.splice(0, Number.POSITIVE_INFINITY, ...kept);
    for (let each = 0; each < dropped; each++) endSubmit(refused, { kind: "not_written" });
  }

  /**
   * Applies a response: counts it, and slows the pace where it asks for that. The submit left at `sentAtMs`, on the steady clock like
   * now; `atMs` is now by the wall clock.
   */
  recordResponse(
    means: ResponseMeaning,
    submit: { readonly messageId: number; readonly sentAtMs: number; readonly status: number },
    nowMs: number,
    atMs: number,
  ): void {
    const { tally, pace, toRetry } = this;
    this.logResponse(means, submit.status);
    const isTaken = means.kind === "accepted" || means.kind === "taken";
    this.throttled = isTaken ? null : nextThrottledState(this.throttled, submit.status, atMs);
    if (means.kind !== "retry") {
      toRetry.clear();
      tally[isTaken ? "accepted" : "refused"] += 1;
      return;
    }
    if (toRetry.size < MAX_OF_INTEREST) toRetry.add(submit.messageId);
    const slows = toRetry.size >= means.slowsAfter;
    tally[slows ? "throttled" : "postponed"] += 1;
    if (slows) pace.throttled(nowMs, submit.sentAtMs);
  }

  /** Logs a response, in time or late, that is no acceptance: rate-limited by what it says and what comes of it. */
  logResponse(means: ResponseMeaning, status: number): void {
    if (means.kind === "accepted" || means.kind === "taken") return;
    const what =
      means.kind === "refused"
        ? "the operator refuses messages"
        : "the operator asks for messages to be sent again later";
    this.rateLimited.note("warn", `${means.kind} ${status}`, what, { status: english(answerPhrase(status)) });
  }

  /** Counts what became of a receipt. */
  countReceipt(outcome: ReceiptOutcome): void {
    const { tally } = this;
    if (outcome === "matched") tally.receiptsMatched += 1;
    else tally.receiptsUnmatched += 1;
    if (outcome === "refused") tally.receiptsRefused += 1;
  }
}

function openPace(shared: SharedPace | null, throughput: number): Pace {
  return shared === null ? createPace(throughput) : shared.open(throughput);
}

function nextThrottledState(before: ThrottledState | null, status: number, atMs: number): ThrottledState {
  return { answers: (before?.answers ?? 0) + 1, sinceMs: before?.sinceMs ?? atMs, status, atMs };
}

/** What a connection reports of submits. */
export type SubmitEvents = Pick<MessageEvents, "response" | "lateResponse" | "unanswered" | "unsent">;

export type OpenSessionDeps = {
  readonly dial: Dial;
  readonly https: HttpsNetwork;
  readonly operator: () => OperatorConfig;
  readonly read: Reader;
  readonly leases: Leases;
  /** What decides how messages go on, for what another Bendre says of them later. */
  readonly rules: () => AttemptRules;
  readonly onAccepted: OnAccepted;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** The PEM text of a file that the connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
  readonly code: string;
  readonly recorder: Recorder;
  readonly inbound: InboundRules;
  readonly receiptCache: ReceiptCache;
  readonly submitEvents: SubmitEvents;
  readonly costs: RouteCosts;
  readonly paces: SharedPaces;
  readonly work: TaskTracker;
  /** The session may take more. */
  readonly onRoom: () => void;
  /** The session is gone: what is in its send queue can't leave by it. */
  readonly onLost: (session: OperatorSession) => void;
};

/** What its link tells of whether a session is bound. */
export function bindEvents({ onRoom, onLost }: OpenSessionDeps, session: OperatorSession) {
  return {
    bound: () => {
      session.isBound = true;
      onRoom();
    },
    unbound: () => {
      session.isBound = false;
      onLost(session);
    },
  };
}

/** Opens a session over one SMPP connection of an operator, by its name and its place in the operator's list from 1. */
export function openSmppSession(
  deps: OpenSessionDeps,
  config: ConnectionConfig,
  { name, number }: Pick<OperatorSession, "name" | "number">,
): OperatorSession {
  const { code: operator, dial, clock, chance, submitEvents, onRoom } = deps;
  const connectionNumber = (): number => session.number;
  const log = withFields(deps.log, () => ({ connection: connectionNumber() }));
  const rateLimited = rateLimitedLog(log, clock);
  const trace = log.steps ? pduTrace(log.steps, () => ({ operator, connection: connectionNumber() })) : null;
  const incoming = new IncomingMessages({
    ...deps,
    operator,
    connection: connectionNumber,
    rateLimited,
    account: smscAccount(config),
    setting: () => session.config.unmarked_receipts,
    routeCost: () => deps.costs.now(session.config.route),
    count: (outcome) => session.countReceipt(outcome),
  });
  const session: OperatorSession = new OperatorSession({
    name,
    number,
    config,
    shared: deps.paces.of(config.shared_pace, config.throughput),
    rateLimited,
    trace,
    connect: (opened) => {
      let profile = connectionProfile(config, deps.readPem);
      const connection = openConnection({
        profile,
        dial,
        clock,
        chance,
        log,
        on: {
          seen: trace?.seen,
          ...bindEvents(deps, opened),
          resumed: onRoom,
          ...submitEvents,
          deliver: incoming.take,
        },
      });
      return {
        freeSlots: () => connection.freeSlots(),
        release: (ref) => connection.release(ref),
        status: () => connection.status(),
        rebind: () => connection.rebind(),
        stop: (graceMs, longestMs) => connection.stop(graceMs, longestMs),
        submit: (ref, submit) => {
          assert("message" in submit, "a message leaves as a PDU");
          return connection.submit(ref, submit.message);
        },
        follow: (next) => {
          const before = profile;
          profile = connectionProfile(next, deps.readPem);
          connection.follow(profile);
          return canApplyLive(before, profile);
        },
      };
    },
  });
  return session;
}

/** The profile that a connection is opened with, from its configuration; `readPem` gives the PEM text of a file, null for none. */
export function connectionProfile(
  config: ConnectionConfig,
  readPem: (file: string) => string | null,
): ConnectionProfile {
  const certificate = readPem(config.tls_certificate);
  const key = readPem(config.tls_key);
  return {
    host: config.host,
    port: config.port,
    tls: config.tls
      ? {
          ca: readPem(config.tls_ca_file),
          serverName: config.tls_server_name || config.host,
          client: certificate !== null && key !== null ? { certificate, key } : null,
        }
      : null,
    bind: config.bind,
    systemId: config.system_id,
    password: config.password,
    systemType: config.system_type,
    interfaceVersion: config.interface_version === "3.3" ? 0x33 : 0x34,
    addrTon: config.address_ton,
    addrNpi: config.address_npi,
    addressRange: config.address_range,
    window: config.window,
    responseTimeoutMs: config.response_timeout_seconds * 1000,
    reconnectMs: config.reconnect_seconds * 1000,
    enquireLinkMs: config.enquire_link_seconds * 1000,
  };
}

type IncomingDeps = {
  readonly work: TaskTracker;
  readonly operator: string;
  /** The connection's place in the operator's list, from 1, as it is at this moment. */
  readonly connection: () => number;
  readonly inbound: InboundRules;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly rateLimited: RateLimitedLog;
  readonly receiptCache: ReceiptCache;
  /** The SMSC account of the session, and whether its receipts may be unmarked, by the configuration at this moment. */
  readonly account: string;
  readonly setting: () => UnmarkedSetting;
  /** What the route of the session costs at this moment; null where it has none. */
  readonly routeCost: () => SegmentCost | null;
  /** Counts what became of each receipt. */
  readonly count: (outcome: ReceiptOutcome) => void;
};

type Reply = (status: number) => void;

const BOTH_KINDS =
  'receipts came with a mark and without one: those without are taken for subscribers\' texts from now on; unmarked_receipts = "always" takes both';
const NOT_SURE =
  'texts that look like receipts wait until it is sure that the operator sends them so; where it does, unmarked_receipts = "always" spares the wait';

const FULL =
  "receipts that match no message are asked for later: as many of the account are kept as storage.unmatched_receipts allows";

/** RX_T_APPN: a temporary error, which makes the SMSC send it again (SMPP 3.4 section 5.1.3). */
const TRY_AGAIN = 0x64;

/**
 * Handles what an operator sends: receipts and subscribers' texts. Each is answered once it is durable, so that nothing is
 * lost to a crash; what can't be written is asked for again. No text ever reaches the log.
 */
class IncomingMessages {
  constructor(private readonly deps: IncomingDeps) {}

  readonly take = (message: ShortMessage, answer: Reply, sequence: number): void => {
    const { deps } = this;
    const { operator, account, work } = deps;
    work.begun();
    try {
      const receipt = readReceipt(message);
      const counted = deriveCountedReceipts(deps.setting(), deps.receiptCache.seen.get(account) ?? null);
      if (receipt && (receipt.isMarked || counted !== "marked_only")) {
        const from = {
          operator,
          connection: deps.connection(),
          sequence,
          account,
          ...numbersOf(message),
          onUnmatchedKept: this.onUnmatchedKept,
          canKeepUnmatched: this.canKeepUnmatched,
          routeCost: deps.routeCost,
        };
        const incoming = { ...from, receipt, message, isSure: counted === "all" };
        this.takeReceipt(incoming, !receipt.isMarked && counted === "unknown", answer);
      } else this.takeText(message, answer);
    } catch (reason) {
      this.reply(answer, { status: "rejected", reason });
    }
  };

  private readonly onUnmatchedKept = (rowId: number): void => {
    const { unmatched } = this.deps.receiptCache;
    unmatched.last = Math.max(unmatched.last, rowId);
    this.countUnmatched();
  };

  private readonly canKeepUnmatched = (tx: Tx): boolean =>
    this.deps.receiptCache.cap.take(tx, this.deps.account);

  /** Counts the unmatched receipts of the account anew, now and then. */
  private countUnmatched(): void {
    const { receiptCache, account, work } = this.deps;
    const counting = receiptCache.cap.counting(account);
    if (counting !== null) work.own(counting);
  }

  /** `isUnsure`: it is a text that may be no receipt. */
  private takeReceipt(incoming: IncomingReceipt, isUnsure: boolean, answer: Reply): void {
    const { recorder, clock, rateLimited, account, count } = this.deps;
    const { isMarked, rawStat } = incoming.receipt;
    recorder.enter(
      (tx, facts) => {
        if (isMarked) this.noteMarked(tx);
        const applied = applyReceipt(tx, facts, incoming, clock.nowMs());
        if (isUnsure) this.noteUnmarked(tx);
        return applied;
      },
      (outcome) => {
        this.reply(answer, outcome);
        if (outcome.status === "rejected") return;
        count(outcome.value);
        if (outcome.value === "refused") {
          rateLimited.note("warn", "full", FULL, { smsc_account: account });
          this.countUnmatched();
        }
        if (outcome.value === "unmatched" && isUnsure)
          rateLimited.note("warn", "not sure", NOT_SURE, { smsc_account: account });
        if (outcome.value === "unusable")
          rateLimited.note("warn", "no id", "receipt without an id", { state: rawStat });
      },
    );
  }

  /** A marked receipt came: notes in the transaction that applies it how the account marks them. */
  private noteMarked(tx: Tx): void {
    const { receiptCache, account, setting, clock, rateLimited } = this.deps;
    const { seen } = receiptCache;
    if (seen.get(account) === "marked") return;
    const before = noteMarked(tx, account, clock.nowMs());
    tx.afterCommit(() => seen.set(account, "marked"));
    if (before === "unmarked" && setting() === "auto")
      tx.afterCommit(() => rateLimited.note("warn", "both", BOTH_KINDS, { smsc_account: account }));
  }

  /** An unmarked one came while it was not known whether such count. */
  private noteUnmarked(tx: Tx): void {
    const { receiptCache, account } = this.deps;
    if (readCountedReceipts(tx, account) === "all")
      tx.afterCommit(() => receiptCache.seen.set(account, "unmarked"));
  }

  private takeText(message: ShortMessage, answer: Reply): void {
    const { operator, connection, inbound, recorder, clock, rateLimited } = this.deps;
    const text = receivedText(message);
    recorder.enter(
      (tx) => receiveInbound(tx, inbound, { operator, connection: connection() }, text, clock.nowMs()),
      (outcome) => {
        this.reply(answer, outcome);
        if (outcome.status === "rejected") return;
        const { kind, optedOut } = outcome.value;
        const fields = { outcome: kind, opted_out: optedOut };
        rateLimited.note("info", `inbound ${kind} ${optedOut}`, "inbound text", fields);
      },
    );
  }

  /** Answers the operator by what came of what it sent. */
  private reply(answer: Reply, outcome: PromiseSettledResult<unknown>): void {
    const { rateLimited, work } = this.deps;
    work.ended();
    answer(outcome.status === "fulfilled" && outcome.value !== "refused" ? STATUS.ROK : TRY_AGAIN);
    if (outcome.status === "fulfilled") return;
    const words = "what an operator sent could not be written down";
    rateLimited.note("error", "incoming", words, { ...errorFields(outcome.reason) });
  }
}

/** The handset a receipt is about: its source address, or, from operators that leave the addresses of the submit, its destination. */
function numbersOf({ sourceAddr, destinationAddr }: ShortMessage) {
  return numberKey(sourceAddr) === null
    ? { msisdn: destinationAddr, otherNumber: sourceAddr }
    : { msisdn: sourceAddr, otherNumber: destinationAddr };
}

/** How a socket to an operator is opened. */
export type ProbeDial = Dial;

/**
 * Opens the socket that a connection would use, with TLS where it is configured, and closes it: nothing is bound, and no secret
 * leaves. Returns why it could not; null where it could.
 */
export function probeConnection(
  dial: ProbeDial,
  clock: Clock,
  connection: ConnectionConfig,
  readPem: (file: string) => string | null,
): Promise<Phrase | null> {
  return new Promise((resolve) => {
    const socket = dial(connectionProfile(connection, readPem), clock, {
      connected: () => {
        // First, since hanging up is reported as a closed connection.
        resolve(null);
        socket.hangUp();
      },
      data: () => {},
      drain: () => {},
      failed: resolve,
      hungUp: resolve,
    });
  });
}
