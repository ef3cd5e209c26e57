/** Who calls says the end of a number: over HTTP, the search finds the messages to it among the last ones, and says among how many. */
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

/** A batch of messages to +22605000000 and on. */
const batchOf = (messages: number, of = account) =>
  plantBatch(place.admin, { account: of, status: "SENDING", messages: Array(messages).fill("SENT") });

type Hit = Readonly<Record<string, unknown>>;
const search = async (who: Awaited<ReturnType<typeof visitor>>, typed: string) =>
  (await who.get(`/api/search?q=${encodeURIComponent(typed)}`)).json.hits as readonly Hit[];

const COUNTED = { kind: "no number", looked: 12, is_all: true };

test("a part of a number leads to the messages to it, newest first, and says among how many it was looked for", async () => {
  await batchOf(10);
  place.admin.clock.setBy(1000);
  await batchOf(2);
  const staff = await visitor("SUPPORT");
  const sent = { kind: "sent", title: "+22605000001", status: "SENT", at: expect.any(String), why: null };
  for (const typed of ["0001", "00 01", "…0001", "000001"]) {
    const hits = await search(staff, typed);
    expect(hits).toMatchObject([sent, sent, COUNTED]);
  }
  const page = (await staff.get("/api/messages-with-part?typed=0001")).json;
  expect(page).toMatchObject({ is_more: false, looked: 12, is_all: true });
  expect((page.messages as Hit[]).map(({ msisdn }) => msisdn)).toEqual(["+22605000001", "+22605000001"]);
  // The code of the country is no part of a number.
  expect(await search(staff, "2605")).toMatchObject([COUNTED]);
});

test("no more than the last 20,000 messages are looked through, and so much is said", async () => {
  await batchOf(1);
  await batchOf(20_000);
  const own = await visitor("ACCOUNT_READER", account);
  const page = (await own.get("/api/messages-with-part?typed=19999")).json;
  expect(page).toMatchObject({ looked: 20_000, is_all: false, messages: [{ msisdn: "+22605019999" }] });
  expect((await own.get("/api/messages-with-part?typed=0000&limit=5")).json).toMatchObject({ is_more: true });
});

test("somebody of an account finds their own messages alone, and who may not see messages finds none", async () => {
  await batchOf(3);
  const other = await place.admin.account();
  const stranger = await visitor("ACCOUNT_READER", other);
  expect(await search(stranger, "0001")).toMatchObject([{ kind: "no number", looked: 0 }]);
  expect((await stranger.get(`/api/messages-with-part?typed=0001&account=${account}`)).status).toBe(404);
  const finance = await visitor("FINANCE");
  expect(await search(finance, "0001")).toMatchObject([{ kind: "no number", looked: null }]);
  expect((await finance.get("/api/messages-with-part?typed=0001")).status).toBe(403);
});

test("what is no part of a number is refused", async () => {
  const staff = await visitor("SUPPORT");
  for (const typed of ["Awa", "7,6E+07", "12"])
    expect((await staff.get(`/api/messages-with-part?typed=${encodeURIComponent(typed)}`)).status).toBe(422);
});

test("a whole number is answered with its messages first, then with the batches that left it out", async () => {
  const AWA = "+22605000000";
  await batchOf(1);
  const without = await plantBatch(place.admin, {
    account,
    status: "SENDING",
    messages: ["SENT"],
    rejections: [{ reason: "SUPPRESSED", msisdn: AWA }],
  });
  const hits = await search(await visitor("SUPPORT"), "05 00 00 00");
  expect(hits).toMatchObject([
    { kind: "number", id: AWA },
    { kind: "sent", title: AWA, status: "SENT" },
    { kind: "sent", title: AWA, status: "SENT" },
    { kind: "left out", id: without },
  ]);
});
