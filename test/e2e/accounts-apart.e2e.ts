import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, feedFrom, type Json } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const LONG_AGO = "2026-01-01T00:00:00Z";
const MISSING = "01KJQX5Y8M3T7V9B2C4D6F8G0H";

let bendre: Appliance;
let first: Tenant;
let second: Tenant;
let batches: { first: unknown; second: unknown };

beforeAll(async () => {
  bendre = await appliance({ operators: { orange: BRISK }, settings: NO_RATE_LIMIT });
  first = await bendre.tenant("Première", { money: 1000 });
  second = await bendre.tenant("Seconde", { money: 2000 });
  bendre.admin("sender", "request", second.accountId, "SECONDE");
  // The same idempotency key, the same text, the same number: nothing of it is shared.
  const batch = {
    sender: "ACME",
    body: "Bonjour",
    message_class: "TRANSACTIONAL",
    recipients: [{ msisdn: "74300001" }],
  };
  const ofFirst = await first.api.post("the-same-key", batch);
  const ofSecond = await second.api.post("the-same-key", {
    ...batch,
    recipients: [...batch.recipients, { msisdn: "74300002" }],
  });
  expect([ofFirst.status, ofSecond.status]).toEqual([202, 202]);
  batches = { first: ofFirst.data.batch_id, second: ofSecond.data.batch_id };
  await first.api.ended(batches.first);
  await second.api.ended(batches.second);
});
afterAll(() => bendre?.close());

describe("two accounts", () => {
  // Keeps: public-api 4.1.3
  test("use the same idempotency key for batches of their own", async () => {
    expect(batches.first).not.toBe(batches.second);
    expect((await second.api.get(`/batches/${String(batches.second)}`)).data).toMatchObject({ accepted: 2 });
  });

  // Keeps: public-api 4.2.4, 5.14, 7.21, 7.27
  test("can't tell a batch or a message of the other from one that does not exist", async () => {
    const [message] = await feedFrom(first.api, LONG_AGO);
    for (const [others, nobodys] of [
      [`/batches/${String(batches.first)}`, `/batches/${MISSING}`],
      [`/messages/${String(message?.message_id)}`, `/messages/${MISSING}`],
      [
        `/messages?status_changed_since=${LONG_AGO}&batch_id=${String(batches.first)}`,
        `/messages?status_changed_since=${LONG_AGO}&batch_id=${MISSING}`,
      ],
    ]) {
      expect((await first.api.get(String(others))).status).toBe(200);
      const [other, missing] = await Promise.all([plain(second.api, others), plain(second.api, nobodys)]);
      expect(other).toEqual(missing);
      expect(JSON.parse(other.text)).toMatchObject({ status: 404, code: "NOT_FOUND", request_id: "same" });
    }
  });

  // Keeps: public-api 2.4.2
  test("follow feeds that hold their own messages only", async () => {
    const ofFirst = await feedFrom(first.api, LONG_AGO);
    const ofSecond = await feedFrom(second.api, LONG_AGO);
    const seen = (messages: Json[]) => messages.map(({ batch_id, msisdn }) => [batch_id, msisdn]).sort();
    expect(seen(ofFirst)).toEqual([[batches.first, "+22674300001"]]);
    expect(seen(ofSecond)).toEqual([
      [batches.second, "+22674300001"],
      [batches.second, "+22674300002"],
    ]);
  });

  // Keeps: public-api 2.5.1, 2.6.1, 2.6.2, 2.6.4, 4.5.2, 4.6.2
  test("have wallets and senders of their own", async () => {
    expect((await first.api.get("/account/balance")).data).toMatchObject({ balance: 985, spendable: 985 });
    expect((await second.api.get("/account/balance")).data).toMatchObject({ balance: 1970, spendable: 1970 });
    const senders = async (api: Api) =>
      ((await api.get("/sender-ids")).data.sender_ids as Json[]).map(({ sender, status, is_sendable }) => [
        sender,
        status,
        is_sendable,
      ]);
    expect(await senders(first.api)).toEqual([["ACME", "APPROVED", true]]);
    expect(await senders(second.api)).toEqual([
      ["ACME", "APPROVED", true],
      ["SECONDE", "REQUESTED", false],
    ]);
    const borrowed = await first.api.post("borrowed", {
      sender: "SECONDE",
      body: "x",
      message_class: "OTP",
      recipients: [{ msisdn: "74300003" }],
    });
    expect(borrowed.body).toMatchObject({ status: 422, code: "SENDER_NOT_APPROVED" });
  });
});

/** An answer with what always differs taken out: the request's id is given, the clock and the allowance left away. */
async function plain(api: Api, path: string | undefined) {
  const { status, headers, text } = await api.ask(String(path), { headers: { "x-request-id": "same" } });
  const kept = [...headers].filter(([name]) => name !== "date" && !name.startsWith("x-ratelimit-"));
  return { status, headers: kept, text };
}
