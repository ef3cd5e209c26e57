import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deleteReads, findMessage, messageObject } from "../../../src/domain/messages/message-view.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type WhatsappRig, whatsappRig } from "./rig.ts";

let rig: WhatsappRig;
beforeEach(async () => {
  rig = await whatsappRig({ fate: () => fated([]) });
});
afterEach(() => rig.stop());

const sign = (body: string, secret = "S") =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
const call = (body: string, signature: string | null = sign(body)) =>
  fetch(rig.webhookAt, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature === null ? {} : { "x-hub-signature-256": signature }),
    },
    body,
  });
const statuses = (...some: object[]) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "7", changes: [{ field: "messages", value: { statuses: some } }] }],
  });
const challenge = (query: Record<string, string>) => fetch(`${rig.webhookAt}?${new URLSearchParams(query)}`);

async function posted(): Promise<{ batchId: number; opaque: string; wamid: string }> {
  const batchId = await rig.send(["70000001"]);
  await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  const [post] = rig.posts;
  return { batchId, opaque: post?.opaque ?? "", wamid: post?.wamid ?? "" };
}

describe("the verification", () => {
  const asked = { "hub.mode": "subscribe", "hub.verify_token": "V", "hub.challenge": "1158201444" };

  test("says the challenge to whoever knows the token", async () => {
    const answer = await challenge(asked);
    expect([answer.status, await answer.text()]).toEqual([200, "1158201444"]);
  });

  test.each([
    [{ ...asked, "hub.verify_token": "W" }],
    [{ ...asked, "hub.mode": "unsubscribe" }],
    [{ "hub.challenge": "1" }],
  ])("says nothing to %j", async (query) => {
    const answer = await challenge(query);
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain("1158201444");
  });
});

describe("a call", () => {
  test("is there only where WhatsApp is configured", async () => {
    rig.settings.replace(rig.config({ app_secret: "S" }));
    const body = statuses();
    expect((await call(body)).status).toBe(200);
    const { whatsapp, ...rest } = rig.settings.now();
    rig.settings.replace({
      ...rest,
      whatsapp: { ...whatsapp, app_secret: "", verify_token: "", numbers: {} },
    });
    expect((await call(body)).status).toBe(404);
    expect((await challenge({ "hub.mode": "subscribe", "hub.verify_token": "" })).status).toBe(404);
  });

  test("without the right signature is refused, whatever it says", async () => {
    const { batchId, opaque, wamid } = await posted();
    const body = statuses({ id: wamid, status: "delivered", biz_opaque_callback_data: opaque });
    for (const signature of [
      null,
      "",
      "sha256=",
      sign(body, "other"),
      sign(`${body} `),
      sign(body).slice(7),
    ]) {
      expect((await call(body, signature)).status).toBe(401);
    }
    expect((await call("{", sign("}"))).status).toBe(401);
    expect(rig.statuses(batchId)).toEqual(["SENT"]);
    expect((await call(body)).status).toBe(200);
    expect(rig.statuses(batchId)).toEqual(["DELIVERED"]);
  });

  test("that is signed over JSON which is no call of Meta's is answered and counted", async () => {
    const bodies = [
      ...["[]", "null", '"x"', "{}", '{"object":"page","entry":[]}'],
      ...['{"object":"whatsapp_business_account"}', '{"object":"whatsapp_business_account","entry":{}}'],
    ];
    for (const body of bodies) expect((await call(body)).status).toBe(200);
    const counted = rig.store.tally.counters("bendre_whatsapp_not_understood_total").all();
    expect(counted.map(({ labels: [field], value }) => [field, value])).toEqual([["other", bodies.length]]);
  });

  test("that is signed over bytes that are no text or no JSON is 400", async () => {
    for (const body of ["", "{", "[", "x"]) expect((await call(body)).status).toBe(400);
    const bytes = new Uint8Array([0xff, 0xfe]);
    const signature = `sha256=${createHmac("sha256", "S").update(bytes).digest("hex")}`;
    const answer = await fetch(rig.webhookAt, {
      method: "POST",
      headers: { "x-hub-signature-256": signature },
      body: bytes,
    });
    expect(answer.status).toBe(400);
  });

  test("is durable before it is answered", async () => {
    const { batchId, opaque, wamid } = await posted();
    const said = statuses({ id: wamid, status: "delivered", biz_opaque_callback_data: opaque });
    expect((await call(said)).status).toBe(200);
    // No turn of the clock has passed since.
    expect(rig.messages(batchId)).toMatchObject([{ status: "DELIVERED", is_final: 1, amount: 15 }]);
  });

  test("of eight mebibytes is read, and none above", async () => {
    const { batchId, opaque, wamid } = await posted();
    const status = { id: wamid, status: "delivered", biz_opaque_callback_data: opaque };
    const padded = (octets: number) => {
      const bare = statuses(status, { id: "" });
      return statuses(status, { id: "x".repeat(octets - bare.length) });
    };
    const most = 8_388_608;
    expect((await call(padded(most + 1))).status).toBe(400);
    expect(rig.statuses(batchId)).toEqual(["SENT"]);
    expect((await call(padded(most))).status).toBe(200);
    expect(rig.statuses(batchId)).toEqual(["DELIVERED"]);
  });

  test("that says what nobody understands is answered and counted", async () => {
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "7",
          changes: [
            { field: "solar_flares", value: {} },
            { field: "messages", value: { statuses: [{}] } },
          ],
        },
      ],
    });
    expect((await call(body)).status).toBe(200);
    const counted = rig.store.tally.counters("bendre_whatsapp_not_understood_total").all();
    expect(counted.map(({ labels: [field], value }) => [field, value])).toEqual([
      ["messages", 1],
      ["other", 1],
    ]);
  });

  test("is counted against the pace when it brings messages", async () => {
    const metadata = { phone_number_id: "42" };
    const messages = Array.from({ length: 3 }, () => ({ from: "1", id: "x", type: "text" }));
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "7", changes: [{ field: "messages", value: { metadata, messages } }] }],
    });
    rig.settings.replace(rig.config({}, { throughput: 2 }));
    await rig.pass(2000);
    expect((await call(body)).status).toBe(200);
    const batchId = await rig.send(["70000001"]);
    await rig.clock.advance(500);
    expect(rig.posts).toEqual([]);
    await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  });
});

describe("a status of nobody known yet", () => {
  test("waits for the answer to its post, and counts then", async () => {
    await rig.stop();
    let early: Promise<Response> | null = null;
    rig = await whatsappRig({ fate: () => fated([]) });
    const wamid = `wamid.${Buffer.from("1:42:22670000001:1").toString("base64")}`;
    early = call(statuses({ id: wamid, status: "delivered" }, { id: wamid, status: "sent" }));
    expect((await early).status).toBe(200);
    expect((await call(statuses({ id: wamid, status: "sent" }))).status).toBe(200);
    expect(rig.rows("whatsapp_unmatched_statuses")).toHaveLength(2);
    const batchId = await rig.send(["70000001"]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.rows("whatsapp_unmatched_statuses")).toEqual([]);
  });

  test("is forgotten after 72 hours", async () => {
    expect((await call(statuses({ id: "wamid.x", status: "sent" }))).status).toBe(200);
    await rig.clock.advance(72 * 3_600_000);
    await rig.closeSilent();
    expect(rig.rows("whatsapp_unmatched_statuses")).toHaveLength(1);
    await rig.clock.advance(1000);
    await rig.closeSilent();
    expect(rig.rows("whatsapp_unmatched_statuses")).toEqual([]);
  });

  test("that names another's message by its opaque data is not taken for it", async () => {
    const { batchId, opaque } = await posted();
    const [ulid] = opaque.split(".");
    const wrong = [`${ulid}.2`, `${ulid}`, "01J0000000000000000000000A.1"];
    expect(
      (
        await call(
          statuses(
            ...wrong.map((one, at) => ({ id: `w${at}`, status: "failed", biz_opaque_callback_data: one })),
          ),
        )
      ).status,
    ).toBe(200);
    expect(rig.statuses(batchId)).toEqual(["SENT"]);
    expect(rig.rows("whatsapp_unmatched_statuses")).toHaveLength(3);
  });

  test("that says it was read is told to whoever asks for the message, and moves nothing in the feed", async () => {
    const { wamid } = await posted();
    const [{ account_id }] = rig.rows("messages") as [{ account_id: number }];
    const seen = () => {
      const [row] = rig.rows("messages") as [{ ulid: string }];
      const found = findMessage(rig.store.read, account_id, row.ulid)!;
      const { status, read_at, status_changed_at } = messageObject(found);
      return { status, read_at, status_changed_at };
    };
    expect((await call(statuses({ id: wamid, status: "delivered" }))).status).toBe(200);
    const before = seen();
    expect(before).toMatchObject({ status: "DELIVERED", read_at: null });
    for (const timestamp of ["1772442000", "1772442999"])
      await call(statuses({ id: wamid, status: "read", timestamp }));
    expect(seen()).toEqual({ ...before, read_at: "2026-03-02T09:00:00.000Z" });
    // It goes with the message.
    const ids = JSON.stringify(rig.rows("messages").map(({ id }) => id));
    await rig.store.write((tx) => deleteReads(tx, ids));
    expect(seen()).toEqual(before);
  });

  test.each(["99999999999999", "9007199254740991", "1772442000000", "-62167219200", "0"])(
    "of a reading at %s, which is no time, leaves the message readable: it counts as read now",
    async (timestamp) => {
      const { wamid } = await posted();
      expect((await call(statuses({ id: wamid, status: "read", timestamp }))).status).toBe(200);
      const { ulid } = rig.store.read.get<{ ulid: string }>("SELECT ulid FROM messages") ?? { ulid: "" };
      const found = findMessage(rig.store.read, await rig.account(), ulid);
      if (!found) throw new Error("no message");
      expect(messageObject(found)).toMatchObject({
        status: "DELIVERED",
        read_at: new Date(rig.clock.nowMs()).toISOString(),
      });
    },
  );

  test("that says a failed message was read moves nothing, and is not told", async () => {
    const { batchId, wamid } = await posted();
    await call(statuses({ id: wamid, status: "failed", errors: [{ code: 131026 }] }));
    await call(statuses({ id: wamid, status: "read", timestamp: "1772442000" }));
    expect(rig.statuses(batchId)).toEqual(["FAILED"]);
    expect(rig.rows("message_reads")).toEqual([]);
  });

  test("without the opaque data is known by Meta's id", async () => {
    const { batchId, wamid } = await posted();
    expect((await call(statuses({ id: wamid, status: "read" }))).status).toBe(200);
    expect(rig.statuses(batchId)).toEqual(["DELIVERED"]);
  });
});
