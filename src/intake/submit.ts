import { accountById } from "../accounts/accounts.ts";
import type { MessageClass } from "../accounts/classes.ts";
import { priceFor } from "../accounts/prices.ts";
import { senderByName } from "../accounts/senders.ts";
import { assert } from "../base/assert.ts";
import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { NewId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { CURRENCY } from "../base/money.ts";
import { type Config, operatorMaxSegments } from "../config/config.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import type { MessageIds } from "../messages/insert.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { acceptBatch } from "./accept.ts";
import { type Plan, planBatch, type Route } from "./plan.ts";
import { prefixTable } from "./prefixes.ts";
import type { BatchRequest } from "./request.ts";
import { readSchedule } from "./schedule-time.ts";

/** The largest batch that is validated before its 202 (public-api.md section 2.2). */
export const MOST_SYNCHRONOUS_RECIPIENTS = 10_000;

export type IntakeDeps = {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly messageIds: MessageIds;
  readonly log: Log;
  /** Told after the commit that a batch's messages wait to be sent. */
  readonly onQueued: (batchId: number) => void;
};

/**
 * Takes a submission: answers with the JSON text of the 202's body, or with why there is none. `onAccepted` runs
 * inside the accepting transaction with that text, so that whoever remembers the answer does so with the batch or
 * not at all.
 */
export type SubmitBatch = (
  accountId: number,
  request: BatchRequest,
  onAccepted: (tx: Tx, reply: string) => void,
) => Promise<Outcome<string>>;

/** The submission of batches, ready to be called. */
export function submitter(deps: IntakeDeps): SubmitBatch {
  const owner = prefixTable(deps.config.operators);
  return async (accountId, request, onAccepted) => {
    const { config, store, clock } = deps;
    const nowMs = clock.nowMs();
    const account = accountById(store.read, accountId);
    if (!account) return refused("ACCOUNT_SUSPENDED", "the account is suspended");
    if (!account.classes.includes(request.messageClass)) {
      return refused("VALIDATION_FAILED", "the account may not send this message_class", [
        { path: "/message_class", message: `the account may send ${account.classes.join(", ")}` },
      ]);
    }
    if (request.channel !== "SMS") {
      deps.log.error("a batch was refused: no provider is configured", { channel: request.channel });
      return refused("CONFIGURATION_ERROR", "the service is not configured for this channel");
    }
    const sender = senderByName(store.read, accountId, request.sender);
    if (sender?.status !== "APPROVED") {
      return refused("SENDER_NOT_APPROVED", "the sender is not approved for the account");
    }
    const schedule = readSchedule(request.scheduledAt, request.timezone, account.timezone, nowMs);
    if (!schedule.ok) return schedule;
    if (request.recipients.length > MOST_SYNCHRONOUS_RECIPIENTS) {
      return refused("VALIDATION_FAILED", "batches above 10000 recipients are not served yet", [
        { path: "/recipients", message: "at most 10000 recipients" },
      ]);
    }

    const planned = await planBatch({
      request,
      region: config.defaults.region,
      owner,
      clock,
      newId: deps.newId,
      routeOf: routesFor(deps, accountId, request.messageClass),
    });
    if (!planned.ok) return planned;
    const plan = planned.value;

    const ulid = deps.newId();
    const validityMs = config.delivery.validity_minutes[request.messageClass] * 60_000;
    let reply = "";
    const outcome = await acceptBatch({
      store,
      clock,
      messageIds: deps.messageIds,
      plan,
      batch: {
        ulid,
        accountId,
        sender: request.sender,
        channel: request.channel,
        messageClass: request.messageClass,
        body: request.body,
        isTest: request.isTest,
        timezone: schedule.value.timezone,
        createdAt: nowMs,
        scheduledAt: schedule.value.atMs,
        expiresAt: (schedule.value.atMs ?? nowMs) + validityMs,
        chargeOn: account.chargeOn ?? config.billing.charge_on,
      },
      onAccepted: (tx, status) => {
        reply = JSON.stringify({ data: submissionObject(ulid, status, plan) });
        onAccepted(tx, reply);
      },
    });
    if (!outcome.ok) return outcome;
    if (outcome.value.status === "QUEUED") deps.onQueued(outcome.value.id);
    return accepted(reply);
  };
}

/** What each operator means for the batches of one account and class; null for one without a price. */
function routesFor({ config, store, log }: IntakeDeps, accountId: number, messageClass: MessageClass) {
  const known = new Map<string, Route | null>();
  return (code: string): Route | null => {
    const found = known.get(code);
    if (found !== undefined) return found;
    const operator = config.operators[code];
    assert(operator, `operator ${code} owns a prefix, so it is configured`);
    const price = priceFor(store.read, accountId, code, messageClass, operator.price);
    if (price === null) log.error("a batch was refused: the operator has no price", { operator: code });
    const route = price === null ? null : { price, maxSegments: operatorMaxSegments(operator) };
    known.set(code, route);
    return route;
  };
}

/** The submission form of a batch (public-api.md section 2.2). */
function submissionObject(ulid: string, status: BatchStatus, plan: Plan) {
  return {
    batch_id: ulid,
    status,
    accepted: plan.messages.length,
    rejected: plan.rejections.length,
    rejections: plan.rejections.map(({ position, msisdn, reason }) => ({
      index: position,
      msisdn,
      reason_code: reason,
    })),
    reserved_amount: plan.amount,
    currency: CURRENCY,
    total_segments: plan.totalSegments,
  };
}
