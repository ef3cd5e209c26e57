import { describe, expect, test } from "vitest";
import {
  type RecipientRecord,
  screen,
  toSendsQuery,
} from "../../../src/domain/submission/screen-recipients.ts";
import type { Ceilings, ScreeningRules } from "../../../src/domain/submission/submission-context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = Date.UTC(2026, 2, 4);
const NOON = MIDNIGHT + 12 * HOUR_MS;

const RULES: ScreeningRules = {
  isMarketing: true,
  isWithinHours: true,
  marketingPerDay: 2,
  marketingPerWeek: 3,
  day: { startMs: MIDNIGHT, endMs: MIDNIGHT + DAY_MS },
  week: { startMs: MIDNIGHT - 2 * DAY_MS, endMs: MIDNIGHT + 5 * DAY_MS },
  plannedAt: NOON,
};
const PLENTY: Ceilings = { perDay: 1, perMinute: 1 };
const sent = (plannedAt: number, textKey = 0, isMarketing = 1) => ({ plannedAt, textKey, isMarketing });

const verdict = (
  record: Partial<RecipientRecord> = {},
  rules: Partial<ScreeningRules> = {},
  left: Partial<Ceilings> = {},
) =>
  screen(
    { ...RULES, ...rules },
    { hasAlike: false, isSuppressed: false, recent: [], textKey: 7, ...record },
    { ...PLENTY, ...left },
  );

describe("a recipient is screened", () => {
  test("and passes when nothing speaks against it", () => {
    expect(verdict()).toBeNull();
  });

  // Keeps: behaviour 4.1, 4.6, 4.7, 4.8, 4.9, 4.10, 4.11
  test("for the reasons in their decided order, the first that applies", () => {
    const everything = {
      isSuppressed: true,
      recent: [sent(NOON - 1, 7), sent(NOON - 2), sent(MIDNIGHT - DAY_MS)],
    };
    const spent = { perDay: 0, perMinute: 0 };
    expect(verdict(everything, { isWithinHours: false }, spent)).toBe("SUPPRESSED");
    const heard = { ...everything, isSuppressed: false };
    expect(verdict(heard, { isWithinHours: false }, spent)).toBe("QUIET_HOURS");
    expect(verdict(heard, {}, spent)).toBe("FREQUENCY_CAP_DAILY");
    expect(verdict(heard, { marketingPerDay: 0 }, spent)).toBe("FREQUENCY_CAP_WEEKLY");
    expect(verdict(heard, { marketingPerDay: 0, marketingPerWeek: 0 }, spent)).toBe("DUPLICATE_RECENT_BODY");
    expect(verdict({}, {}, spent)).toBe("RATE_LIMIT_PER_DAY");
    expect(verdict({}, {}, { perMinute: 0 })).toBe("RATE_LIMIT_PER_MINUTE");
  });

  // Keeps: behaviour 4.47
  test("by caps that count marketing of the planned day and week only", () => {
    expect(verdict({ recent: [sent(NOON), sent(MIDNIGHT)] })).toBe("FREQUENCY_CAP_DAILY");
    expect(verdict({ recent: [sent(NOON), sent(MIDNIGHT - 1)] })).toBeNull();
    expect(verdict({ recent: [sent(NOON), sent(MIDNIGHT, 0, 0)] })).toBeNull();
    expect(verdict({ recent: [sent(NOON), sent(MIDNIGHT - 1), sent(RULES.week.endMs - 1)] })).toBe(
      "FREQUENCY_CAP_WEEKLY",
    );
    expect(verdict({ recent: [sent(NOON), sent(MIDNIGHT - 1), sent(RULES.week.endMs)] })).toBeNull();
  });

  test("by hours and caps only when it is marketing", () => {
    const other = { isMarketing: false, isWithinHours: false };
    expect(verdict({ recent: [sent(NOON), sent(NOON - 1), sent(NOON - 2)] }, other)).toBeNull();
  });

  // Keeps: behaviour 4.34
  test("as a repetition less than 24 hours before or after, and not at 24 hours", () => {
    const other = { isMarketing: false };
    for (const apart of [0, DAY_MS - 1, -(DAY_MS - 1)]) {
      expect(verdict({ recent: [sent(NOON + apart, 7, 0)] }, other)).toBe("DUPLICATE_RECENT_BODY");
    }
    for (const apart of [DAY_MS, -DAY_MS]) {
      expect(verdict({ recent: [sent(NOON + apart, 7, 0)] }, other)).toBeNull();
    }
    expect(verdict({ recent: [sent(NOON, 8, 0)] }, other)).toBeNull();
  });

  test("by looking no further than a rule can reach, and far enough for each", () => {
    const sameText = { textKey: 7, fromMs: NOON - DAY_MS + 1, toMs: NOON + DAY_MS };
    expect(toSendsQuery({ ...RULES, isMarketing: false }, 7)).toEqual({ sameText, marketing: [] });
    expect(toSendsQuery(RULES, 7)).toEqual({
      sameText,
      marketing: [
        { fromMs: RULES.day.startMs, toMs: RULES.day.endMs, most: 2 },
        { fromMs: RULES.week.startMs, toMs: RULES.week.endMs, most: 3 },
      ],
    });
  });
});
