/** Operators, numbers of WhatsApp and connections that are held still by an administrator, and sessions that are begun anew. */
import { Type as t } from "typebox";
import { endOperatorStop } from "../../channels/whatsapp/stops.ts";
import { connectionNames } from "../../config/connection-names.ts";
import { operatorCodes } from "../../config/operator-codes.ts";
import { isoUtc } from "../../core/clock.ts";
import { allPauses, endPauses, insertPause, type Pause } from "../../dispatch/pauses.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkOperatorCode } from "./operators.ts";
import { OPERATOR, optional, REASON, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

/** The place of a connection in its operator's list, from 1: a text where it was typed. */
type Place = string | number;

export type PausesView = {
  readonly operator: string;
  /** What of it is paused; `connection` is the place in its list, null for all of it. */
  readonly paused: readonly {
    readonly connection: number | null;
    readonly reason: string;
    readonly since: string;
    readonly by: string;
  }[];
};

/**
 * Lets nothing leave by an operator, or by one of its connections, until it is resumed, also after a restart. Sessions stay, and
 * answers and receipts come in. What is paused already keeps its first reason.
 */
export async function operatorPause(
  context: AdminContext,
  code: string,
  connection: Place | null,
  reason: string,
): Promise<AdminOutcome<PausesView>> {
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  const found = findConnection(context, code, connection);
  if (!found.ok) return found;
  const { name, names } = found.value;
  return change(context, (tx, atMs) => {
    const pause = { operator: code, connection: name, reason: words.value, actor: context.actor, atMs };
    const detail = { connection: name, reason: words.value };
    const audit = insertPause(tx, pause) ? { action: "operator pause", subject: code, detail } : null;
    return done({ value: toPausesView(allPauses(tx), code, names), audit, concern: { kind: "pauses" } });
  });
}

/** Lets nothing leave at all: pauses every operator and every number of WhatsApp, each as `operatorPause` does, one after the other. */
export async function everyOperatorPause(
  context: AdminContext,
  reason: string,
): Promise<AdminOutcome<{ readonly operators: readonly PausesView[] }>> {
  const operators: PausesView[] = [];
  for (const code of operatorCodes(context.config)) {
    const paused = await operatorPause(context, code, null, reason);
    if (!paused.ok) return paused;
    operators.push(paused.value);
  }
  return done({ operators });
}

/**
 * Lets messages leave again: by one connection, or by all of the operator. A number that Meta had stopped goes on too. Nothing happens
 * where nothing is in the way.
 */
export async function operatorResume(
  context: AdminContext,
  code: string,
  connection: Place | null,
): Promise<AdminOutcome<PausesView>> {
  const found = findConnection(context, code, connection);
  if (!found.ok) return found;
  const { name, names } = found.value;
  const isWhole = allPauses(context.store.read).some(
    (pause) => pause.operator === code && pause.connection === null,
  );
  if (name !== null && isWhole) {
    return refuse("OPERATOR_PAUSED.whole", { operator: code });
  }
  return change(context, (tx) => {
    const stopped = endOperatorStop(tx, code);
    const detail = stopped === null ? { connection: name } : { stopped };
    const ended = endPauses(tx, code, name);
    const audit = ended > 0 || stopped ? { action: "operator resume", subject: code, detail } : null;
    return done({ value: toPausesView(allPauses(tx), code, names), audit, concern: { kind: "pauses" } });
  });
}

export type ReconnectView = { readonly operator: string; readonly connections: readonly number[] };

/** Has the connections of an operator, or one of them, wait for the answers that are due, unbind and bind anew; one that is down tries at once. */
export async function operatorReconnect(
  context: AdminContext,
  code: string,
  connection: Place | null,
): Promise<AdminOutcome<ReconnectView>> {
  const { server, store } = context;
  if (!server) return serverNotRunning(store.directory);
  const found = findConnection(context, code, connection);
  if (!found.ok) return found;
  const { name, names } = found.value;
  if (names.length === 0) return noConnections(code);
  const places = names.flatMap((one, index) => (name === null || one === name ? [index + 1] : []));
  return change(context, (tx) => {
    tx.afterCommit(() => server.reconnect(code, name));
    const value = { operator: code, connections: places };
    return done({
      value,
      audit: { action: "operator reconnect", subject: code, detail: { connection: name } },
    });
  });
}

/** `names`: of the operator's connections, in order; `name`: of the one that is meant, null for all of it. */
type Found = { readonly names: readonly string[]; readonly name: string | null };

function noConnections(code: string) {
  return refuse("CONNECTION_UNKNOWN.none", { operator: code });
}

/** The connection at that place; none where none was given. */
function findConnection(
  { config }: AdminContext,
  code: string,
  connection: Place | null,
): AdminOutcome<Found> {
  const known = checkOperatorCode(config, code);
  if (!known.ok) return known;
  const names = connectionNames(config.operators[code]?.connections ?? []);
  if (connection === null) return done({ names, name: null });
  const name = /^\d+$/.test(String(connection)) ? names[Number(connection) - 1] : undefined;
  if (name !== undefined) return done({ names, name });
  return names.length > 0
    ? refuse("CONNECTION_UNKNOWN", { operator: code, most: names.length, connection })
    : noConnections(code);
}

function toPausesView(pauses: readonly Pause[], operator: string, names: readonly string[]): PausesView {
  const paused = pauses
    .filter((pause) => pause.operator === operator)
    .map(({ connection, reason, actor, atMs }) => ({
      connection: connection === null ? null : names.indexOf(connection) + 1 || null,
      reason,
      since: isoUtc(atMs),
      by: actor,
    }));
  return { operator, paused };
}

const CODE = word("CODE", OPERATOR);

/** What is typed is not read here: only the configuration knows which places there are. */
const CONNECTION = optional<Place>({
  schema: t.Integer({ minimum: 1, maximum: 1000 }),
  typed: { word: "CONNECTION", value: "CONNECTION", read: done },
});

export const PAUSE_OPERATIONS = {
  "operator pause": operation({
    may: "operators.change",
    params: { code: CODE, connection: CONNECTION, reason: REASON },
    run: (context, { code, connection, reason }) => operatorPause(context, code, connection, reason),
  }),
  "operator resume": operation({
    may: "operators.change",
    params: { code: CODE, connection: CONNECTION },
    run: (context, { code, connection }) => operatorResume(context, code, connection),
  }),
  "operator reconnect": operation({
    may: "operators.change",
    needsServer: true,
    params: { code: CODE, connection: CONNECTION },
    run: (context, { code, connection }) => operatorReconnect(context, code, connection),
  }),
};

/** Of the console alone: no command does it. */
export const PAUSE_EVERY_OPERATOR = operation({
  may: "operators.change",
  params: { reason: REASON },
  run: (context, { reason }) => everyOperatorPause(context, reason),
});
