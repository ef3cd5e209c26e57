import type { Account } from "../accounts/accounts.ts";
import { isApproved } from "../accounts/senders.ts";
import { accepted, refused } from "../base/failures.ts";
import type { TextPolicy, TextRules } from "../base/text-rules.ts";
import type { NewBatch } from "../messages/insert.ts";
import { worded } from "../text/rewrite.ts";
import { prepare } from "../text/segments.ts";
import { compileTemplate } from "../text/template.ts";
import { expiryOf } from "./expiry.ts";
import type { IntakeOutcome } from "./refusals.ts";
import type { BatchRequest } from "./request.ts";
import { readSchedule } from "./schedule-time.ts";
import type { IntakeDeps } from "./terms.ts";

/** Checks what a request means, its recipients apart, and makes the batch of it. */
export function checkedBatch(
  deps: IntakeDeps,
  account: Account,
  request: BatchRequest,
): IntakeOutcome<NewBatch> {
  const { settings, clock } = deps;
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
  return accepted({
    ulid: deps.newId(),
    accountId: account.id,
    sender: request.sender,
    channel: request.channel,
    messageClass,
    body: bodyUnder(request.body, rules.textPolicy),
    ...rules,
    isTest: request.isTest,
    timezone,
    createdAt: nowMs,
    scheduledAt,
    expiresAt: expiryOf(config, account, messageClass, scheduledAt ?? nowMs),
    chargeOn: account.chargeOn ?? config.billing.charge_on,
    clientReference: request.clientReference,
  });
}

/**
 * The body as it is kept. One without tags that is rewritten is kept rewritten, so that no message has a text of its own; unless
 * what it comes to would be read as a tag.
 */
function bodyUnder(body: string, policy: TextPolicy): string {
  if (policy === "as_is" || compileTemplate(body).hasTags) return body;
  const { text } = worded(prepare(body), policy);
  return compileTemplate(text).hasTags ? body : text;
}

/** Whether an account may send such a batch: its class, over its channel, as its sender. */
function maySend({ store, log }: IntakeDeps, account: Account, request: BatchRequest): IntakeOutcome<null> {
  const { messageClass, channel, sender } = request;
  if (!account.classes.includes(messageClass)) {
    return refused("VALIDATION_FAILED", "the account may not send this message_class", [
      { path: "/message_class", message: `the account may send ${account.classes.join(", ")}` },
    ]);
  }
  if (channel !== "SMS") {
    log.error("a batch was refused: no provider is configured", { channel });
    const detail = "the service is not configured for this channel: sending the request again will not help";
    return { ok: false, refusal: { code: "CONFIGURATION_ERROR", detail, isFinal: true } };
  }
  if (!isApproved(store.read, account.id, sender)) {
    return refused(
      "SENDER_NOT_APPROVED",
      `the sender ${JSON.stringify(sender)} is not approved for the account`,
    );
  }
  return accepted(null);
}
