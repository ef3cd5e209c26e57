import { afterEach, beforeEach, expect, test } from "vitest";
import { liveFigures } from "../../../src/console/live/live-figures.ts";
import { ALARM_ROUTES } from "../../../src/console/routes/alarms.ts";
import { fileDesk } from "../../../src/console/send/file-desk.ts";
import { keepAlarm } from "../../../src/upkeep/alarms/alarm-rows.ts";
import { type AdminFixture, adminFixture, granted } from "../../operations/fixture.ts";

let fixture: AdminFixture;
beforeEach(async () => {
  fixture = adminFixture();
  const sinceMs = fixture.clock.nowMs();
  const lasting = { isFiring: true, sinceMs, toldAtMs: null, clearedAtMs: null, startsMs: [sinceMs] };
  await fixture.context.store.write((tx) => {
    const low = { account: "Faso Shop", spendable: 4711 };
    keepAlarm(tx, { ...lasting, rule: "wallet_low", subject: "01JB0000000000000000000001", facts: low });
    keepAlarm(tx, {
      ...lasting,
      rule: "operator_down",
      subject: "orange",
      facts: { operator: "orange", error: "" },
    });
  });
});
afterEach(() => fixture.close());

const pageFor = async (seesMoney: boolean): Promise<string> => {
  const asked = {
    ...{
      context: fixture.context,
      account: null,
      user: 1,
      files: fileDesk(fixture.clock),
      seesMoney,
    },
    ...{ may: () => true, language: "en" as const },
    inTheirWords: (english: string) => english,
  };
  const unread = { params: undefined, query: undefined, body: undefined };
  return JSON.stringify(granted(await ALARM_ROUTES["GET /alarms"].run(asked, unread)));
};
const startFor = async (seesMoney: boolean): Promise<string> => {
  const { context, clock } = fixture;
  const figures = liveFigures(context.store.read, clock);
  return JSON.stringify(
    await figures({ context, accountId: null, seesMoney, managesKeys: true, language: "en" }),
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
