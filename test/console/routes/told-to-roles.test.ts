/** What the pages of people who look after something else do not tell: addresses of endpoints, things by their ids, where alarms go. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { webhookCreate } from "../../../src/admin/operations/webhooks.ts";
import { accountFigures } from "../../../src/console/server/live/account-figures.ts";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { hideSetting } from "../../../src/console/server/routes/money-visibility.ts";
import { accountByUlid } from "../../../src/domain/accounts/accounts.ts";
import type { Role } from "../../../src/domain/accounts/roles.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { granted } from "../../admin/operations/fixture.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

const HOOK = "https://hooks.example.com/in/s3cret?token=t";

let place: ConsoleFixture;
let account: string;
let webhook: string;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  account = await place.admin.account();
  const wanted = { url: HOOK, description: "", events: null };
  webhook = granted(await webhookCreate(place.context, account, wanted)).webhook_id;
});
afterEach(() => place.close());

let people = 0;
const visitor = (role: Role, of: string | null = null) =>
  place.entered(`person-${++people}@example.bf`, role, of);

test("an account's start page names the server of an endpoint that fails, and nothing behind it", async () => {
  const { store } = place.context;
  await store.write((tx) => tx.run("UPDATE webhook_endpoints SET consecutive_failures = 3"));
  const found = accountByUlid(store.read, account);
  if (!found) throw new Error("the account was made");
  const day = { deliveredShare: null, accepted: 0 };
  const figures = await accountFigures(place.context, found, {
    seesMoney: false,
    managesKeys: false,
    day: day as Parameters<typeof accountFigures>[2]["day"],
  });
  expect(figures.notices).toContainEqual({ kind: "ENDPOINT_FAILING", server: "hooks.example.com" });
  expect(JSON.stringify(figures)).not.toContain("s3cret");
});

describe("an id in the search box", () => {
  const kindsOf = async (role: Role, of: string | null, id: string) => {
    const asked = await visitor(role, of);
    const { hits } = (await asked.get(`/api/search?q=${id}`)).json as { hits: { kind: string }[] };
    return hits.map(({ kind }) => kind);
  };
  const message = () =>
    place.context.store.read.get<{ ulid: string }>("SELECT ulid FROM messages LIMIT 1")?.ulid ?? "";

  test("leads finance to no message, batch or webhook, as their pages do not", async () => {
    const batch = await plantBatch(place.admin, { account, status: "SENDING", messages: ["SENT"] });
    for (const [id, kind] of [
      [batch, "batch"],
      [message(), "message"],
      [webhook, "webhook"],
    ] as const) {
      expect(await kindsOf("FINANCE", null, id)).toEqual([]);
      expect(await kindsOf("SUPPORT", null, id)).toEqual([kind]);
    }
    expect(await kindsOf("OPERATIONS", null, account)).toEqual(["account"]);
  });

  test("leads a reader of the account to no webhook of it, and its administrator there", async () => {
    expect(await kindsOf("ACCOUNT_READER", account, webhook)).toEqual([]);
    expect(await kindsOf("ACCOUNT_ADMIN", account, webhook)).toEqual(["webhook"]);
  });
});

test("the configuration names the server that takes alarms, and nothing behind it", () => {
  expect(hideSetting(true, "alerts.webhook", HOOK)).toBe("https://hooks.example.com");
  expect(hideSetting(false, "alerts.webhook", HOOK)).toBe("https://hooks.example.com");
  expect([hideSetting(true, "alerts.webhook", ""), hideSetting(true, "server.public_url", HOOK)]).toEqual([
    "",
    HOOK,
  ]);
});
