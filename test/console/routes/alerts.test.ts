import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestNotification } from "../../../src/admin/operations/context.ts";
import { createLiveFigures } from "../../../src/console/server/live/live-figures.ts";
import { ALERT_ROUTES, type AlertsView } from "../../../src/console/server/routes/alerts.ts";
import type { PageContext } from "../../../src/console/server/routes/request-context.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { EXACT_ENGLISH, type Phrase, phrase, written } from "../../../src/i18n/phrase.ts";
import { renderIn } from "../../../src/i18n/text.ts";
import { storeAlert } from "../../../src/ops/alerts/alert-records.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inEnglish } from "../english-words.ts";

let fixture: AdminFixture;
beforeEach(async () => {
  fixture = adminFixture();
  const sinceMs = fixture.clock.nowMs();
  const lasting = { isFiring: true, sinceMs, notifiedAtMs: null, clearedAtMs: null, startsMs: [sinceMs] };
  await fixture.context.store.write((tx) => {
    const low = { account: "Faso Shop", spendable: 4711 };
    storeAlert(tx, { ...lasting, rule: "wallet_low", subject: "01JB0000000000000000000001", facts: low });
    storeAlert(tx, {
      ...lasting,
      rule: "operator_down",
      subject: "orange",
      facts: { operator: "orange", error: "" },
    });
  });
});
afterEach(() => fixture.close());

const UNREAD = { params: undefined, query: undefined, body: undefined };
const askedBy = (seesMoney: boolean): PageContext => ({
  context: fixture.context,
  account: null,
  user: 1,
  files: createUploads(fixture.clock),
  seesMoney,
  may: () => true,
  language: "en" as const,
  translate: inEnglish,
});
const pageFor = async (seesMoney: boolean): Promise<string> =>
  JSON.stringify(granted(await ALERT_ROUTES["GET /alarms"].run(askedBy(seesMoney), UNREAD)));
const startFor = async (seesMoney: boolean): Promise<string> => {
  const { context, clock } = fixture;
  const figures = createLiveFigures(context.store.read, clock);
  return JSON.stringify(
    await figures({ context, accountId: null, seesMoney, managesKeys: true, reader: EXACT_ENGLISH }),
  );
};

test("what an account has left is told by alarms to those alone who may see money", async () => {
  for (const told of [pageFor, startFor]) {
    expect(await told(true)).toContain("4711");
    const others = await told(false);
    expect(others).not.toContain("4711");
    expect(others).toContain("operator_down");
  }
});

test("whom alarms go to is shown by number and address, and of a webhook its host alone", async () => {
  const alerts = {
    ...fixture.context.config.alerts,
    webhook: "https://hooks.example.bf/secret-path",
    email: ["astreinte@example.bf"],
    sms: ["+22670000000", "+22676000000"],
  };
  fixture = { ...fixture, context: { ...fixture.context, config: { ...fixture.context.config, alerts } } };
  const page = JSON.parse(await pageFor(false)) as { channels: unknown };
  expect(page.channels).toEqual([
    { channel: "webhook", to: ["hooks.example.bf"] },
    { channel: "email", to: ["astreinte@example.bf"] },
    { channel: "sms", to: ["+22670000000", "+22676000000"] },
  ]);
  expect(JSON.stringify(page)).not.toContain("secret-path");
});

test("a test of alarms stays in view with who asked for it and what came of it, and is no alarm", async () => {
  const { server } = fixture.context;
  const testAlerts = async (): Promise<readonly TestNotification[]> => [
    { channel: "sms", recipient: "+22670000000", delivered: true, outcome: phrase("alarm.told") },
    { channel: "email", recipient: "a@example.bf", delivered: false, outcome: phrase("alarm.untold.no_way") },
  ];
  fixture = { ...fixture, context: { ...fixture.context, server: { ...server!, testAlerts } } };
  const before = JSON.parse(await pageFor(true)) as AlertsView;
  granted(await ALERT_ROUTES["POST /alarms/test"].run(askedBy(true), UNREAD));
  const after = JSON.parse(await pageFor(true)) as AlertsView;
  const at = new Date(fixture.clock.nowMs()).toISOString();
  expect(after.deliveries).toMatchObject([
    {
      rule: "test",
      channel: "email",
      recipient: "a@example.bf",
      outcome: "given_up",
      error: "no operator works",
    },
    { rule: "test", channel: "sms", recipient: "+226…00", outcome: "told", error: null },
  ]);
  expect(after.deliveries.map(({ by, ended_at }) => [by, ended_at])).toEqual([
    ["awa", at],
    ["awa", at],
  ]);
  expect([after.alarms, after.history]).toEqual([before.alarms, before.history]);
  expect(fixture.audited()).toContain("awa: alert test");
});

test("what was told in sentences by an earlier version is shown as it was, what is told by codes in the words of who looks", async () => {
  const { store } = fixture.context;
  const error = "connection refused";
  await store.write((tx) => {
    for (const why of [error, written(phrase("alarm.untold.no_way"))])
      tx.run(
        `INSERT INTO notifications (event_id, channel, recipient, rule, subject, state, since, facts, written_at, due_at, error)
         VALUES ('1', 'sms', '+226…00', 'disk', '', 'start', 0, '{}', 0, 0, ?)`,
        why,
      );
    const down = { rule: "operator_down", subject: "moov", isFiring: true, sinceMs: 0 } as const;
    const facts = { operator: "moov", error };
    storeAlert(tx, { ...down, notifiedAtMs: null, clearedAtMs: null, startsMs: [], facts });
  });
  const translate = (words: Phrase | string) => (typeof words === "string" ? words : renderIn("fr", words));
  const page = granted(
    await ALERT_ROUTES["GET /alarms"].run({ ...askedBy(true), translate, language: "fr" }, UNREAD),
  );
  expect(page.deliveries.map((one) => one.error)).toEqual(["aucun opérateur disponible", error]);
  expect(page.alarms.find(({ subject }) => subject === "moov")?.detail).toBe(
    "Plus aucune connexion vers moov\u00a0: rien ne part vers ses numéros. Connection refused",
  );
});

test("an alarm tells of operators by their names, and what is typed keeps their codes", async () => {
  const { orange } = fixture.context.config.operators;
  const config = {
    ...fixture.context.config,
    operators: { orange: { ...orange, name: "Orange Burkina" } as NonNullable<typeof orange> },
  };
  fixture = { ...fixture, context: { ...fixture.context, config } };
  for (const told of [pageFor, startFor]) {
    expect(await told(true)).toContain("No connection to Orange Burkina is up");
  }
});
