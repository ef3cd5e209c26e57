import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isUlid } from "../../src/core/ids.ts";
import { setPrice } from "../../src/domain/accounts/prices.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "../ingress/api/fixture.ts";
import { ask, EACH_ENDPOINT, type Sample, sampleOf } from "./endpoints.ts";

const SINCE = "2026-03-02T08:00:00Z";
const MISSING = "01KJQX5Y8M3T7V9B2C4D6F8G0H";

let fixture: HttpFixture;
let tenant: Tenant;
let sample: Sample;
beforeAll(async () => {
  fixture = await httpFixture({ api: { max_lookback_hours: 2 } });
  tenant = await fixture.tenant();
  sample = await sampleOf(fixture, tenant);
});
afterAll(() => fixture.close());

async function data<T = Record<string, unknown>>(path: string, who = tenant): Promise<T> {
  const response = await getFrom(fixture, who, path);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

const numbers = (count: number, first = 70_000_000) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: String(first + index) }));

describe("the account", () => {
  // Keeps: behaviour 7.30, 7.31
  test("tells what is in force for it, and nothing of its credit", async () => {
    const other = await fixture.tenant();
    const { prices, ...account } = await data<{ prices: object[] }>("/account", other);
    expect(account).toEqual({
      account_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: expect.any(String),
      billing_mode: "PREPAID",
      currency: "XOF",
      timezone: "Africa/Ouagadougou",
      classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
      marketing_hours: "08:00-20:00",
      marketing_per_day: 2,
      marketing_per_week: 6,
      recipients_per_minute: expect.any(Number),
      recipients_per_day: 1_000_000,
      text_policy: "as_is",
      missing_attributes: "empty",
      is_sandbox: false,
    });
    expect(prices).toContainEqual({
      operator: "orange",
      message_class: null,
      amount: expect.any(Number),
      source: "operator",
    });
    await fixture.store.write((tx) =>
      setPrice(
        tx,
        other.accountId,
        { operator: "orange", messageClass: "OTP", amount: 9 },
        fixture.clock.nowMs(),
      ),
    );
    const changed = await data<{ prices: object[] }>("/account", other);
    expect(changed.prices[0]).toEqual({
      operator: "orange",
      message_class: "OTP",
      amount: 9,
      source: "account",
    });
    expect((await data<{ prices: object[] }>("/account")).prices).toEqual(prices);
  });
});

describe("every endpoint", () => {
  // Keeps: public-api 0.1, 0.2, 0.3, 9.1
  test.each(EACH_ENDPOINT)("answers JSON below /public/v1, under data alone: %s", async (_name, endpoint) => {
    const headers = { "x-api-key": tenant.apiKey };
    const response = await ask(fixture, endpoint, sample, headers, "/public/v1");
    expect([response.ok, response.headers.get("content-type")]).toEqual([true, "application/json"]);
    expect(Object.keys((await response.json()) as object)).toEqual(["data"]);
    for (const name of ["limit", "remaining", "reset"])
      expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    for (const base of ["", "/v1", "/public"])
      expect((await ask(fixture, endpoint, sample, headers, base)).status).toBe(404);
  });

  // Keeps: public-api 9.1, 9.3, 7.22
  test.each(EACH_ENDPOINT)("answers 400 to another version, key or no key: %s", async (_name, endpoint) => {
    for (const base of ["/public/v2", "/public/v0", "/public/v11"]) {
      for (const headers of [{ "x-api-key": tenant.apiKey }, {}] as Record<string, string>[]) {
        const response = await ask(fixture, endpoint, sample, headers, base);
        expect(await verdict(response)).toBe("400 UNSUPPORTED_VERSION");
      }
    }
  });
});

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: unknown;
  readonly additionalProperties?: unknown;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses?: unknown }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The schemas that answers of the API are made of, those inside others included. */
function answerSchemas({ paths, components }: Document): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  const collect = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = components.schemas[name];
      if (found.has(name) || !schema) continue;
      found.set(name, schema);
      collect(schema);
    }
  };
  for (const [path, methods] of Object.entries(paths))
    if (!path.startsWith("/health"))
      for (const operation of Object.values(methods)) collect(operation.responses);
  return found;
}

// Keeps: public-api 9.2
test("the document closes no answer to new fields, and no status, reason or event to new values", async () => {
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as Document;
  const answers = answerSchemas(document);
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(["BatchAccepted", "Rejection", "Batch", "Message", "SenderIdentity", "Problem"]),
  );
  const closed = [...answers].flatMap(([name, { additionalProperties, properties = {} }]) => [
    ...(additionalProperties === undefined ? [] : [name]),
    ...["status", "reason_code", "events"]
      .filter((field) => JSON.stringify(properties[field] ?? null).includes('"enum"'))
      .map((field) => `${name}.${field}`),
  ]);
  expect(closed).toEqual([]);
});

describe("a fetched batch", () => {
  // Keeps: public-api 4.2.3, 2.2.13, 2.2.17, 2.2.14, 1.8
  test("has the fetch form", async () => {
    const recipients = [...numbers(3), { msisdn: "x" }];
    const body = submission({ body: "Fetched", recipients, message_class: "OTP" });
    const answer = await submitTo(fixture, tenant, "fetched", body);
    const { data: submitted } = (await answer.json()) as { data: { batch_id: string } };
    const batch = await data(`/batches/${submitted.batch_id}`);
    expect(batch).toMatchObject({
      batch_id: submitted.batch_id,
      status: "QUEUED",
      accepted: 3,
      rejected: 1,
      rejections: [{ index: 3, msisdn: null, reason_code: "INVALID_MSISDN" }],
      sender: "ACME",
      channel: "SMS",
      message_class: "OTP",
      scheduled_at: null,
      created_at: "2026-03-02T09:00:00+00:00",
    });
    expect(batch.counts).toEqual({
      total: 3,
      queued: 3,
      submitted: 0,
      sent: 0,
      delivered: 0,
      failed: 0,
      cancelled: 0,
    });
  });

  // Keeps: public-api 4.2.2
  test.each([
    [MISSING.slice(1)],
    [`${MISSING}0`],
    ["1"],
    [MISSING.toLowerCase()],
    [`${"I".repeat(26)}`],
    ["8".repeat(26)],
  ])("is not to be had by %s", async (id) => {
    expect(await verdict(await getFrom(fixture, tenant, `/batches/${id}`))).toBe("404 NOT_FOUND");
  });
});

describe("a message", () => {
  // Keeps: public-api 2.4.1, 2.4.2, 2.4.3, 4.3.3
  test("is the same alone and in the feed, under an id of 26 characters", async () => {
    expect(isUlid(sample.messageId)).toBe(true);
    const alone = await data(`/messages/${sample.messageId}`);
    expect(alone.message_id).toBe(sample.messageId);
    const feed = await data<{ messages: object[] }>(
      `/messages?status_changed_since=${SINCE}&batch_id=${sample.batchId}`,
    );
    expect(feed.messages).toEqual([alone]);
  });

  // Keeps: public-api 4.3.2
  test.each([[MISSING], [MISSING.slice(1)], [`${MISSING}0`], ["x"]])("is not to be had by %s", async (id) => {
    expect(await verdict(await getFrom(fixture, tenant, `/messages/${id}`))).toBe("404 NOT_FOUND");
  });
});

type Page = {
  readonly messages: readonly {
    message_id: string;
    batch_id: string;
    msisdn: string;
    status_changed_at: string;
  }[];
  readonly next_status_changed_since: string;
  readonly has_more: boolean;
};

describe("the feed", () => {
  let client: Tenant;
  let batchIds: string[];
  const page = (query: string) => data<Page>(`/messages?${query}`, client);

  beforeAll(async () => {
    client = await fixture.tenant();
    batchIds = [];
    for (const count of [400, 160]) {
      const body = submission({ body: `Feed ${count}`, recipients: numbers(count) });
      const answer = await submitTo(fixture, client, `feed-${count}`, body);
      batchIds.push(((await answer.json()) as { data: { batch_id: string } }).data.batch_id);
    }
  });

  // Keeps: public-api 4.4.2
  test("begins at the given moment itself, oldest first", async () => {
    const { messages } = await page(`status_changed_since=${SINCE}&limit=500`);
    const stamps = messages.map((message) => message.status_changed_at);
    expect(stamps).toEqual([...stamps].sort());
    expect(new Set(stamps).size).toBe(500);
    const from = await page(`status_changed_since=${stamps[300]}`);
    expect(from.messages[0]).toEqual(messages[300]!);
    const after = `${stamps[300]?.slice(0, -7)}${String(Number(stamps[300]?.slice(-7, -1)) + 1).padStart(6, "0")}Z`;
    expect((await page(`status_changed_since=${after}`)).messages[0]).toEqual(messages[301]!);
  });

  // Keeps: public-api 4.4.3, 4.4.8, 1.9
  test("is recovered whole by following next_status_changed_since until has_more is false", async () => {
    const seen: string[] = [];
    let cursor = SINCE;
    for (let more = true; more; ) {
      const next = await page(`status_changed_since=${cursor}&limit=100`);
      expect(Object.keys(next).sort()).toEqual([
        "has_more",
        "is_sandbox",
        "messages",
        "next_status_changed_since",
      ]);
      expect(typeof next.has_more).toBe("boolean");
      seen.push(...next.messages.map((message) => message.message_id));
      cursor = next.next_status_changed_since;
      more = next.has_more;
    }
    expect([seen.length, new Set(seen).size]).toEqual([560, 560]);
  });

  // Keeps: public-api 4.4.8
  test("has more only when there is more, also where a page ends with the last message", async () => {
    const more = async (limit: number) =>
      (await page(`status_changed_since=${SINCE}&batch_id=${batchIds[1]}&limit=${limit}`)).has_more;
    expect([await more(159), await more(160), await more(161)]).toEqual([true, false, false]);
  });

  // Keeps: public-api 4.4.6, 8.11
  test("has pages of 100 unless asked for 1 to 500", async () => {
    const sizes = async (query: string) =>
      (await page(`status_changed_since=${SINCE}${query}`)).messages.length;
    expect([await sizes(""), await sizes("&limit=1"), await sizes("&limit=500")]).toEqual([100, 1, 500]);
    for (const limit of ["0", "501", "-1", "1.5", "ten", ""]) {
      const response = await getFrom(
        fixture,
        client,
        `/messages?status_changed_since=${SINCE}&limit=${limit}`,
      );
      expect([limit, await verdict(response)]).toEqual([limit, "422 VALIDATION_FAILED"]);
    }
  });

  // Keeps: public-api 4.4.7
  test("is restricted to a batch when one is named", async () => {
    const { messages } = await page(`status_changed_since=${SINCE}&limit=500&batch_id=${batchIds[1]}`);
    expect([messages.length, new Set(messages.map((message) => message.batch_id)).size]).toEqual([160, 1]);
    expect(messages[0]?.batch_id).toBe(batchIds[1] ?? "");
  });

  // Keeps: public-api 4.4.4
  test("requires a moment, written as ISO 8601", async () => {
    for (const query of ["", "?status_changed_since=", "?status_changed_since=now", "?limit=5"])
      expect(await verdict(await getFrom(fixture, client, `/messages${query}`))).toBe(
        "422 VALIDATION_FAILED",
      );
    for (const moment of [
      "2026-03-02T08:30:00Z",
      "2026-03-02T08:30Z",
      "2026-03-02T08:30:00.123456Z",
      "2026-03-02T09:30:00%2B01:00",
      "2026-03-02T09:30:00+01:00",
      "2026-03-02T09:30:00%2B01",
    ])
      expect((await page(`status_changed_since=${moment}&limit=1`)).messages.length).toBe(1);
  });

  // Keeps: public-api 4.4.5
  test.each([
    ["2026-03-02T06:59:59Z"],
    ["2020-01-01T00:00:00Z"],
    ["0001-01-01T00:00:00Z"],
    ["1969-12-31T23:59:59Z"],
  ])("clamps %s to the lookback", async (moment) => {
    const stranger = await fixture.tenant();
    const empty = await data<Page>(`/messages?status_changed_since=${moment}`, stranger);
    expect(empty.next_status_changed_since).toBe("2026-03-02T07:00:00.000000Z");
  });

  // Keeps: public-api 4.4.2, 4.4.4
  test.each([["2026-03-02T09:00:01Z"], ["2300-01-01T00:00:00Z"], ["9999-12-31T23:59:59.999999Z"]])(
    "has nothing yet from %s on",
    async (moment) => {
      expect(await page(`status_changed_since=${moment}`)).toMatchObject({ messages: [], has_more: false });
    },
  );
});

describe("the balance", () => {
  // Keeps: public-api 4.5.2, 2.5.1
  test("is told without parameters, in whole francs", async () => {
    const client = await fixture.tenant();
    await submitTo(fixture, client, "balance", submission({ body: "Balance" }));
    const balance = await data("/account/balance", client);
    expect(balance).toMatchObject({ balance: 1_000_000, spendable: 999_985, currency: "XOF" });
    for (const name of ["balance", "spendable", "reserved", "credit_limit"])
      expect(Number.isInteger(balance[name])).toBe(true);
  });

  // Keeps: public-api 2.5.3
  test("of a postpaid account has the credit limit beneath it as headroom", async () => {
    const client = await fixture.tenant();
    await fixture.store.write((tx) => {
      tx.run(
        "UPDATE accounts SET billing_mode = 'POSTPAID', credit_limit = 500 WHERE id = ?",
        client.accountId,
      );
      tx.run("UPDATE wallets SET funds = -200 WHERE account_id = ?", client.accountId);
    });
    expect(await data("/account/balance", client)).toMatchObject({ balance: -200, spendable: 300 });
    await submitTo(fixture, client, "postpaid", submission({ body: "Postpaid" }));
    expect(await data("/account/balance", client)).toMatchObject({ balance: -200, spendable: 285 });
  });
});

describe("the senders", () => {
  // Keeps: public-api 4.6.2, 2.6.1, 2.6.2, 2.6.4
  test("are all that the account has requested, each with its status and whether it is sendable", async () => {
    const client = await fixture.tenant();
    await fixture.store.write((tx) => {
      const add = (name: string, status: string, operator: string | null) => {
        const id = tx.insert(
          "INSERT INTO senders (account_id, name, status, created_at) VALUES (?, ?, ?, 0)",
          client.accountId,
          name,
          status,
        );
        if (operator !== null)
          tx.run(
            "INSERT INTO sender_registrations (sender_id, operator, created_at) VALUES (?, ?, 0)",
            id,
            operator,
          );
      };
      add("ASKED", "REQUESTED", null);
      add("REFUSED", "REJECTED", "orange");
      add("APPROVED", "APPROVED", null);
      add("READY", "APPROVED", "orange");
    });
    const { sender_ids } = await data<{ sender_ids: Record<string, unknown>[] }>("/sender-ids", client);
    expect(sender_ids.map(({ sender, status, is_sendable }) => [sender, status, is_sendable])).toEqual([
      ["ACME", "APPROVED", true],
      ["ASKED", "REQUESTED", false],
      ["REFUSED", "REJECTED", false],
      ["APPROVED", "APPROVED", false],
      ["READY", "APPROVED", true],
    ]);
  });
});
