/**
 * The gate of a batch: whether its messages may leave at this moment (`SendingGate`). It is checked before a page of its rows is
 * handed out; whether the account or a recipient is barred since is checked once more with each claim (`claim.ts`).
 */
import type { Config } from "../config/config.ts";
import { type Hours, isWithin, MINUTES_A_DAY, minuteOfDay } from "../core/calendar.ts";
import { deriveEnd, type LimitClock } from "../core/clock.ts";
import { getOwn } from "../core/own-value.ts";
import { isSandbox, toLaneOperator } from "../core/sandbox.ts";
import type { Reader } from "../db/reader.ts";
import { accountById } from "../domain/accounts/accounts.ts";
import { derivePolicy, type PolicyDefaults } from "../domain/accounts/policies.ts";
import { ALL_ROUTES, readSenderRoutes } from "../domain/accounts/senders.ts";
import type { MessageError } from "../domain/messages/message-status.ts";
import { resolveOperatorCode } from "../domain/messages/operator-codes.ts";
import { isSendable, type PendingBatch, type QueuedBatch } from "../domain/messages/queue.ts";
import { isHeldBack } from "../domain/messages/restore-holds.ts";

/** Whether a batch may be sent from at this moment, must wait, or is given up. */
export type SendingGate =
  /** Until `untilMs`, unless something changes before. */
  | { readonly kind: "open"; readonly untilMs: number }
  /** Nothing is claimed; it is worth checking again at `untilMs`, or only when something changes or its validity is over. */
  | { readonly kind: "held"; readonly untilMs: number | null }
  /** It was cancelled, or is complete. */
  | { readonly kind: "over" }
  | { readonly kind: "given_up"; readonly error: MessageError };

type GateDeps = {
  readonly read: Reader;
  readonly policy: PolicyDefaults;
  readonly operators: Config["operators"];
};

const MINUTE_MS = 60_000;
const HELD: SendingGate = { kind: "held", untilMs: null };
const OVER: SendingGate = { kind: "over" };

/**
 * Checks what may have changed since the batch was accepted: cancelled, validity over, the sender's registration gone, the
 * account suspended, marketing hours closed (docs/behaviour.md#validity, #senders, #suspended-accounts, #quiet-hours). Validity
 * ends nothing while the clock is untrusted. `isFresh`: the batch was accepted just now, and is not checked for a cancellation.
 */
export function checkGate(
  deps: GateDeps,
  batch: QueuedBatch,
  clock: LimitClock,
  isFresh = false,
): SendingGate {
  if (isFresh) return checkNewBatchGate(deps, batch, clock);
  if (!isSendable(deps.read, batch.batchId)) return OVER;
  // May have left before a restore: neither sent nor given up until somebody decides. Nothing of a sandbox leaves.
  if (!isSandbox(batch.accountId) && isHeldBack(deps.read, batch))
    return { kind: "held", untilMs: clock.nowMs() + 10 * MINUTE_MS };
  return checkNewBatchGate(deps, batch, clock);
}

/** `checkGate` for a batch that is being accepted, or was just now. */
export function checkNewBatchGate(
  { read, policy, operators }: GateDeps,
  batch: PendingBatch,
  clock: LimitClock,
): SendingGate {
  const nowMs = clock.nowMs();
  const expiresAt = validUntil(clock, batch);
  if (expiresAt <= nowMs) {
    return clock.doubt() === null
      ? givenUp("EXPIRED_IN_QUEUE")
      : { kind: "held", untilMs: nowMs + MINUTE_MS };
  }
  if (!mayCarrySender(read, operators, batch)) {
    return givenUp("SENDER_NOT_REGISTERED");
  }
  const account = accountById(read, batch.accountId);
  if (account?.status !== "ACTIVE") return HELD;
  if (batch.messageClass !== "MARKETING") return { kind: "open", untilMs: expiresAt };
  const { marketingHours } = derivePolicy(account, policy);
  const minute = minuteOfDay(nowMs, account.timezone);
  return isWithin(marketingHours, minute)
    ? { kind: "open", untilMs: Math.min(expiresAt, closingAt(marketingHours, minute, nowMs)) }
    : { kind: "held", untilMs: Math.min(expiresAt, openingAt(marketingHours, minute, nowMs)) };
}

/** Whether the operator knows the sender, of several routes one that carries the class. A sandbox knows no routes. */
function mayCarrySender(read: Reader, operators: Config["operators"], batch: PendingBatch): boolean {
  const operator = operatorOf(read, batch);
  const known = readSenderRoutes(read, batch.accountId, batch.sender, operator);
  if (known === ALL_ROUTES) return true;
  if (isSandbox(batch.accountId)) return known.length > 0;
  const routes = getOwn(operators, operator)?.routes ?? {};
  return known.some((route) => getOwn(routes, route)?.classes.includes(batch.messageClass) ?? false);
}

/** The operator that the sender is to be registered with: for a sandbox, the new code of an operator that was renamed. */
function operatorOf(read: Reader, { accountId, operator }: PendingBatch): string {
  return isSandbox(accountId) ? resolveOperatorCode(read, toLaneOperator(operator)) : operator;
}

/** Until when messages of a batch are worth sending. */
export function validUntil(
  clock: LimitClock,
  { createdAt, expiresAt }: Pick<QueuedBatch, "createdAt" | "expiresAt">,
): number {
  return deriveEnd(clock, createdAt, expiresAt);
}

function givenUp(code: MessageError["code"]): SendingGate {
  return { kind: "given_up", error: { code, operatorCode: null } };
}

/** When permitted hours begin. */
function openingAt(hours: Hours, minute: number, nowMs: number): number {
  return nowMs + minutesUntil(hours.fromMinute, minute) * MINUTE_MS;
}

/** When permitted hours end, to the minute; hours that never close are looked at again in a day. */
function closingAt(hours: Hours, minute: number, nowMs: number): number {
  const wholeMinuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  return wholeMinuteMs + minutesUntil(hours.toMinute % MINUTES_A_DAY, minute) * MINUTE_MS;
}

/** Minutes from one minute of the day to the next time it is another: 1 to a whole day. */
function minutesUntil(target: number, minute: number): number {
  return ((target - minute + MINUTES_A_DAY - 1) % MINUTES_A_DAY) + 1;
}
