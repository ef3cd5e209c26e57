/**
 * Operations on operators and WhatsApp numbers: status of connections and queues, pause, resume, reconnect. A pause outlasts
 * a restart.
 */
import { Type as t } from "typebox";
import type { RouteStatus } from "../../channels/sms/operator-routes.ts";
import type { SessionCounters, SessionStatus } from "../../channels/sms/operator-session.ts";
import {
  countEvidence,
  EVIDENCE_NEEDED,
  readAllSeen,
  type Seen,
  unmarkedSettings,
} from "../../channels/sms/receipt-detection.ts";
import { endOperatorStop } from "../../channels/whatsapp/number-stops.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-worker.ts";
import {
  type Config,
  type ConnectionConfig,
  connectionNames,
  type OperatorConfig,
  operatorCodes,
  smscAccount,
} from "../../config/config.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { nearest } from "../../core/edit-distance.ts";
import type { Reader } from "../../db/reader.ts";
import { allPauses, endPauses, insertPause, isPauseOf, type Pause } from "../../dispatch/pauses.ts";
import { type QueueOfOperator, queuesByOperator } from "../../domain/messages/queue.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { OPERATOR, optional, REASON, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";

/** The operator that a code names in the configuration. */
export function checkOperator(config: Config, code: string): AdminOutcome<OperatorConfig> {
  const operator = Object.hasOwn(config.operators, code) ? config.operators[code] : undefined;
  if (operator) return done(operator);
  return unknown(code, Object.keys(config.operators));
}

/** Checks a code that messages leave under: an operator's, or a WhatsApp number's. */
export function checkOperatorCode(config: Config, code: string): AdminOutcome<string> {
  const codes = operatorCodes(config);
  return codes.includes(code) ? done(code) : unknown(code, codes);
}

/** An operator, or one of its routes. */
export type OperatorOrRoute = { readonly operator: string; readonly route: string | null };

/** Checks a code that messages leave under, or that of a route, "orange/agg". */
export function checkRouteCode(config: Config, code: string): AdminOutcome<OperatorOrRoute> {
  const slash = code.indexOf("/");
  if (slash < 0) {
    const known = checkOperatorCode(config, code);
    return known.ok ? done({ operator: code, route: null }) : known;
  }
  const [operator, route] = [code.slice(0, slash), code.slice(slash + 1)];
  const known = checkOperator(config, operator);
  if (!known.ok) return known;
  const routes = Object.keys(known.value.routes);
  if (routes.includes(route)) return done({ operator, route });
  return routes.length === 0
    ? refuse("ROUTE_UNKNOWN.none", { operator })
    : refuse("ROUTE_UNKNOWN", { operator, route, known: routes.join(", ") });
}

function unknown(code: string, codes: readonly string[]): AdminOutcome<never> {
  const meant = nearest(code, codes);
  return meant === null
    ? refuse("OPERATOR_UNKNOWN", { operator: code, known: codes.join(", ") })
    : refuse("OPERATOR_UNKNOWN.meant", { operator: code, meant });
}

/**
 * Status of every connection and WhatsApp number: state, window, rate, outcomes of submits and receipts, last error; the queue of
 * each operator; and which operators share an SMSC account, whose receipts come by any of its sessions.
 * Only a running server knows of its connections (docs/administration.md#beside-a-running-server).
 */
export async function operatorStatus({ config, store, server, clock }: AdminContext) {
  if (!server) return serverNotRunning(store.directory);
  const queues = await queuesByOperator(store.read, createYielder(clock), clock.nowMs());
  const nowMs = clock.nowMs();
  const connections = server.operatorStatus().flatMap(({ operator, connections: links }) =>
    links.map((status, index) => {
      const kind = config.operators[operator]?.connections[index]?.kind ?? "smpp";
      return toOperatorView({ operator, connection: index + 1, kind }, status, nowMs);
    }),
  );
  return done({
    server: "running" as const,
    queues: queueViews(config, queues),
    /** The routes of operators that have some, in the order of the configuration. */
    routes: server
      .routeStatus()
      .flatMap(({ operator, routes }) => routes.map((status) => toRouteView(operator, status, nowMs))),
    connections,
    /** The WhatsApp numbers in configuration order. */
    numbers: server.numberStatus().map(numberView),
    smsc_accounts: smscAccounts(store.read, config),
  });
}

/** Operators and numbers of the configuration in its order, then those that messages wait for and that it does not have. */
function queueViews(config: Config, queues: ReadonlyMap<string, QueueOfOperator>) {
  const configured = new Set(operatorCodes(config));
  const codes = new Set([...configured, ...[...queues.keys()].sort()]);
  return [...codes].map((operator) => {
    const queue = queues.get(operator);
    return {
      operator,
      is_configured: configured.has(operator),
      /** Messages ready to leave, and since when the oldest waits. */
      waiting: queue?.messages ?? 0,
      oldest_at: isoOrNull(queue?.oldestMs ?? null),
      /** Messages of batches that are not due yet. */
      scheduled: queue?.scheduled ?? 0,
    };
  });
}

/** One route to an operator. */
function toRouteView(operator: string, status: RouteStatus, nowMs: number) {
  const { route, order, share, classes, why, awayMs, ill, carries, lastSecond, segmentsLastHour } = status;
  return {
    operator,
    route,
    /** The routes of the smallest order that are able carry, each its share. */
    order,
    share,
    message_classes: classes,
    is_able: why === null,
    /** Why it is away: paused, down, silent (it answers nothing), resting (it asked for later), ill; null while it is able. */
    why,
    away_since: awayMs === null ? null : isoUtc(nowMs - awayMs),
    ill: ill && illView(ill, nowMs),
    /** The classes that it carries at this moment: a worse route those for which it has taken over. */
    carries,
    /** `submit_sm` in the last second. */
    rate: lastSecond,
    /** Segments that it accepted in the last hour, or since the server's start. */
    segments_last_hour: segmentsLastHour,
  };
}

/** Why a route is ill, and until when. */
function illView({ cause, forMs, leftMs }: NonNullable<RouteStatus["ill"]>, nowMs: number) {
  const byShare = cause.kind === "deliveries" ? cause : null;
  return {
    /** It delivers less than usual (deliveries), or others took over from it again and again (take_overs). */
    why: cause.kind,
    since: isoUtc(nowMs - forMs),
    until: isoUtc(nowMs + leftMs),
    /** The delivered share of its last messages, and the usual one, in percent; null where that is not why. */
    share: byShare && Math.round(byShare.share),
    usual: byShare && Math.round(byShare.usual),
    messages: byShare?.messages ?? null,
  };
}

type ConnectionPlace = {
  readonly operator: string;
  /** Its place in the operator's list of connections, from 1. */
  readonly connection: number;
  readonly kind: ConnectionConfig["kind"];
};

/** One connection. Counts are since the server's start. */
function toOperatorView(
  { operator, connection, kind }: ConnectionPlace,
  status: SessionStatus,
  nowMs: number,
) {
  const { host, port, bind, state, tally, nextAttemptAtMs } = status;
  return {
    operator,
    connection,
    /** What is connected to: an SMSC (smpp), or another Bendre (bendre), whose address has this host. */
    kind,
    host,
    port,
    /** Null of another Bendre. */
    bind: kind === "bendre" ? null : bind,
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
    /** `submit_sm` a second: configured, allowed after throttling by the operator, and actually sent. */
    throughput: status.throughput,
    rate: status.granted,
    sent_last_second: status.lastSecond,
    ...countsOf(tally),
    /** Why an administrator paused it, since when and who; null where it is not paused. */
    paused: status.paused?.reason ?? null,
    paused_since: isoOrNull(status.paused?.atMs ?? null),
    paused_by: status.paused?.actor ?? null,
    /** The operator's error while it refuses messages, since when, and how often in a row; null where it took the last one. */
    refusing: refusingView(status.refusing),
    /** The last error in words; it stays when the session is back. */
    last_error: status.lastError,
    last_error_at: isoOrNull(status.lastErrorAtMs),
  };
}

/** The error of an operator that refuses everything, as manuals write it and in words. */
export function refusingView(refusing: SessionStatus["refusing"]) {
  if (refusing === null) return null;
  const { answers, sinceMs, atMs, code, answer } = refusing;
  return { code, answer, answers, since: isoUtc(sinceMs), last_at: isoUtc(atMs) };
}

function countsOf(tally: SessionCounters) {
  return {
    /** `submit_sm` by answer; `throttled` because of the session, `postponed` because of the message. */
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

/** One number of WhatsApp. */
function numberView(status: NumberStatus) {
  const { operator, state, paused, lastError, downSinceMs, recipientsPerDay } = status;
  return {
    operator,
    phone_number_id: status.phoneNumberId,
    waba_id: status.wabaId,
    /** BOUND while messages may leave; UNREACHABLE; STOPPED by Meta; DISABLED by the configuration. */
    state: status.isEnabled ? state : "DISABLED",
    /** Since when nothing can leave by it; null while messages can. */
    since: isoOrNull(paused?.atMs ?? downSinceMs),
    /** Unanswered posts, and how many there may be. */
    in_flight: status.open,
    window: status.mostOpen,
    /** Messages a second: configured, allowed after throttling by Meta, and actually sent. */
    throughput: status.throughput,
    rate: status.granted,
    sent_last_second: status.lastSecond,
    /** How often Meta throttled since the server's start. */
    throttled: status.throttled,
    /** Distinct users written to in the last day by all numbers of its portfolio, and the limit; null: no limit. */
    recipients_of_day: status.usersOfDay,
    recipients_per_day: recipientsPerDay === 0 ? null : recipientsPerDay,
    paused: paused?.reason ?? null,
    last_error: lastError,
  };
}

export const OPERATOR_OPERATIONS = {
  "operator status": operation({
    needsServer: true,
    params: {},
    run: operatorStatus,
  }),
};

/** Every SMSC account of the configuration, in its order, with who shares it and how its receipts come. */
export function smscAccounts(read: Reader, config: Config) {
  const seen = readAllSeen(read);
  return [...unmarkedSettings(config)].map(([account, setting]) => ({
    /** system_id@host:port, which connections bind to; receipts belong to it, whichever of its sessions and operators they come by. */
    account,
    /** The operators with a connection to it. */
    operators: Object.entries(config.operators)
      .filter(([, { connections }]) => connections.some((connection) => smscAccount(connection) === account))
      .map(([code]) => code),
    unmarked_receipts: setting,
    /** What is known of its receipts. */
    receipts: habitOf(seen.get(account) ?? null, countEvidence(read, account)),
  }));
}

function habitOf(seen: Seen, numbers: number): Phrase {
  if (seen !== null) return phrase(`link.receipts.${seen}`);
  return numbers === 0
    ? phrase("link.receipts.unknown")
    : phrase("link.receipts.so_far", { numbers, needed: EVIDENCE_NEEDED });
}

// Pausing operators, WhatsApp numbers and connections, and rebinding sessions.

/** A connection's place in its operator's list, from 1; text where it was typed. */
type Place = string | number;

/**
 * `names`: the operator's connections in order; `name`: the named one, null for all, or all of the route. `meant`: those that are meant,
 * by name.
 */
type Found = OperatorOrRoute & {
  readonly names: readonly string[];
  readonly name: string | null;
  readonly meant: readonly string[];
};

function noConnections(code: string) {
  return refuse("CONNECTION_UNKNOWN.none", { operator: code });
}

/** Finds the connection at a place; all where none was given. */
function findConnection(
  { config }: AdminContext,
  code: string,
  connection: Place | null,
): AdminOutcome<Found> {
  const known = checkRouteCode(config, code);
  if (!known.ok) return known;
  const { operator, route } = known.value;
  const connections = config.operators[operator]?.connections ?? [];
  const names = connectionNames(connections);
  if (connection === null) {
    const meant = names.filter((_, index) => route === null || connections[index]?.route === route);
    return done({ ...known.value, names, name: null, meant });
  }
  if (route !== null) return refuse("CONNECTION_UNKNOWN.of_route", { operator, connection });
  const name = /^\d+$/.test(String(connection)) ? names[Number(connection) - 1] : undefined;
  if (name !== undefined) return done({ ...known.value, names, name, meant: [name] });
  return names.length > 0
    ? refuse("CONNECTION_UNKNOWN", { operator: code, most: names.length, connection })
    : noConnections(code);
}

/** What is paused of an operator; `connection` is the place in the list, null for the whole operator, or the whole route. */
function toPausesView(pauses: readonly Pause[], operator: string, names: readonly string[]) {
  const paused = pauses
    .filter((pause) => isPauseOf(pause, operator))
    .map(({ operator: code, connection, reason, actor, atMs }) => ({
      ...(code !== operator && { route: code.slice(operator.length + 1) }),
      connection: connection === null ? null : names.indexOf(connection) + 1 || null,
      reason,
      since: isoUtc(atMs),
      by: actor,
    }));
  return { operator, paused };
}

const CODE = word("CODE", OPERATOR);

/** Not parsed here: only the configuration knows which places exist. */
const CONNECTION = optional<Place>({
  schema: t.Integer({ minimum: 1, maximum: 1000 }),
  typed: { word: "CONNECTION", value: "CONNECTION", read: done },
});

export const PAUSE_OPERATIONS = {
  /**
   * Pauses an operator, one of its routes or connections, until it is resumed, also after a restart. Sessions stay, and answers and receipts
   * come in. What is paused already keeps its first reason.
   */
  "operator pause": operation({
    may: "operators.change",
    params: { code: CODE, connection: CONNECTION, reason: REASON },
    run: async (context, { code, connection, reason }) => {
      const found = findConnection(context, code, connection);
      if (!found.ok) return found;
      const { operator, name, names } = found.value;
      return change(context, (tx, atMs) => {
        const pause = { operator: code, connection: name, reason, actor: context.actor, atMs };
        const detail = { connection: name, reason };
        const audit = insertPause(tx, pause) ? { action: "operator pause", subject: code, detail } : null;
        return done({
          value: toPausesView(allPauses(tx), operator, names),
          audit,
          concern: { kind: "pauses" },
        });
      });
    },
  }),
  /**
   * Resumes one connection, one route, or the whole operator with all that is paused of it. A number that Meta had stopped resumes too. Without a pause nothing
   * happens.
   */
  "operator resume": operation({
    may: "operators.change",
    params: { code: CODE, connection: CONNECTION },
    run: async (context, { code, connection }) => {
      const found = findConnection(context, code, connection);
      if (!found.ok) return found;
      const { operator, route, name, names } = found.value;
      const isWhole = allPauses(context.store.read).some(
        (pause) => pause.operator === operator && pause.connection === null,
      );
      if ((name !== null || route !== null) && isWhole) {
        return refuse("OPERATOR_PAUSED.whole", { operator });
      }
      return change(context, (tx) => {
        const stopped = endOperatorStop(tx, code);
        const detail = stopped === null ? { connection: name } : { stopped };
        const ended = endPauses(tx, code, name);
        const audit = ended > 0 || stopped ? { action: "operator resume", subject: code, detail } : null;
        return done({
          value: toPausesView(allPauses(tx), operator, names),
          audit,
          concern: { kind: "pauses" },
        });
      });
    },
  }),
  /** Rebinds an operator's connections, those of a route, or one, after waiting for answers that are due; one that is down tries at once. */
  "operator reconnect": operation({
    may: "operators.change",
    needsServer: true,
    params: { code: CODE, connection: CONNECTION },
    run: async (context, { code, connection }) => {
      const { server, store } = context;
      if (!server) return serverNotRunning(store.directory);
      const found = findConnection(context, code, connection);
      if (!found.ok) return found;
      const { operator, name, names, meant } = found.value;
      if (names.length === 0) return noConnections(code);
      const places = names.flatMap((one, index) => (meant.includes(one) ? [index + 1] : []));
      return change(context, (tx) => {
        tx.afterCommit(() => server.reconnect(operator, meant));
        const value = { operator: code, connections: places };
        return done({
          value,
          audit: { action: "operator reconnect", subject: code, detail: { connection: name } },
        });
      });
    },
  }),
};

/** For the console alone; there is no command. */
export const PAUSE_EVERY_OPERATOR = operation({
  may: "operators.change",
  params: { reason: REASON },
  run: async (context, { reason }) => {
    const operators: ReturnType<typeof toPausesView>[] = [];
    for (const code of operatorCodes(context.config)) {
      const paused = await PAUSE_OPERATIONS["operator pause"].run(context, {
        code,
        connection: null,
        reason,
      });
      if (!paused.ok) return paused;
      operators.push(paused.value);
    }
    return done({ operators });
  },
});
