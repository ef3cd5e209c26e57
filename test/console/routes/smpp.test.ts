/** Users of SMPP over HTTP: what an account's own people say of theirs, what is the seller's, and how each stands. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SmppUserStatus } from "../../../src/admin/operations/context.ts";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import type { PageContext } from "../../../src/console/server/routes/request-context.ts";
import type { Route } from "../../../src/console/server/routes/route.ts";
import { type RawRequest, runRoute } from "../../../src/console/server/routes/run-route.ts";
import { ROUTES, type RouteName } from "../../../src/console/server/routes/table.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { accountByUlid } from "../../../src/domain/accounts/accounts.ts";
import {
  createSmppUser,
  revokeSmppUser,
  smppUserBySystemId,
} from "../../../src/domain/accounts/smpp-users.ts";
import { type AdminFixture, adminFixture } from "../../admin/operations/fixture.ts";
import { smppUserOf } from "../../kit/smpp-users.ts";
import { testClock } from "../../kit/test-clock.ts";
import { inEnglish } from "../english-words.ts";
import { consoleFixture } from "../fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

/** A user as it was created before, without the work of a hash. */
async function add(systemId: string, of = account): Promise<number> {
  const { store, clock } = fixture.context;
  const accountId = accountByUlid(store.read, of)?.id ?? 0;
  const user = smppUserOf({ systemId, accountId });
  return store.write((tx) => createSmppUser(tx, user, "$hash", clock.nowMs()));
}

/** Asks as staff, or as people of an account. */
function ask(
  name: RouteName,
  brought: Partial<RawRequest>,
  own: string | null = null,
  context: PageContext["context"] = fixture.context,
) {
  const asked: PageContext = {
    context,
    account: own,
    seesMoney: true,
    user: 1,
    files: createUploads(fixture.clock),
    may: () => true,
    language: "en",
    translate: inEnglish,
  };
  return runRoute(ROUTES[name] as unknown as Route, asked, {
    params: {},
    query: {},
    body: undefined,
    ...brought,
  });
}

const OWN = { networks: ["192.0.2.0/24"], system_id: "shop1" };
const createOwn = (body: object) =>
  ask("POST /accounts/:account/smpp/own", { params: { account }, body }, account);

describe("an account's own people", () => {
  test("create a user with the seller's usual throughput, window, binds and class, over TLS", async () => {
    const made = await createOwn({ ...OWN, ids: "hex", reasons: "yes" });
    expect(made).toMatchObject({
      kind: "data",
      data: {
        system_id: "shop1",
        password: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
        account_id: account,
        networks: OWN.networks,
        tls: "required",
        throughput: 50,
        window: 10,
        max_binds: 2,
        class: "TRANSACTIONAL",
        ids: "hex",
        reasons: "yes",
      },
    });
  });

  test.each([
    ["any network", { networks: ["any"] }, "INVALID_NETWORK"],
    ["no network", { networks: undefined }, "VALIDATION_FAILED"],
    ["another throughput", { throughput: 51 }, "VALIDATION_FAILED"],
    ["another window", { window: 11 }, "VALIDATION_FAILED"],
    ["more binds", { max_binds: 3 }, "VALIDATION_FAILED"],
    ["a class", { class: "OTP" }, "VALIDATION_FAILED"],
    ["TLS as one likes", { tls: "optional" }, "VALIDATION_FAILED"],
  ])("cannot say %s", async (_, more, code) => {
    expect(await createOwn({ ...OWN, ...more })).toMatchObject({ code });
    expect(smppUserBySystemId(fixture.context.store.read, "shop1")).toBeNull();
  });

  test("create five at most; those that were revoked do not count, and staff create more", async () => {
    const ids = [];
    for (let n = 1; n <= 5; n++) ids.push(await add(`user${n}`));
    expect(await createOwn(OWN)).toMatchObject({ code: "TOO_MANY_USERS" });
    expect(
      await ask("POST /accounts/:account/smpp", { params: { account }, body: { system_id: "more" } }),
    ).toMatchObject({ kind: "data" });
    const { store, clock } = fixture.context;
    const [first = 0, second = 0] = ids;
    await store.write((tx) => {
      revokeSmppUser(tx, first, clock.nowMs());
      revokeSmppUser(tx, second, clock.nowMs());
    });
    expect(await createOwn(OWN)).toMatchObject({ kind: "data" });
  });

  test("change the networks of theirs, and never to any", async () => {
    await add("shop1");
    const networks = (wanted: string[]) =>
      ask(
        "POST /smpp/:system_id/networks",
        { params: { system_id: "shop1" }, body: { networks: wanted } },
        account,
      );
    expect(await networks(["198.51.100.7"])).toMatchObject({ data: { networks: ["198.51.100.7"] } });
    expect(await networks(["any"])).toMatchObject({ code: "INVALID_NETWORK" });
    expect(smppUserBySystemId(fixture.context.store.read, "shop1")?.networks).toEqual(["198.51.100.7"]);
  });

  test("list theirs alone, and another's is nobody's", async () => {
    const other = await fixture.account();
    await add("shop1");
    await add("others", other);
    expect(await ask("GET /smpp", {}, account)).toMatchObject({ data: { users: [{ system_id: "shop1" }] } });
    expect(await ask("GET /smpp", {})).toMatchObject({
      data: { users: [{ system_id: "shop1", account: "Faso Shop" }, { system_id: "others" }] },
    });
    const password = (system_id: string) =>
      ask("POST /smpp/:system_id/password", { params: { system_id }, body: {} }, account);
    expect(await password("others")).toMatchObject({ code: "NOT_FOUND" });
    expect(await password("shop1")).toMatchObject({
      data: { system_id: "shop1", password: expect.any(String) },
    });
  });
});

describe("how a user stands", () => {
  const STATUS: SmppUserStatus = {
    sessions: [
      {
        session: "s1",
        peer: "192.0.2.1:4000",
        bind: "transceiver",
        version: "3.4",
        tls: true,
        sinceMs: 0,
        windowUsed: 3,
        rate: 7,
      },
      {
        session: "s2",
        peer: "192.0.2.1:4001",
        bind: "receiver",
        version: "3.4",
        tls: true,
        sinceMs: 1000,
        windowUsed: 0,
        rate: 5,
      },
    ],
    receipts: { waiting: 4, oldestAtMs: 2000, givenUp: 1 },
    partsWaiting: 2,
    refusals: [
      { atMs: 3000, commandStatus: 0x0a, reason: "SENDER_NOT_APPROVED", detail: "" },
      { atMs: 2000, commandStatus: 0x0d, reason: "WRONG_PASSWORD", detail: "from 192.0.2.9" },
      { atMs: 1000, commandStatus: 0x0a, reason: "SENDER_NOT_APPROVED", detail: "" },
    ],
  };
  const kicked: (readonly [number, string | null])[] = [];
  const live = (): PageContext["context"] => ({
    ...fixture.context,
    server: {
      ...fixture.context.server!,
      smpp: {
        userStatus: () => STATUS,
        kick: (userId, session) => {
          kicked.push([userId, session]);
          return session === null ? 2 : 1;
        },
      },
    },
  });
  const at = (ms: number) => new Date(ms).toISOString();

  test("is told by the list in sums, and by reason of the refusals", async () => {
    await add("shop1");
    expect(await ask("GET /smpp", {}, null, live())).toMatchObject({
      data: {
        users: [
          {
            standing: {
              sessions: 2,
              rate: 12,
              receipts_waiting: 4,
              receipts_oldest_at: at(2000),
              parts_waiting: 2,
              refusals: [
                { reason: "SENDER_NOT_APPROVED", times: 2 },
                { reason: "WRONG_PASSWORD", times: 1 },
              ],
            },
          },
        ],
      },
    });
  });

  test("is told by its own page session by session", async () => {
    await add("shop1");
    expect(await ask("GET /smpp/:system_id", { params: { system_id: "shop1" } }, null, live())).toMatchObject(
      {
        data: {
          system_id: "shop1",
          status: "ACTIVE",
          sessions: [
            { session: "s1", bind: "transceiver", since: at(0), window_used: 3, rate: 7, tls: true },
            { session: "s2", bind: "receiver" },
          ],
          receipts_waiting: 4,
          receipts_given_up: 1,
          parts_waiting: 2,
          refusals: [{ at: at(3000), command_status: 0x0a }, { reason: "WRONG_PASSWORD" }, {}],
        },
      },
    );
  });

  test("is nothing while the door is closed", async () => {
    await add("shop1");
    expect(await ask("GET /smpp", {})).toMatchObject({ data: { users: [{ standing: null }] } });
    expect(await ask("GET /smpp/:system_id", { params: { system_id: "shop1" } })).toMatchObject({
      data: { sessions: [], receipts_waiting: 0, receipts_oldest_at: null, refusals: [] },
    });
  });

  test("changes with a kick, of one session or all, which the audit has", async () => {
    const id = await add("shop1");
    const kick = (session: string | null) =>
      ask("POST /smpp/:system_id/kick", { params: { system_id: "shop1" }, body: { session } }, null, live());
    expect(await kick("s1")).toMatchObject({ data: { system_id: "shop1", unbound: 1 } });
    expect(await kick(null)).toMatchObject({ data: { unbound: 2 } });
    expect(await kick("s9")).toMatchObject({ code: "NOT_FOUND" });
    expect(kicked).toEqual([
      [id, "s1"],
      [id, null],
    ]);
    expect(fixture.audited().filter((entry) => entry === "awa: smpp kick")).toHaveLength(2);
  });
});

describe("the address that the sheet of connection data names", () => {
  const addressOf = async (smpp: object, publicUrl = "") => {
    const { config } = fixture.context;
    const context = {
      ...fixture.context,
      config: {
        ...config,
        smpp_server: { ...config.smpp_server, ...smpp },
        server: { ...config.server, public_url: publicUrl },
      },
    };
    const answer = await ask("GET /smpp", {}, null, context);
    return answer.kind === "data" ? (answer.data as { address: unknown }).address : answer;
  };

  test.each([
    ["its own", { listen: "10.0.0.5:2775" }, "", { host: "10.0.0.5", port: 2775, tls_port: null }],
    [
      "that of public_url where it listens everywhere",
      { listen: "0.0.0.0:2775", tls_listen: "0.0.0.0:3550" },
      "https://sms.example.bf",
      { host: "sms.example.bf", port: 2775, tls_port: 3550 },
    ],
    [
      "the reader's to know, without one",
      { tls_listen: "[::]:3550" },
      "",
      { host: null, port: null, tls_port: 3550 },
    ],
    ["none while the door is closed", {}, "", { host: null, port: null, tls_port: null }],
  ])("is %s", async (_, smpp, publicUrl, address) => {
    expect(await addressOf(smpp, publicUrl)).toEqual(address);
  });
});

test("the second factor is asked again before a user is made or changed, and not for a look", async () => {
  const place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  const whose = await place.admin.account();
  const admin = await place.entered("admin@example.bf", "ACCOUNT_ADMIN", whose);
  place.clock.setBy(5 * 60_000);
  expect((await admin.get("/api/smpp")).status).toBe(200);
  const asked = await admin.post(`/accounts/${whose}/smpp/own`, OWN);
  expect(asked.json.code).toBe("SECOND_FACTOR_NEEDED");
  const reader = await place.entered("reader@example.bf", "ACCOUNT_READER", whose);
  expect((await reader.get("/api/smpp")).json.code).toBe("FORBIDDEN");
  expect((await admin.post(`/accounts/${whose}/smpp`, { system_id: "all" })).json.code).toBe("FORBIDDEN");
  await place.close();
});
