import type { Config } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Hours } from "../../core/hours.ts";
import type { Reader } from "../../db/read.ts";
import { type Account, accountById } from "../../domain/accounts/accounts.ts";
import { policyOf } from "../../domain/accounts/policies.ts";
import { balanceOf } from "../../domain/ledger/wallet.ts";

/**
 * An account as the commands and the console show it: settings, status and wallet. A rule that is null is as the
 * configuration says; `policy` holds what counts in the end.
 */
export function toAccountView(read: Reader, config: Config, account: Account, nowMs: number) {
  const { overrides } = account;
  const policy = policyOf(account, config.policy);
  return {
    account_id: account.ulid,
    name: account.name,
    short_name: account.shortName,
    status: account.status,
    suspended_reason: account.suspendedReason,
    timezone: account.timezone,
    billing_mode: account.billingMode,
    credit_limit: account.creditLimit,
    /** Null: as the configuration says. */
    charge_on: account.chargeOn,
    classes: account.classes,
    recipients_per_minute: overrides.recipientsPerMinute,
    recipients_per_day: overrides.recipientsPerDay,
    marketing_hours: overrides.marketingHours,
    marketing_per_day: overrides.marketingPerDay,
    marketing_per_week: overrides.marketingPerWeek,
    text_policy: account.textRules.textPolicy,
    missing_attributes: account.textRules.missingAttributes,
    /** Null: what is sent by WhatsApp does not go on as SMS. */
    fallback_seconds: account.fallbackSeconds,
    /** Null: nobody is told. */
    low_balance: account.lowBalance,
    created_at: isoUtc(account.createdAtMs),
    closed_at: isoOrNull(account.closedAtMs),
    policy: {
      recipients_per_minute: policy.recipientsPerMinute,
      recipients_per_day: policy.recipientsPerDay,
      marketing_hours: hoursText(policy.marketingHours),
      marketing_per_day: policy.marketingPerDay,
      marketing_per_week: policy.marketingPerWeek,
    },
    wallet: balanceOf(read, account.id, nowMs),
  };
}

export type AccountView = Readonly<ReturnType<typeof toAccountView>>;

export function readAccountView(read: Reader, config: Config, id: number, nowMs: number): AccountView {
  const account = accountById(read, id);
  assert(account, `account ${id} exists`);
  return toAccountView(read, config, account, nowMs);
}

function hoursText({ fromMinute, toMinute }: Hours): string {
  return `${timeText(fromMinute)}-${timeText(toMinute)}`;
}

function timeText(minuteOfDay: number): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${digits(Math.floor(minuteOfDay / 60))}:${digits(minuteOfDay % 60)}`;
}
