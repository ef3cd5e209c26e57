/** What administrators see and do of SMPP users: their sessions, their messages by id, and lists of batches without theirs. */
import { afterEach, describe, expect, test } from "vitest";
import type { PageContext } from "../../../src/console/server/routes/request-context.ts";
import type { Route } from "../../../src/console/server/routes/route.ts";
import { runRoute } from "../../../src/console/server/routes/run-route.ts";
import { ROUTES } from "../../../src/console/server/routes/table.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { inEnglish } from "../../console/english-words.ts";
import { bindOf, type SmppRig, SYSTEM_ID, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const ID = SYSTEM_ID;
const show = () => rig.stage.admin("smpp show", { ID });
const part = (number: number) => ({
  registeredDelivery: 1,
  esmClass: 0x40,
  shortMessage: Buffer.concat([
    concatenationHeader({ reference: 3, total: 2, part: number }),
    textOf(`${number}`),
  ]),
});

describe("smpp show", () => {
  test("tells the settings, each session, what waits, and the last refusals with their true reason", async () => {
    rig = await smppRig({ tls: "optional" });
    const client = await rig.bind("transmitter");
    await client.submit({ registeredDelivery: 1 });
    await client.submit(part(1));
    await client.submit({ sourceAddr: "OTHERS", shortMessage: textOf("of others") });
    await rig.stage.clock.advance(10_000);
    const wrong = await rig.connect();
    wrong.send(bindOf("receiver", "wrong"));
    await wrong.until(wrong.isClosed, 50);
    const shown = await show();
    expect(shown).toMatchObject({
      system_id: ID,
      account_id: rig.client.accountId,
      status: "ACTIVE",
      tls: "optional",
      window: 10,
      sessions: [
        {
          session: expect.any(String),
          peer: "127.0.0.1",
          bind: "transmitter",
          version: "3.4",
          tls: false,
          since: expect.stringMatching(/^2026-03-02T/),
          window_used: 0,
          rate: 0,
        },
      ],
      receipts_waiting: 1,
      receipts_oldest_at: expect.stringMatching(/^2026-03-02T/),
      receipts_given_up: 0,
      parts_waiting: 1,
      refusals: [
        { command_status: 0x0d, reason: "WRONG_PASSWORD", detail: expect.any(String) },
        { command_status: 0x0a, reason: "SENDER_NOT_APPROVED", at: expect.any(String) },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain("wrong");
  });

  test("keeps the last 20 refusals, the newest first", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await client.submit({ sourceAddr: "OTHERS" });
    for (let count = 0; count < 20; count++) await client.submit({ esmClass: 2 });
    const { refusals } = (await show()) as { refusals: { reason: string }[] };
    expect(refusals.map(({ reason }) => reason)).toEqual(Array(20).fill("UNSUPPORTED_MODE"));
    expect((await rig.stage.refusal("smpp show", { ID: "nobody" })).code).toBe("USER_NOT_FOUND");
  });
});

describe("smpp kick", () => {
  test("unbinds one session, or all of a user, which may bind again; the audit has each", async () => {
    rig = await smppRig({ maxBinds: 3 });
    await rig.addUser("other");
    const [first, second, third] = [await rig.bind(), await rig.bind(), await rig.bind()];
    const others = await rig.bindAs("other");
    const { sessions } = (await show()) as { sessions: { session: string }[] };
    const [SESSION = ""] = sessions.map(({ session }) => session);
    expect(await rig.stage.admin("smpp kick", { ID, SESSION })).toEqual({ system_id: ID, unbound: 1 });
    await first.until(first.isClosed, 100);
    expect(first.received.map(({ command }) => command)).toContain("unbind");
    expect([second, third].map((client) => client.isClosed())).toEqual([false, false]);
    expect((await rig.stage.refusal("smpp kick", { ID, SESSION })).code).toBe("SESSION_NOT_FOUND");
    expect(await rig.stage.admin("smpp kick", { ID })).toEqual({ system_id: ID, unbound: 2 });
    await second.until(() => second.isClosed() && third.isClosed(), 100);
    expect(others.isClosed()).toBe(false);
    expect((await (await rig.bind()).submit()).status).toBe(0);
    const { entries } = (await rig.stage.admin("audit list")) as { entries: { action: string }[] };
    expect(entries.filter(({ action }) => action === "smpp kick")).toMatchObject([
      { subject: ID, detail: {} },
      { subject: ID, detail: { session: SESSION } },
    ]);
  });
});

describe("message find --smpp-id", () => {
  const find = async (id: string | null, more: Readonly<Record<string, string>> = {}) => {
    const { messages } = await rig.stage.admin("message find", { "smpp-id": id ?? "", ...more });
    return (messages as { message_id: string }[]).map(({ message_id }) => message_id);
  };

  test("finds any part of a text, however long ago, of whichever user", async () => {
    rig = await smppRig({ ids: "hex" });
    await rig.addUser("other", { ids: "hex" });
    const client = await rig.bind();
    const ids = [(await client.submit(part(1))).id, (await client.submit(part(2))).id];
    expect(ids).toEqual(["00000001", "00000002"]);
    const [ofFirst] = await find("00000001");
    expect(ofFirst).toMatch(/^[0-9A-Z]{26}$/);
    expect(await find("00000002")).toEqual([ofFirst]);
    const others = await rig.bindAs("other");
    expect((await others.submit({ destinationAddr: "22670999999" })).id).toBe("00000001");
    const both = await find("00000001");
    expect(both).toHaveLength(2);
    expect(both).toContain(ofFirst);
    await rig.stage.clock.advance(1_000);
    rig.stage.clock.sleep(40 * 86_400_000);
    expect(await find(" 00000002 ")).toEqual([ofFirst]);
    expect(await find("00000003")).toEqual([]);
    expect(await find("00000001", { number: "22670999999" })).toHaveLength(1);
    expect(await find("00000001", { limit: "1" })).toHaveLength(1);
  });

  test("reads an id as people write it", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const { id } = await client.submit();
    expect(await find(id?.toLowerCase() ?? "")).toEqual([id ?? ""]);
  });
});

test("the console's list of batches leaves those of SMPP out unless asked; the API's and the search's do not", async () => {
  rig = await smppRig();
  const plain = await rig.client.submit({ recipients: [{ msisdn: "70123456" }] });
  const client = await rig.bind();
  for (const text of ["one", "two"]) await client.submit({ shortMessage: textOf(text) });
  await client.submit({ destinationAddr: "22679000000" });
  const asked: PageContext = {
    context: rig.stage.context(),
    account: null,
    seesMoney: true,
    user: 1,
    files: createUploads(rig.stage.clock),
    may: () => true,
    language: "en",
    translate: inEnglish,
  };
  const listed = async (query: Readonly<Record<string, string>>, account: string | null = null) => {
    const route = ROUTES["GET /batches"] as unknown as Route;
    const answer = await runRoute(route, { ...asked, account }, { params: {}, query, body: undefined });
    if (answer.kind !== "data") throw new Error(JSON.stringify(answer));
    return answer.data as { batches: { batch_id: string }[]; next: string | null };
  };
  const { accountId, apiKey } = rig.client;
  for (const scope of [{}, { account: accountId }]) {
    expect(await listed(scope)).toMatchObject({ batches: [{ batch_id: plain.batch_id }], next: null });
    expect((await listed({ ...scope, smpp: "yes" })).batches).toHaveLength(4);
  }
  const response = await fetch(`${rig.stage.url()}/public/v1/batches`, { headers: { "x-api-key": apiKey } });
  expect(((await response.json()) as { data: { batches: unknown[] } }).data.batches).toHaveLength(4);
  expect((await rig.stage.admin("batch find")).batches).toHaveLength(4);
});
