import { expect, test } from "vitest";
import { derivePolicy, type PolicyOverrides } from "../../../src/domain/accounts/policies.ts";

const CONFIGURED = {
  recipients_per_minute: 0,
  recipients_per_day: 1_000_000,
  marketing_hours: "08:00-20:00",
  marketing_per_day: 2,
  marketing_per_week: 6,
};
const NONE: PolicyOverrides = {
  recipientsPerMinute: null,
  recipientsPerDay: null,
  marketingHours: null,
  marketingPerDay: null,
  marketingPerWeek: null,
};

test("an account without rules of its own has the configuration's", () => {
  expect(derivePolicy({ overrides: NONE }, CONFIGURED)).toEqual({
    recipientsPerMinute: 0,
    recipientsPerDay: 1_000_000,
    marketingHours: { fromMinute: 480, toMinute: 1200 },
    marketingPerDay: 2,
    marketingPerWeek: 6,
  });
});

test("each rule of its own stands in place of the configuration's, 0 too", () => {
  const own = {
    recipientsPerMinute: 60,
    recipientsPerDay: 0,
    marketingHours: "20:00-06:00",
    marketingPerDay: 0,
    marketingPerWeek: 9,
  };
  expect(derivePolicy({ overrides: own }, CONFIGURED)).toEqual({
    ...own,
    marketingHours: { fromMinute: 1200, toMinute: 360 },
  });
  expect(derivePolicy({ overrides: { ...NONE, marketingPerWeek: 9 } }, CONFIGURED)).toMatchObject({
    marketingPerDay: 2,
    marketingPerWeek: 9,
  });
});
