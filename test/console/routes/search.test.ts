/** The search box of the console, over HTTP: what was typed, and the places that it may mean. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import type { Role } from "../../../src/domain/accounts/roles.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
let account: string;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  account = await place.admin.account();
});
afterEach(() => place.close());

const visitor = async (role: Role, of: string | null = null) =>
  place.entered(`${role.toLowerCase().replaceAll("_", "-")}@example.bf`, role, of);

const AWA = "+22605112233";
const without = (of: string, reason: string) =>
  plantBatch(place.admin, {
    account: of,
    status: "SENDING",
    messages: ["SENT"],
    rejections: [{ reason, msisdn: AWA }],
  });

test("a number that was left out leads to the batches that left it out, with the reason of each", async () => {
  const other = await place.admin.account();
  const batch = await without(account, "SUPPRESSED");
  const theirs = await without(other, "FREQUENCY_CAP_DAILY");
  const own = await visitor("ACCOUNT_READER", account);
  const found = await own.get("/api/search?q=05%2011%2022%2033");
  expect(found.json.hits).toMatchObject([
    { kind: "number", id: AWA },
    { kind: "left out", id: batch, title: AWA, reason: "SUPPRESSED", at: expect.any(String) },
  ]);
  const staff = await visitor("SUPPORT");
  const all = (await staff.get("/api/search?q=05112233")).json.hits as { kind: string; id: string }[];
  expect(all.filter(({ kind }) => kind === "left out").map(({ id }) => id)).toEqual([theirs, batch]);
  const page = await own.get("/api/left-out?number=05112233");
  expect(page.json.left_out).toMatchObject([{ batch_id: batch, reason_code: "SUPPRESSED" }]);
});

test("who may not see batches is told of none", async () => {
  await without(account, "SUPPRESSED");
  const finance = await visitor("FINANCE");
  expect((await finance.get("/api/search?q=05112233")).json.hits).toMatchObject([{ kind: "number" }]);
  expect((await finance.get("/api/left-out?number=05112233")).status).toBe(403);
});

test("filters are chosen by names: operators as they are called, errors as sentences, senders of the account", async () => {
  const own = await visitor("ACCOUNT_READER", account);
  const names = (await own.get("/api/names", { "accept-language": "fr" })).json as {
    errors: { code: string; detail: string }[];
    operators: unknown[];
  };
  expect(names.operators).toContainEqual({
    code: "orange",
    name: place.context.config.operators.orange!.name,
  });
  expect(names.errors).toContainEqual({
    code: "ABSENT_SUBSCRIBER",
    detail: expect.stringMatching(/téléphone/),
  });
});
