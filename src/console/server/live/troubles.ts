/**
 * Derives what is wrong beyond the alerts: while an alert is delayed, silenced or switched off, the page must not say that all
 * is well. Pure.
 */
import type { CheckView } from "../../../core/health.ts";
import type { LiveAlert, LiveConnection, LiveQueue, LiveTrouble } from "./live-view.ts";

export type TroubleSources = {
  readonly connections: readonly LiveConnection[];
  readonly queues: readonly LiveQueue[];
  readonly alarms: readonly Pick<LiveAlert, "rule" | "subject">[];
  readonly checks: readonly CheckView[];
  /** Codes of operators that messages leave by in the configuration. */
  readonly configured: readonly string[];
};

/** The alerts that report what a check finds. `TOLD_OTHERWISE`: checks of connections and alerts, reported by those. */
const TOLD_BY: Readonly<Record<string, readonly string[]>> = {
  queue: ["otp_waits", "transactional_waits"],
  disk: ["disk"],
  clock: ["clock"],
  books: ["books"],
  certificates: ["certificate"],
  backup: ["backup", "drill"],
  webhooks: ["endpoint"],
};
const TOLD_OTHERWISE: readonly string[] = ["operators", "alarms"];

/** Everything that no alert reports, connections first. */
export function deriveTroubles({
  connections,
  queues,
  alarms,
  checks,
  configured,
}: TroubleSources): LiveTrouble[] {
  const fires = (rule: string, subject: string): boolean =>
    alarms.some((alarm) => alarm.rule === rule && alarm.subject === subject);
  const ofOperators = [...Map.groupBy(connections, ({ operator }) => operator).values()].flatMap((own) =>
    ofOperator(own, fires),
  );
  const waiting = [...Map.groupBy(queues, ({ operator }) => operator)].flatMap(([operator, own]) =>
    ofQueue(operator, own, configured),
  );
  const found = checks
    .filter(({ name, status }) => status !== "ok" && !TOLD_OTHERWISE.includes(name))
    .filter(({ name }) => !alarms.some(({ rule }) => TOLD_BY[name]?.includes(rule)))
    .map(({ name, detail, action }): LiveTrouble => ({ kind: "CHECK", check: name, found: detail, action }));
  return [...ofOperators, ...waiting, ...found];
}

type Fires = (rule: string, subject: string) => boolean;

/** Troubles of an operator; what all of its connections have is reported once. */
function ofOperator(own: readonly LiveConnection[], fires: Fires): LiveTrouble[] {
  const each = own.flatMap((connection) => ofConnection(connection, fires));
  const [first] = each;
  if (first === undefined) return [];
  const isSame = each.length === own.length && each.every(({ kind }) => kind === first.kind);
  return isSame ? [{ ...first, connection: null }] : each;
}

type ConnectionTrouble = Extract<LiveTrouble, { readonly connection: number | null }>;

function ofConnection(seen: LiveConnection, fires: Fires): ConnectionTrouble[] {
  const { operator, connection, state, paused, refusing, last_error, next_attempt_at } = seen;
  const place = { operator, connection, next_attempt_at };
  if (state === "DISABLED") return [];
  if (paused !== null) return [{ kind: "PAUSED", ...place, why: paused }];
  const subject = `${operator} ${connection}`;
  if (state !== "BOUND") {
    const isTold =
      fires("operator_down", operator) || fires("link_down", subject) || fires("number_stopped", operator);
    return isTold ? [] : [{ kind: "DOWN", ...place, why: last_error }];
  }
  if (refusing === null || fires("not_taken", subject)) return [];
  const { code, answer } = refusing;
  return [{ kind: "REFUSING", ...place, code, answer }];
}

function ofQueue(operator: string, own: readonly LiveQueue[], configured: readonly string[]): LiveTrouble[] {
  const sum = (of: (queue: LiveQueue) => number): number => own.reduce((all, each) => all + of(each), 0);
  const messages = sum((queue) => queue.messages);
  if (messages > 0 && !configured.includes(operator)) return [{ kind: "STRAY", operator, messages }];
  const postponed = sum((queue) => queue.postponed);
  return postponed === 0 ? [] : [{ kind: "PUT_OFF", operator, messages: postponed }];
}
