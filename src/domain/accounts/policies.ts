/**
 * The policy of an account: quiet hours, caps and ceilings, its own or the configuration's (docs/behaviour.md#quiet-hours). Pure.
 */
import { assert } from "../../core/assert.ts";
import { type Hours, parseHours } from "../../core/calendar.ts";

/** What an account may do at most, and when (docs/behaviour.md#quiet-hours, #caps, #ceilings). */
export type Policy = {
  /** Recipients accepted in any 60 seconds; 0: no ceiling. */
  readonly recipientsPerMinute: number;
  /** Recipients accepted in a calendar day of the account's timezone; 0: no ceiling. */
  readonly recipientsPerDay: number;
  /** When MARKETING may be sent, in the account's timezone. */
  readonly marketingHours: Hours;
  /** MARKETING messages to one number in a calendar day; 0: no cap. */
  readonly marketingPerDay: number;
  /** MARKETING messages to one number in an ISO week; 0: no cap. */
  readonly marketingPerWeek: number;
};

/** What was decided for one account; null: as the configuration says. */
export type PolicyOverrides = {
  readonly recipientsPerMinute: number | null;
  readonly recipientsPerDay: number | null;
  /** As `parseHours` reads them, such as "08:00-20:00". */
  readonly marketingHours: string | null;
  readonly marketingPerDay: number | null;
  readonly marketingPerWeek: number | null;
};

/** What the configuration says for everybody: its table `[policy]` (docs/administration.md#keys). */
export type PolicyDefaults = {
  readonly recipients_per_minute: number;
  readonly recipients_per_day: number;
  readonly marketing_hours: string;
  readonly marketing_per_day: number;
  readonly marketing_per_week: number;
};

/** The policy of one account: its own rules, and the configuration's where it has none. */
export function derivePolicy(
  account: { readonly overrides: PolicyOverrides },
  defaults: PolicyDefaults,
): Policy {
  const { overrides } = account;
  const text = overrides.marketingHours ?? defaults.marketing_hours;
  const marketingHours = parseHours(text);
  assert(marketingHours, `permitted hours were checked before they were kept: ${text}`);
  return {
    recipientsPerMinute: overrides.recipientsPerMinute ?? defaults.recipients_per_minute,
    recipientsPerDay: overrides.recipientsPerDay ?? defaults.recipients_per_day,
    marketingHours,
    marketingPerDay: overrides.marketingPerDay ?? defaults.marketing_per_day,
    marketingPerWeek: overrides.marketingPerWeek ?? defaults.marketing_per_week,
  };
}
