import { expect, test } from "vitest";
import { deriveStanding, type NameResolver, toNamedCheck } from "../../src/console/server/display-names.ts";
import { PAGE_CATALOGUES } from "../../src/console/ui/words/page-catalogues.ts";
import type { HealthCheck } from "../../src/core/health.ts";
import { type Phrase, phrase, renderer, said } from "../../src/i18n/phrase.ts";
import { english, renderIn } from "../../src/i18n/text.ts";
import { VALUES } from "../../src/i18n/values.ts";
import type { NightlyBackupStatus } from "../../src/ops/backup/nightly-backup.ts";
import { backupCheck, booksCheck, operatorsCheck } from "../../src/ops/health/checks.ts";
import { adminFixture } from "../admin/operations/fixture.ts";

const NAMES: Readonly<Record<string, string>> = {
  orange: "Orange Burkina",
  W1: "api.faso.bf",
  A1: "Faso Shop",
};
const called = (one: string): string => NAMES[one] ?? one;
const NAMING: NameResolver = { operator: called, webhook: called, account: called };

/** What a check found, as the console has it. */
const shown = (detail: Phrase) =>
  toNamedCheck(
    {
      name: "one",
      status: "degraded",
      since: "2026-03-02T09:00:00.000Z",
      detail,
      action: null,
    },
    NAMING,
    english,
  ).detail;

test("what a check found goes by the names of things, and what others said stays", () => {
  const counts = phrase("health.operators", { bound: 0, connections: 2, operators: 1 });
  const away = (operator: string, why: string) =>
    phrase("health.operators.away_because", { operator, since: 0, why: said(why) });
  expect(
    shown(phrase("health.operators.with", { counts, parts: [away("orange", "orange is slow")] })),
  ).toEqual(phrase("health.operators.with", { counts, parts: [away("Orange Burkina", "orange is slow")] }));
  expect(shown(phrase("health.webhooks.failing", { failing: 1, enabled: 3, endpoint: "W1" }))).toEqual(
    phrase("health.webhooks.failing", { failing: 1, enabled: 3, endpoint: "api.faso.bf" }),
  );
  const alarms = (link: string, endpoint: string, wallet: string) =>
    phrase("health.alarms.firing", {
      alarms: [
        phrase("health.alarm.of", { rule: "link_down", subject: link }),
        phrase("health.alarm.of.silenced", { rule: "endpoint", subject: endpoint }),
        phrase("health.alarm.of", { rule: "wallet_low", subject: wallet }),
        phrase("health.alarm", { rule: "disk" }),
      ],
    });
  expect(shown(alarms("orange 1", "W1", "A1"))).toEqual(
    alarms("Orange Burkina 1", "api.faso.bf", "Faso Shop"),
  );
});

test("a page words by itself why an operator is away, why a number has no answer and why nothing is accepted", () => {
  const onPage = renderer(PAGE_CATALOGUES, VALUES);
  const why = phrase("network.refused");
  const counts = phrase("health.operators", { bound: 0, connections: 1, operators: 1 });
  const away = phrase("health.operators.away_because", { operator: "orange", since: 0, why });
  const phrases = [
    why,
    phrase("health.operators.with", { counts, parts: [away] }),
    phrase("health.not_ready", { reasons: [phrase("readiness.disk_full"), phrase("readiness.database")] }),
  ];
  for (const locale of ["en", "fr"] as const) {
    for (const one of phrases) {
      expect(String(onPage(one, { locale, timeZone: null }))).toBe(renderIn(locale, one));
      expect(renderIn(locale, one)).not.toMatch(/network\.|readiness\./);
    }
  }
});

test("what was never done is not well, and nothing that can leave is an outage", async () => {
  const fixture = adminFixture();
  const { store, clock } = fixture.context;
  const seen = (check: HealthCheck) => deriveStanding({ name: check.name, ...check.run() });
  expect(seen(backupCheck(store.read, clock, () => ({ failure: null }) as NightlyBackupStatus))).toBe(
    "not_yet",
  );
  expect(seen(booksCheck(store.read, clock))).toBe("not_yet");
  const line = (...states: string[]) => [
    { operator: "orange", connections: states.map((state) => ({ state, downSinceMs: 0, lastError: "no" })) },
  ];
  const operators = (...states: string[]) => operatorsCheck(() => line(...states) as never);
  expect(seen(operators("WAITING", "WAITING"))).toBe("down");
  expect(seen(operators("BOUND", "WAITING"))).toBe("degraded");
  // None in the configuration: nothing can leave, and nothing is out.
  expect(seen(operatorsCheck(() => []))).toBe("degraded");
  await fixture.close();
});
