import { describeExpected, type Shape } from "../../config/expectation.ts";
import { SETTINGS } from "../../config/settings.ts";
import { assert } from "../../core/assert.ts";
import { parseHours } from "../../core/hours.ts";
import type { PolicyOverrides } from "../../domain/accounts/policies.ts";
import { refuse } from "./refusal.ts";

/** Each whole number that an account may have of its own, and its key in the configuration's `[policy]`. */
const WHOLES = [
  ["recipientsPerMinute", "recipients_per_minute"],
  ["recipientsPerDay", "recipients_per_day"],
  ["marketingPerDay", "marketing_per_day"],
  ["marketingPerWeek", "marketing_per_week"],
] as const;

/** Why an account cannot have these rules, or null: the bounds are those of the configuration. */
export function checkPolicy(rules: Partial<PolicyOverrides>) {
  for (const [name, key] of WHOLES) {
    const value = rules[name] ?? null;
    const shape = shapeOf(key);
    if (value !== null && !isInBounds(value, shape)) {
      return refuse("INVALID_NUMBER.policy", { key, expected: describeExpected(shape) });
    }
  }
  const hours = rules.marketingHours ?? null;
  if (hours !== null && parseHours(hours) === null) {
    const expected = describeExpected(shapeOf("marketing_hours"));
    return refuse("INVALID_HOURS", { hours, expected });
  }
  return null;
}

function isInBounds(value: number, { minimum, maximum }: Shape): boolean {
  assert(minimum !== undefined && maximum !== undefined, "the configuration bounds its whole numbers");
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function shapeOf(key: string): Shape {
  const setting = SETTINGS.find((each) => each.table === "policy" && each.key === key);
  assert(setting, `the configuration has policy.${key}`);
  return setting.shape;
}
