import { accepted, refuse, withFaults } from "../../core/refusals.ts";
import type { TextRules } from "../../core/text-rules.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Account } from "../accounts/accounts.ts";
import { approvedLike, isApproved } from "../accounts/senders.ts";
import type { NewBatch } from "../messages/insert.ts";
import { deriveLastExpiry, readFallback } from "./fallback-plan.ts";
import type { IntakeOutcome } from "./refusals.ts";
import type { BatchRequest } from "./request.ts";
import { expiryOf, readSchedule } from "./schedule.ts";
import type { SubmissionDeps } from "./submission-context.ts";

/** Checks what a request means, its recipients apart, and makes the batch of it. */
export function buildBatch(
  deps: SubmissionDeps,
  account: Account,
  request: BatchRequest,
): IntakeOutcome<NewBatch> {
  const { settings, clock, channels } = deps;
  const config = settings.now();
  const { messageClass } = request;
  const nowMs = clock.nowMs();
  const verdict = maySend(deps, account, request);
  if (!verdict.ok) return verdict;
  const schedule = readSchedule(request.scheduledAt, request.timezone, account.timezone, nowMs);
  if (!schedule.ok) return schedule;
  const { atMs: scheduledAt, timezone } = schedule.value;
  const rules: TextRules = {
    textPolicy: request.textPolicy ?? account.textRules.textPolicy,
    missingAttributes: request.missingAttributes ?? account.textRules.missingAttributes,
  };
  const { sender, channel, body, otherTags, template } = request;
  const asked = { sender, messageClass, body, otherTags, textPolicy: rules.textPolicy, template };
  const plannedAt = scheduledAt ?? nowMs;
  const smsChargeOn = account.chargeOn ?? config.billing.charge_on;
  const fallback = readFallback(request, { config, account, plannedAt, chargeOn: smsChargeOn });
  if (!fallback.ok) return fallback;
  const carried = channels[channel].carry(account, asked);
  if (!carried.ok) return carried;
  const { chargeOn, ...kept } = carried.value;
  const second =
    fallback.value && channels.SMS.carry(account, { ...asked, body: fallback.value.body, template: null });
  if (second && !second.ok) return second;
  return accepted({
    ulid: deps.newId(),
    accountId: account.id,
    sender,
    channel,
    messageClass,
    ...kept,
    ...rules,
    otherTags,
    isTest: request.isTest,
    timezone,
    createdAt: nowMs,
    scheduledAt,
    expiresAt: fallback.value
      ? deriveLastExpiry(fallback.value)
      : expiryOf(config, account, messageClass, plannedAt),
    chargeOn: chargeOn ?? smsChargeOn,
    clientReference: request.clientReference,
    fallback: fallback.value && { ...fallback.value, body: second?.value.body ?? fallback.value.body },
  });
}

/** Whether an account may send such a batch: its class, as its sender. */
function maySend({ store }: SubmissionDeps, account: Account, request: BatchRequest): IntakeOutcome<null> {
  const { messageClass, sender } = request;
  if (!account.classes.includes(messageClass)) {
    const message = phrase("fault.message_class.barred", { classes: account.classes.join(", ") });
    return withFaults(refuse("VALIDATION_FAILED.message_class"), [{ path: "/message_class", message }]);
  }
  if (!isApproved(store.read, account.id, sender)) {
    const known = approvedLike(store.read, account.id, sender);
    return known === null
      ? refuse("SENDER_NOT_APPROVED", { sender })
      : refuse("SENDER_NOT_APPROVED.case", { sender, known });
  }
  return accepted(null);
}
