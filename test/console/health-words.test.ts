import { expect, test } from "vitest";
import type { HealthCheck } from "../../src/base/health.ts";
import { standingOf } from "../../src/console/health-words.ts";
import { APPLIANCE_ROUTES } from "../../src/console/routes/appliance.ts";
import { fileDesk } from "../../src/console/send/file-desk.ts";
import type { NightlyStanding } from "../../src/upkeep/backup/nightly-backup.ts";
import { backupCheck } from "../../src/upkeep/health/backup-check.ts";
import { booksCheck } from "../../src/upkeep/health/books-check.ts";
import { operatorsCheck } from "../../src/upkeep/health/operators-check.ts";
import { inFrench } from "../../src/words/in-french.ts";
import { adminFixture, granted } from "../operations/fixture.ts";

/** What checks find, as they word it. */
const FINDS = [
  ["submissions are taken", "les envois sont acceptés"],
  [
    "1 of 2 connections to 2 operators bound; moov is away since 2026-03-02T08:00:00.000Z (the operator's queue is full)",
    /^connexions en ligne\u00a0: 1 sur 2, opérateurs\u00a0: 2\u00a0; moov ne répond plus depuis 2026-\S+ \(la file de l.opérateur est pleine\)$/,
  ],
  [
    "the newest is of 2026-03-02T02:00:00.000Z; one was restored for a trial 2026-03-01T03:00:00.000Z",
    /^la plus récente est du \S+\u00a0; une a été restaurée pour essai le \S+$/,
  ],
  ["0 endpoints, none failing", "webhooks\u00a0: 0, aucun en échec"],
  [
    "some words that nobody has put in French; and more",
    "some words that nobody has put in French; and more",
  ],
] as const;

test.each(FINDS)("what a check found is said in French, part by part: %s", async (detail, said) => {
  const fixture = adminFixture();
  const check = {
    name: "one",
    status: "ok",
    since: "2026-03-02T09:00:00.000Z",
    detail,
    action: null,
  } as const;
  const standing = { startedAtMs: 0, health: { report: () => ({ status: "ok", checks: [check] }) as const } };
  const asked = {
    context: { ...fixture.context, server: { ...fixture.context.server!, standing } },
    ...{ account: null, user: 1, files: fileDesk(fixture.clock), seesMoney: true },
    ...{ may: () => true, language: "fr" as const },
    inTheirWords: (english: string) => inFrench(english) ?? english,
  };
  const unread = { params: undefined, query: undefined, body: undefined };
  const { health } = granted(await APPLIANCE_ROUTES["GET /appliance"].run(asked, unread));
  if (typeof said === "string") expect(health?.checks[0]?.detail).toBe(said);
  else expect(health?.checks[0]?.detail).toMatch(said);
  await fixture.close();
});

test("what was never done is not well, and nothing that can leave is an outage", async () => {
  const fixture = adminFixture();
  const { store, clock } = fixture.context;
  const seen = (check: HealthCheck) => standingOf({ name: check.name, ...check.look() });
  expect(seen(backupCheck(store.read, clock, () => ({ failure: null }) as NightlyStanding))).toBe("not_yet");
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
