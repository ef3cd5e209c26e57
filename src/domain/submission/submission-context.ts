/**
 * Makes a batch of a request: checks what it means, its recipients apart, and gathers what its acceptance goes by,
 * once for each: account, policy, prices, routes, quiet hours and ceilings as they are now.
 */
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { isWithin, minuteOfDay, type Span, toIsoWeek, toLocalDay } from "../../core/calendar.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import { accepted, refuse, withFaults } from "../../core/refusals.ts";
import { isSandbox, toLane } from "../../core/sandbox.ts";
import type { TextRules } from "../../core/text-rules.ts";
import type { Store } from "../../db/store.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Account } from "../accounts/accounts.ts";
import { derivePolicy, type Policy } from "../accounts/policies.ts";
import { approvedLike, isApproved } from "../accounts/senders.ts";
import type { MessageIds, NewBatch } from "../messages/insert.ts";
import type { FilledQueue, TakeFastPathSlot } from "../messages/queue.ts";
import type { Stages } from "../messages/staged-recipients.ts";
import { type Planner, planner } from "./expand-recipients.ts";
import { createFallbackPlanner, deriveLastExpiry, type PlanFallback, readFallback } from "./fallback-plan.ts";
import type { ChannelTerms, IntakeChannels } from "./intake-channel.ts";
import type { RejectionCounts } from "./rejections.ts";
import type { BatchRequest, IntakeOutcome, IntakeRefusal } from "./request.ts";
import { deriveExpiry, readSchedule } from "./schedule.ts";

/** What this room is built on. */
export type SubmissionDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly messageIds: MessageIds;
  readonly stages: Stages;
  readonly rejected: RejectionCounts;
  readonly channels: IntakeChannels;
  /** Called after the commit when a batch's messages wait to be sent: `filled` has them, or null where they are to be read. */
  readonly onQueued: (batchId: number, filled: readonly FilledQueue[] | null) => void;
  /** Why no new submission is accepted at this moment, or null. Repetitions of earlier ones are answered all the same. */
  readonly notNow: () => IntakeRefusal | null;
  /** Takes slots on a worker for messages of a batch that is being accepted. */
  readonly takeFastPathSlot: TakeFastPathSlot;
  /** True once no batch may be staged any further: the writer is left to what must be written before the end. */
  readonly isStopping: () => boolean;
};

/** What holds for every recipient of a batch. */
export type ScreeningRules = {
  readonly isMarketing: boolean;
  /** The planned time lies in the hours in which the account may send marketing. */
  readonly isWithinHours: boolean;
  /** 0 = no cap. */
  readonly marketingPerDay: number;
  readonly marketingPerWeek: number;
  /** The calendar day and ISO week of the planned time in the account's zone. */
  readonly day: Span;
  readonly week: Span;
  /** When the batch is to leave. */
  readonly plannedAt: number;
};

/** Recipients that an account may have accepted: in all, or what is left of them. */
export type Ceilings = { readonly perDay: number; readonly perMinute: number };

/** Everything that accepting a batch goes by. */
export type SubmissionContext = {
  readonly batch: NewBatch;
  /** The zone in which the account's days begin. */
  readonly accountTimezone: string;
  readonly planner: Planner;
  /** The codings that messages of its channel may have. */
  readonly encodings: ChannelTerms["encodings"];
  readonly rules: ScreeningRules;
  /** Of recipients of the account; 0 = none. */
  readonly ceilings: Ceilings;
  /** Whether texts count as the same that differ only in characters that rewriting replaces, as they do to people. */
  readonly likens: boolean;
  readonly stages: Stages;
  readonly rejected: RejectionCounts;
};

/** The context of a batch by its account, prices and configuration now. `isByHand`: whether an administrator or a person submits it. */
export function buildSubmissionContext(
  deps: SubmissionDeps,
  account: Account,
  batch: NewBatch,
  isByHand = false,
): SubmissionContext {
  const config = deps.settings.now();
  const policy = derivePolicy(account, config.policy);
  const terms = deps.channels[batch.channel].termsOf(account, batch);
  const second = secondOf(deps, account, batch);
  return {
    batch,
    accountTimezone: account.timezone,
    planner: planner({
      body: batch.body,
      otherTags: batch.otherTags,
      second: second?.plan ?? null,
      secondBody: batch.fallback?.body ?? null,
      missingAttributes: batch.missingAttributes,
      region: config.defaults.region,
      terms,
      lookUp: terms.lookUp ?? second?.lookUp,
      clock: deps.clock,
      newId: deps.newId,
      toLane: (operator) => toLane(account.id, operator),
    }),
    encodings: terms.encodings,
    rules: rulesFor(batch, account.timezone, policy),
    ceilings: { perDay: perDayOf(config, account.id, policy), perMinute: policy.recipientsPerMinute },
    likens: isByHand,
    stages: deps.stages,
    rejected: deps.rejected,
  };
}

/** The fallback of a batch that goes on by SMS. */
function secondOf(
  { settings, channels }: SubmissionDeps,
  account: Account,
  batch: NewBatch,
): { readonly plan: PlanFallback; readonly lookUp: ChannelTerms["lookUp"] } | null {
  const { fallback } = batch;
  if (fallback === null) return null;
  const terms = channels.SMS.termsOf(account, { ...batch, channel: "SMS", body: fallback.body });
  const plan = createFallbackPlanner(
    { accountId: account.id, fallback, otherTags: batch.otherTags },
    terms,
    settings.now().defaults.region,
  );
  return { plan, lookUp: terms.lookUp };
}

function perDayOf({ sandbox }: Config, accountId: number, { recipientsPerDay }: Policy): number {
  return isSandbox(accountId) ? sandbox.recipients_per_day : recipientsPerDay;
}

function rulesFor(batch: NewBatch, timezone: string, policy: Policy): ScreeningRules {
  const plannedAt = batch.scheduledAt ?? batch.createdAt;
  const isMarketing = batch.messageClass === "MARKETING";
  return {
    isMarketing,
    isWithinHours: !isMarketing || isWithin(policy.marketingHours, minuteOfDay(plannedAt, timezone)),
    marketingPerDay: policy.marketingPerDay,
    marketingPerWeek: policy.marketingPerWeek,
    day: toLocalDay(plannedAt, timezone),
    week: isMarketing ? toIsoWeek(plannedAt, timezone) : toLocalDay(plannedAt, timezone),
    plannedAt,
  };
}

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
    expiresAt: Math.min(
      fallback.value
        ? deriveLastExpiry(fallback.value)
        : deriveExpiry(config, account, messageClass, plannedAt),
      request.expiresBy ?? Number.POSITIVE_INFINITY,
    ),
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
