/** Settings of an account over HTTP: what is left out stays, null is as the configuration says, and what a form must say. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountShow } from "../../../src/admin/operations/accounts.ts";
import type { Route } from "../../../src/console/server/routes/route.ts";
import { runRoute } from "../../../src/console/server/routes/run-route.ts";
import { ROUTES, type RouteName } from "../../../src/console/server/routes/table.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inEnglish } from "../english-words.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

function ask(name: RouteName, body: unknown) {
  const asked = {
    context: fixture.context,
    account: null,
    seesMoney: true,
    user: 1,
    session: 1,
    files: createUploads(fixture.clock),
    may: () => true,
    language: "en" as const,
    translate: inEnglish,
  };
  return runRoute(ROUTES[name] as unknown as Route, asked, { params: { account }, query: {}, body });
}

const shown = () => granted(accountShow(fixture.context, account));

test("what is left out stays as it is, and null gives a rule back to the configuration", async () => {
  const rules = { recipients_per_day: 5, marketing_per_day: 1, marketing_hours: "09:00-10:00" };
  expect(await ask("PATCH /accounts/:account", rules)).toMatchObject({ kind: "data", data: rules });
  expect(await ask("PATCH /accounts/:account", { recipients_per_day: null })).toMatchObject({
    kind: "data",
    data: { ...rules, recipients_per_day: null },
  });
  expect(await ask("PATCH /accounts/:account/money", { low_balance: 500 })).toMatchObject({ kind: "data" });
  expect(await ask("PATCH /accounts/:account/money", { charge_on: "delivered" })).toMatchObject({
    kind: "data",
  });
  expect(shown()).toMatchObject({ low_balance: 500, charge_on: "delivered" });
  expect(await ask("PATCH /accounts/:account/money", { low_balance: null })).toMatchObject({ kind: "data" });
  expect(shown()).toMatchObject({ ...rules, recipients_per_day: null, low_balance: null });
  expect(await ask("PATCH /accounts/:account", {})).toMatchObject({ code: "NOTHING_TO_CHANGE" });
});

test("money is no setting of the form of rules, and what has no default is never null", async () => {
  const faultsAt = (path: string) => ({ code: "VALIDATION_FAILED", faults: [{ path }] });
  expect(await ask("PATCH /accounts/:account", { credit_limit: 5 })).toMatchObject(faultsAt("/credit_limit"));
  expect(await ask("PATCH /accounts/:account", { timezone: null })).toMatchObject(faultsAt("/timezone"));
  expect(await ask("PATCH /accounts/:account/money", { credit_limit: -1 })).toMatchObject(
    faultsAt("/credit_limit"),
  );
});

test("a form says whether an account is closed by force, and which correction it sends", async () => {
  const missing = (path: string) => ({ status: 422, code: "VALIDATION_FAILED", faults: [{ path }] });
  expect(await ask("POST /accounts/:account/close", {})).toMatchObject(missing("/force"));
  const correction = { amount: 5, reason: "mistake" };
  expect(await ask("POST /accounts/:account/wallet/adjust", correction)).toMatchObject(missing("/reference"));
  const sent = { ...correction, reference: "once" };
  for (const _ of ["first", "again"]) {
    expect(await ask("POST /accounts/:account/wallet/adjust", sent)).toMatchObject({
      kind: "data",
      data: { adjustment: 5, balance: 5 },
    });
  }
});
