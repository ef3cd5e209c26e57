/** Estimates when the last message of a batch leaves. */

import type { AdminContext } from "../../../admin/operations/context.ts";
import { queueShow } from "../../../admin/reports/queue.ts";
import {
  type Hours,
  isoInZone,
  isWithin,
  MINUTES_A_DAY,
  minuteOfDay,
  toInstant,
  toLocalDate,
} from "../../../core/calendar.ts";
import { isoUtc } from "../../../core/clock.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { derivePolicy } from "../../../domain/accounts/policies.ts";
import { listConnections } from "../pauses.ts";

/** Segments that leave by one operator. */
type Load = { readonly operator: string; readonly segments: number };

export type CompletionEstimate = {
  /** Null where an operator that is needed has no connection up. */
  readonly ends_at: string | null;
  /** Operators that take nothing now, and whether they are paused. */
  readonly down: readonly { readonly operator: string; readonly is_paused: boolean }[];
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const URGENCY = ["OTP", "TRANSACTIONAL", "MARKETING"];
/** Beyond this nothing is estimated. */
const MAX_DAYS = 60;

/**
 * Estimates when the last segment leaves at the rates that operators grant now, behind what waits for them and is as urgent. Of a
 * scheduled batch nobody knows what will wait then.
 */
export async function estimateCompletion(
  context: AdminContext,
  account: Account,
  messageClass: string,
  startsMs: number,
  loads: readonly Load[],
): Promise<CompletionEstimate> {
  const rates = grantedRates(context);
  const isNow = startsMs <= context.clock.nowMs();
  const ahead = isNow ? await waitingAhead(context, messageClass) : new Map<string, number>();
  const down = loads
    .filter(({ operator }) => (rates.get(operator) ?? 0) <= 0)
    .map(({ operator }) => ({ operator, is_paused: isPaused(context, operator) }));
  if (down.length > 0) return { ends_at: null, down };
  const seconds = loads.map(
    ({ operator, segments }) => (segments + (ahead.get(operator) ?? 0)) / (rates.get(operator) ?? 1),
  );
  const workMs = Math.ceil(Math.max(0, ...seconds)) * SECOND_MS;
  const hours =
    messageClass === "MARKETING" ? derivePolicy(account, context.config.policy).marketingHours : null;
  const endMs = computeEndOfWork(startsMs, workMs, hours, account.timezone);
  return { ends_at: endMs === null ? null : isoUtc(endMs), down };
}

/** Computes when work ends that begins at an instant and runs within hours of a zone only; null where that is too far away. */
export function computeEndOfWork(
  startMs: number,
  workMs: number,
  hours: Hours | null,
  timezone: string,
): number | null {
  if (hours === null) return startMs + workMs;
  let at = startMs;
  let leftMs = workMs;
  for (let turn = 0; turn < 2 * MAX_DAYS; turn += 1) {
    const minute = minuteOfDay(at, timezone);
    const isOpen = isWithin(hours, minute);
    const edge = isOpen ? hours.toMinute : hours.fromMinute;
    const minutes = (edge - minute + MINUTES_A_DAY) % MINUTES_A_DAY || MINUTES_A_DAY;
    const untilMs = minutes * MINUTE_MS - (at % MINUTE_MS);
    if (isOpen && leftMs <= untilMs) return at + leftMs;
    if (isOpen) leftMs -= untilMs;
    at += untilMs;
  }
  return null;
}

/** Finds when the account's hours open next, as wall time of its zone, where marketing may not be sent at the time asked for. */
export function findOpening(
  { clock, config }: Pick<AdminContext, "clock" | "config">,
  account: Account,
  scheduledAt: string | undefined,
): string {
  const { timezone } = account;
  const nowMs = clock.nowMs();
  const asked = scheduledAt === undefined ? null : instantOf(scheduledAt, timezone);
  const { marketingHours } = derivePolicy(account, config.policy);
  const opensMs = findNextOpening(Math.max(nowMs, asked ?? nowMs), marketingHours, timezone);
  return isoInZone(opensMs, timezone).slice(0, WALL_LENGTH);
}

/** In the zone where it has no offset. */
function instantOf(text: string, timezone: string): number | null {
  const wallMs = Date.parse(`${text}Z`);
  if (!Number.isNaN(wallMs)) return toInstant(wallMs, timezone);
  const instantMs = Date.parse(text);
  return Number.isNaN(instantMs) ? null : instantMs;
}

/** Length of "2026-03-01T08:00", as a browser's field for a day and a time has it. */
const WALL_LENGTH = 16;

/** The first whole minute from an instant on that lies within hours of a zone. */
export function findNextOpening(fromMs: number, hours: Hours, timezone: string): number {
  const at = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  if (isWithin(hours, minuteOfDay(at, timezone))) return at;
  const today = Date.parse(toLocalDate(at, timezone));
  for (const day of [0, 1, 2]) {
    const wallMs = today + day * MINUTES_A_DAY * MINUTE_MS + hours.fromMinute * MINUTE_MS;
    const opensMs = toInstant(wallMs, timezone);
    if (opensMs !== null && opensMs >= at) return opensMs;
  }
  return at;
}

/** Segments a second that each operator grants over connections that are up. */
function grantedRates({ server }: AdminContext): ReadonlyMap<string, number> {
  const status = server?.operatorStatus() ?? [];
  return new Map(
    status.map(({ operator, connections }) => [
      operator,
      connections.reduce(
        (sum, { state, paused, granted }) => sum + (state === "BOUND" && paused === null ? granted : 0),
        0,
      ),
    ]),
  );
}

/** Whether nothing would leave by an operator even with its connections up: all of them are paused. */
function isPaused({ server }: AdminContext, operator: string): boolean {
  const links = listConnections(server, operator);
  return links.length > 0 && links.every(({ paused }) => paused !== null);
}

/** Counts messages that leave before those of a class, by operator. */
async function waitingAhead(
  context: AdminContext,
  messageClass: string,
): Promise<ReadonlyMap<string, number>> {
  const queues = await queueShow(context);
  const ahead = new Map<string, number>();
  const ours = URGENCY.indexOf(messageClass);
  for (const queue of queues.value.queues) {
    if (URGENCY.indexOf(queue.message_class) > ours) continue;
    ahead.set(queue.operator, (ahead.get(queue.operator) ?? 0) + queue.messages);
  }
  return ahead;
}
