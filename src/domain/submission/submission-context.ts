/**
 * Gathers what the acceptance of a batch depends on, once for each: account, policy, prices, routes, quiet hours and
 * ceilings as they are now.
 */
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { isWithin, minuteOfDay, toIsoWeek, toLocalDay } from "../../core/calendar.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import { isSandbox, toLane } from "../../core/sandbox.ts";
import type { Store } from "../../db/store.ts";
import type { Account } from "../accounts/accounts.ts";
import { type Policy, policyOf } from "../accounts/policies.ts";
import type { MessageIds, NewBatch } from "../messages/insert.ts";
import type { FilledQueue, TakeFastPathSlot } from "../messages/queue.ts";
import type { Stages } from "../messages/staged-recipients.ts";
import { type Planner, planner } from "./expand-recipients.ts";
import { createFallbackPlanner, type PlanFallback } from "./fallback-plan.ts";
import type { ChannelTerms, IntakeChannels } from "./intake-channel.ts";
import type { IntakeRefusal } from "./refusals.ts";
import type { RejectionCounts } from "./rejections.ts";
import type { Ceilings, ScreeningRules } from "./screening.ts";

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
  readonly passage: TakeFastPathSlot;
  /** True once no batch may be staged any further: the writer is left to what must be written before the end. */
  readonly isStopping: () => boolean;
};

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
  const policy = policyOf(account, config.policy);
  const terms = deps.channels[batch.channel].termsOf(account, batch);
  return {
    batch,
    accountTimezone: account.timezone,
    planner: planner({
      body: batch.body,
      otherTags: batch.otherTags,
      second: secondOf(deps, account, batch),
      secondBody: batch.fallback?.body ?? null,
      missingAttributes: batch.missingAttributes,
      region: config.defaults.region,
      terms,
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
): PlanFallback | null {
  const { fallback } = batch;
  if (fallback === null) return null;
  const terms = channels.SMS.termsOf(account, { ...batch, channel: "SMS", body: fallback.body });
  return createFallbackPlanner(
    { accountId: account.id, fallback, otherTags: batch.otherTags },
    terms,
    settings.now().defaults.region,
  );
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
