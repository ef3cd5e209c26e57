import type { SessionStatus, SessionCounters } from "../../channels/sms/link.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-status.ts";
import type { Config, OperatorConfig } from "../../config/config.ts";
import { operatorCodes } from "../../config/operator-codes.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { nearest } from "../../core/nearest.ts";
import { createYielder } from "../../core/slices.ts";
import { type QueueOfOperator, queuesByOperator } from "../../domain/messages/queue-figures.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";
import { type SmscAccountView, smscAccounts } from "./smsc-accounts.ts";

/** The operator that a code names in the configuration. */
export function checkOperator(config: Config, code: string): AdminOutcome<OperatorConfig> {
  const operator = Object.hasOwn(config.operators, code) ? config.operators[code] : undefined;
  if (operator) return done(operator);
  return unknown(code, Object.keys(config.operators));
}

/** A code under which messages leave: an operator's, or that of a number of WhatsApp. */
export function checkOperatorCode(config: Config, code: string): AdminOutcome<string> {
  const codes = operatorCodes(config);
  return codes.includes(code) ? done(code) : unknown(code, codes);
}

function unknown(code: string, codes: readonly string[]): AdminOutcome<never> {
  const meant = nearest(code, codes);
  return meant === null
    ? refuse("OPERATOR_UNKNOWN", { operator: code, known: codes.join(", ") })
    : refuse("OPERATOR_UNKNOWN.meant", { operator: code, meant });
}

/** What waits for one operator, bound or not, configured or not. */
export type OperatorQueueView = {
  readonly operator: string;
  readonly is_configured: boolean;
  /** Messages that leave when it takes them, and since when the oldest waits. */
  readonly waiting: number;
  readonly oldest_at: string | null;
  /** Messages of batches that are not due yet. */
  readonly scheduled: number;
};

export type OperatorStatusView = {
  readonly server: "running";
  readonly queues: readonly OperatorQueueView[];
  readonly connections: readonly ConnectionView[];
  /** The numbers of WhatsApp, in the order of the configuration. */
  readonly numbers: readonly NumberView[];
  readonly smsc_accounts: readonly SmscAccountView[];
};

/**
 * Every connection and every number of WhatsApp: state, window, rate, what came of submits and receipts, last error; what waits for each operator; and
 * which operators share an SMSC account, whose receipts come by any of its sessions.
 * Only a running server knows of its connections (docs/administration.md#beside-a-running-server).
 */
export async function operatorStatus({
  config,
  store,
  server,
  clock,
}: AdminContext): Promise<AdminOutcome<OperatorStatusView>> {
  if (!server) return serverNotRunning(store.directory);
  const queues = await queuesByOperator(store.read, createYielder(clock), clock.nowMs());
  const nowMs = clock.nowMs();
  const connections = server
    .operatorStatus()
    .flatMap(({ operator, connections: links }) =>
      links.map((status, index) => toOperatorView(operator, index + 1, status, nowMs)),
    );
  return done({
    server: "running",
    queues: queueViews(config, queues),
    connections,
    numbers: server.numberStatus().map(numberView),
    smsc_accounts: smscAccounts(store.read, config),
  });
}

/** Operators and numbers of the configuration in its order, then those that messages wait for and that it does not have. */
function queueViews(config: Config, queues: ReadonlyMap<string, QueueOfOperator>): OperatorQueueView[] {
  const configured = new Set(operatorCodes(config));
  const codes = new Set([...configured, ...[...queues.keys()].sort()]);
  return [...codes].map((operator) => {
    const queue = queues.get(operator);
    return {
      operator,
      is_configured: configured.has(operator),
      waiting: queue?.messages ?? 0,
      oldest_at: isoOrNull(queue?.oldestMs ?? null),
      scheduled: queue?.scheduled ?? 0,
    };
  });
}

function toOperatorView(operator: string, connection: number, status: SessionStatus, nowMs: number) {
  const { host, port, bind, state, tally, nextAttemptAtMs } = status;
  return {
    operator,
    /** Its place in the operator's list of connections, from 1. */
    connection,
    host,
    port,
    bind,
    /** CONNECTING, BINDING, BOUND, UNBINDING, WAITING for the next attempt, STOPPED. */
    state,
    /** Since when it is bound, or is not. */
    since: isoOrNull(status.boundAtMs ?? status.downSinceMs),
    /** Whether it was bound since the server's start. */
    was_bound: status.wasBound,
    reconnect_in_seconds:
      nextAttemptAtMs === null ? null : Math.max(0, Math.ceil((nextAttemptAtMs - nowMs) / 1000)),
    /** `submit_sm` without an answer, and how many there may be. */
    in_flight: status.inFlight,
    window: status.window,
    /** `submit_sm` a second: asked for in the configuration, granted after the operator's complaints, and really sent. */
    throughput: status.throughput,
    rate: status.granted,
    sent_last_second: status.lastSecond,
    ...countsOf(tally),
    /** Why an administrator lets nothing leave by it, since when and who said so; null where nothing keeps it. */
    paused: status.paused?.reason ?? null,
    paused_since: isoOrNull(status.paused?.atMs ?? null),
    paused_by: status.paused?.actor ?? null,
    /** What the operator answers while it takes no message, since when, and how often in a row; null where it took the last one. */
    refusing: refusingView(status.refusing),
    /** What last went wrong, in words; it stays when the link is back. */
    last_error: status.lastError,
    last_error_at: isoOrNull(status.lastErrorAtMs),
  };
}

/** What an operator answers while it takes nothing, as manuals write it and in words. */
export function refusingView(refusing: SessionStatus["refusing"]) {
  if (refusing === null) return null;
  const { answers, sinceMs, atMs, code, answer } = refusing;
  return { code, answer, answers, since: isoUtc(sinceMs), last_at: isoUtc(atMs) };
}

/** One SMPP connection. Counts are since the server's start. */
export type ConnectionView = Readonly<ReturnType<typeof toOperatorView>>;

function countsOf(tally: SessionCounters) {
  return {
    /** `submit_sm` by their answer; put off by the operator for the link's sake, and for the message's. */
    accepted: tally.accepted,
    refused: tally.refused,
    throttled: tally.throttled,
    postponed: tally.postponed,
    unanswered: tally.unanswered,
    answered_late: tally.answeredLate,
    receipts_matched: tally.receiptsMatched,
    receipts_unmatched: tally.receiptsUnmatched,
    receipts_refused: tally.receiptsRefused,
  };
}

function numberView(status: NumberStatus) {
  const { operator, state, paused, lastError, downSinceMs, recipientsPerDay } = status;
  return {
    operator,
    phone_number_id: status.phoneNumberId,
    waba_id: status.wabaId,
    /** BOUND while messages may leave; UNREACHABLE; STOPPED by Meta; DISABLED by the configuration. */
    state: status.isEnabled ? state : "DISABLED",
    /** Since when nothing leaves by it; null while messages may. */
    since: isoOrNull(paused?.atMs ?? downSinceMs),
    /** Posts that Meta has not answered, and how many there may be. */
    in_flight: status.open,
    window: status.mostOpen,
    /** Messages a second: of the configuration, granted after Meta's complaints, and really sent. */
    throughput: status.throughput,
    rate: status.granted,
    sent_last_second: status.lastSecond,
    /** How often Meta asked for less since the server's start. */
    throttled: status.throttled,
    /** Different users written to in the last day, by all numbers of its portfolio, and how many there may be: null is no limit. */
    recipients_of_day: status.usersOfDay,
    recipients_per_day: recipientsPerDay === 0 ? null : recipientsPerDay,
    paused: paused?.reason ?? null,
    last_error: lastError,
  };
}

/** One number of WhatsApp. */
export type NumberView = Readonly<ReturnType<typeof numberView>>;

export const OPERATOR_OPERATIONS = {
  "operator status": operation({
    needsServer: true,
    params: {},
    run: operatorStatus,
  }),
};
