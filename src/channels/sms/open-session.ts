/**
 * Opens an SMPP session to an operator and takes what comes in over it: delivery receipts and subscribers' texts, each
 * answered only once it is durable.
 */
import { type ConnectionConfig, smscAccount } from "../../config/config.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log, type RateLimitedLog, rateLimitedLog, withFields } from "../../core/log.ts";
import type { Tx } from "../../db/writer.ts";
import { createPace } from "../../dispatch/pace.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { TaskTracker } from "../../dispatch/task-tracker.ts";
import { type InboundRules, receiveInbound } from "../../domain/inbound/inbound.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { type MessageEvents, openConnection } from "../../smpp/connection.ts";
import type { ConnectionProfile, Dial } from "../../smpp/dial.ts";
import type { ShortMessage } from "../../smpp/short-message.ts";
import { STATUS } from "../../smpp/status.ts";
import { applyReceipt, type ReceiptOutcome } from "./delivery-receipts.ts";
import { countReceipt, newSessionCounters, type OperatorSession } from "./operator-session.ts";
import { pduTrace } from "./pdu-trace.ts";
import { readReceipt, receivedText } from "./read-deliver-sm.ts";
import {
  deriveReceiptMarking,
  noteMarked,
  type ReceiptCache,
  readReceiptMarking,
  type UnmarkedSetting,
} from "./receipt-detection.ts";
import { numberKey } from "./receipt-keys.ts";
import type { SubmitResults } from "./submit-results.ts";
import type { IncomingReceipt } from "./unmatched-receipts.ts";

export type OpenSessionDeps = {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** The PEM text of a file that the connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
  readonly code: string;
  readonly recorder: Recorder;
  readonly inbound: InboundRules;
  readonly memory: ReceiptCache;
  readonly ends: SubmitResults;
  readonly work: TaskTracker;
  /** The session may take more. */
  readonly onRoom: () => void;
  /** The session is gone: what is in its send queue can't leave by it. */
  readonly onLost: (link: OperatorSession) => void;
};

/** Opens a session over one connection of an operator, by its name and its place in the operator's list from 1. */
export function openSession(
  deps: OpenSessionDeps,
  config: ConnectionConfig,
  { name, number }: Pick<OperatorSession, "name" | "number">,
): OperatorSession {
  const { code: operator, recorder, inbound, memory, dial, clock, chance, work } = deps;
  const tally = newSessionCounters();
  const connection = () => link.number;
  const log = withFields(deps.log, () => ({ connection: connection() }));
  const rateLimited = rateLimitedLog(log, clock);
  const incoming = incomingFrom({
    operator,
    connection,
    inbound,
    memory,
    recorder,
    clock,
    rateLimited,
    account: smscAccount(config),
    setting: () => link.config.unmarked_receipts,
    work,
    count: (outcome) => countReceipt(tally, outcome),
  });
  const profile = connectionProfile(config, deps.readPem);
  const steps = log.steps ? pduTrace(log.steps, () => ({ operator, connection: connection() })) : null;
  const link: OperatorSession = {
    name,
    number,
    config,
    tally,
    rateLimited,
    sendQueue: [],
    claiming: 0,
    putOff: new Set(),
    steps,
    isBound: false,
    isLeaving: false,
    pause: null,
    refusing: null,
    pace: createPace(config.throughput),
    connection: openConnection({
      profile,
      dial,
      clock,
      chance,
      log,
      on: {
        seen: steps?.seen,
        bound: () => {
          link.isBound = true;
          deps.onRoom();
        },
        resumed: deps.onRoom,
        unbound: () => {
          link.isBound = false;
          deps.onLost(link);
        },
        ...submitEvents(deps),
        deliver: incoming,
      },
    }),
  };
  return link;
}

function submitEvents({ ends, work: { own } }: OpenSessionDeps): Omit<MessageEvents, "deliver" | "seen"> {
  return {
    response: ends.answered,
    lateResponse: (response) => own(ends.answeredLate(response)),
    unanswered: (refs) => {
      for (const ref of refs) own(ends.unanswered(ref));
    },
    unsent: (refs) => {
      for (const ref of refs) own(ends.unsent(ref));
    },
  };
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
  readonly memory: ReceiptCache;
  /** The SMSC account of the session, and whether its receipts may be unmarked, by the configuration at this moment. */
  readonly account: string;
  readonly setting: () => UnmarkedSetting;
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
function incomingFrom(deps: IncomingDeps) {
  const { operator, account, work } = deps;
  const { unmatched, seen, cap } = deps.memory;
  const onUnmatchedKept = (rowId: number): void => {
    unmatched.last = Math.max(unmatched.last, rowId);
    const counting = cap.counting(account);
    if (counting !== null) work.own(counting);
  };
  const canKeepUnmatched = (tx: Tx): boolean => cap.take(tx, account);
  const habits = markingRecorder(deps);
  return (message: ShortMessage, answer: Reply, sequence: number): void => {
    work.begun();
    try {
      const receipt = readReceipt(message);
      const habit = deriveReceiptMarking(deps.setting(), seen.get(account) ?? null);
      if (receipt && (receipt.isMarked || habit !== "marked")) {
        const from = {
          operator,
          connection: deps.connection(),
          sequence,
          account,
          ...numbersOf(message),
          onUnmatchedKept,
          canKeepUnmatched,
        };
        const incoming = { ...from, receipt, message, isSure: habit === "unmarked" };
        takeReceipt(
          deps,
          incoming,
          !receipt.isMarked && habit === "unknown" ? account : null,
          habits,
          answer,
        );
      } else takeText(deps, message, answer);
    } catch (reason) {
      reply(deps, answer, { status: "rejected", reason });
    }
  };
}

/** Notes what receipts show of how the account marks them, in the transaction that applies them. */
type MarkingRecorder = {
  /** A marked receipt came. */
  readonly marked: (tx: Tx) => void;
  /** An unmarked one came while it was not known whether such count. */
  readonly unmarked: (tx: Tx) => void;
};

function markingRecorder({ memory, account, setting, clock, rateLimited }: IncomingDeps): MarkingRecorder {
  const { seen } = memory;
  const warnOfBoth = (): void => rateLimited.note("warn", "both", BOTH_KINDS, { smsc_account: account });
  return {
    marked: (tx) => {
      if (seen.get(account) === "marked") return;
      const before = noteMarked(tx, account, clock.nowMs());
      tx.afterCommit(() => seen.set(account, "marked"));
      if (before === "unmarked" && setting() === "auto") tx.afterCommit(warnOfBoth);
    },
    unmarked: (tx) => {
      if (readReceiptMarking(tx, account) === "unmarked") tx.afterCommit(() => seen.set(account, "unmarked"));
    },
  };
}

/** `unsure`: the account of a text that may be no receipt; null where it is one. */
function takeReceipt(
  deps: IncomingDeps,
  incoming: IncomingReceipt,
  unsure: string | null,
  habits: MarkingRecorder,
  answer: Reply,
): void {
  const { recorder, clock, rateLimited, count } = deps;
  const { isMarked, rawStat } = incoming.receipt;
  recorder.enter(
    (tx, session) => {
      if (isMarked) habits.marked(tx);
      const applied = applyReceipt(tx, session, incoming, clock.nowMs());
      if (unsure !== null) habits.unmarked(tx);
      return applied;
    },
    (outcome) => {
      reply(deps, answer, outcome);
      if (outcome.status === "rejected") return;
      count(outcome.value);
      if (outcome.value === "refused") noteFull(deps);
      if (outcome.value === "unmatched" && unsure !== null)
        rateLimited.note("warn", "not sure", NOT_SURE, { smsc_account: unsure });
      if (outcome.value === "unusable")
        rateLimited.note("warn", "no id", "receipt without an id", { state: rawStat });
    },
  );
}

/** The account's cap of unmatched receipts is reached: whether it still is gets counted now and then. */
function noteFull({ memory, account, work, rateLimited }: IncomingDeps): void {
  rateLimited.note("warn", "full", FULL, { smsc_account: account });
  const counting = memory.cap.counting(account);
  if (counting !== null) work.own(counting);
}

function takeText(deps: IncomingDeps, message: ShortMessage, answer: Reply): void {
  const { operator, connection, inbound, recorder, clock, rateLimited } = deps;
  const text = receivedText(message);
  recorder.enter(
    (tx) => receiveInbound(tx, inbound, { operator, connection: connection() }, text, clock.nowMs()),
    (outcome) => {
      reply(deps, answer, outcome);
      if (outcome.status === "rejected") return;
      const { kind, optedOut } = outcome.value;
      const told = { outcome: kind, opted_out: optedOut };
      rateLimited.note("info", `inbound ${kind} ${optedOut}`, "inbound text", told);
    },
  );
}

/** Answers the operator by what came of what it sent. */
function reply(
  { rateLimited, work }: IncomingDeps,
  answer: Reply,
  outcome: PromiseSettledResult<unknown>,
): void {
  work.ended();
  answer(outcome.status === "fulfilled" && outcome.value !== "refused" ? STATUS.ROK : TRY_AGAIN);
  if (outcome.status === "fulfilled") return;
  const words = "what an operator sent could not be written down";
  rateLimited.note("error", "incoming", words, { ...errorFields(outcome.reason) });
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
