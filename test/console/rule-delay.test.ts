/** Each alarm says after how long it is told, or from how much on, as the configuration has it. */

import { expect, test } from "vitest";
import { listLimits } from "../../src/console/server/routes/alerts.ts";
import { ruleDelay } from "../../src/console/ui/pages/appliance/rule-delay.ts";
import type { ApplianceWords } from "../../src/i18n/words.gen.d.ts";
import { RULE_NAMES } from "../../src/ops/alerts/rules.ts";
import { adminConfig } from "../admin/operations/fixture.ts";
import { wordsIn } from "../kit/page-words.ts";

const APPLIANCE_EN = wordsIn<ApplianceWords>("en", "appliance");
const APPLIANCE_FR = wordsIn<ApplianceWords>("fr", "appliance");

const { rules } = adminConfig("/tmp").alerts;

const inFrench = (limits: Readonly<Record<string, number>>) => ruleDelay(limits, APPLIANCE_FR.alarms.delays);
const inEnglish = (limits: Readonly<Record<string, number>>) => ruleDelay(limits, APPLIANCE_EN.alarms.delays);

test("each rule tells its own delay, and what has none is told as it happens", () => {
  const told = Object.fromEntries(
    RULE_NAMES.flatMap((rule) => {
      const text = inFrench(listLimits(rules[rule]));
      return text === null ? [] : [[rule, text]];
    }),
  );
  expect(told).toEqual({
    link_down: "après 1 minute",
    operator_down: "après 30 secondes",
    not_taken: "après 30 secondes et 5 réponses de suite",
    templates_unread: "après 1 heure",
    otp_waits: "après 1 minute",
    transactional_waits: "après 15 minutes",
    no_route: "après 1 minute",
    delivered_share: "à 20 points au-dessous de la semaine, sur 200 messages au moins",
    receipts_unmatched: "au-dessus de 1 % et de 50 accusés en 15 minutes",
    smpp_receipts: "après 1 heure",
    throttled: "après 10 minutes",
    backup: "après 26 heures",
    certificate: "14 jours avant",
  });
});

test("a length is said exactly, and none is as it happens", () => {
  expect(inEnglish({ seconds: 90 })).toBe("after 90 seconds");
  expect(inEnglish({ seconds: 7200 })).toBe("after 2 hours");
  expect(inEnglish({ seconds: 0 })).toBe(null);
  expect(inEnglish({})).toBe(null);
  expect(inEnglish({ seconds: 0, answers: 5 })).toBe("after 0 seconds and 5 answers in a row");
});
