import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { purgeOldReplies } from "../../../src/domain/submission/idempotency.ts";
import { type HttpFixture, httpFixture, submission, submitTo, type Tenant, verdict } from "./fixture.ts";

/** As decided, not as configured: the promise is the figure. */
const SEVEN_DAYS_MS = 7 * 86_400_000;

let fixture: HttpFixture;
let tenant: Tenant;
/** Lets a submission wait until the test opens the gate. */
let hold: Promise<void> | null = null;
let failNext: Error | null = null;

beforeAll(async () => {
  fixture = await httpFixture({
    beforeWrite: async () => {
      if (hold !== null) await hold;
      const failure = failNext;
      failNext = null;
      if (failure) throw failure;
    },
  });
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

const batches = () => fixture.store.read.get<{ n: number }>("SELECT count(*) AS n FROM batches")?.n;

describe("the header Idempotency-Key", () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${fixture.http.url}/public/v1/batches`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "application/json", ...headers },
      body: JSON.stringify(submission()),
    });

  // Keeps: behaviour 3.21
  test("is required", async () => {
    expect(await verdict(await post({}))).toBe("422 IDEMPOTENCY_KEY_REQUIRED");
  });

  // Keeps: behaviour 3.21
  test("must not be empty or longer than 255 characters", async () => {
    expect(await verdict(await post({ "idempotency-key": "" }))).toBe("422 VALIDATION_FAILED");
    expect(await verdict(await post({ "idempotency-key": "k".repeat(256) }))).toBe("422 VALIDATION_FAILED");
    expect((await post({ "idempotency-key": "k".repeat(255) })).status).toBe(202);
  });

  test("is judged before the shape of the body", async () => {
    const response = await fetch(`${fixture.http.url}/public/v1/batches`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
      body: "[]",
    });
    expect(await verdict(response)).toBe("422 IDEMPOTENCY_KEY_REQUIRED");
  });
});

describe("the same key", () => {
  // Keeps: behaviour 3.45
  // Keeps: public-api 4.1.6
  test("with the same body replays the first answer byte for byte, and makes no second batch", async () => {
    const first = await submitTo(fixture, tenant, "same");
    expect(first.headers.has("idempotency-replayed")).toBe(false);
    const before = batches();
    await fixture.clock.advance(60_000);
    const second = await submitTo(fixture, tenant, "same");
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
    expect(await second.text()).toBe(await first.text());
    expect(batches()).toBe(before);
  });

  // Keeps: behaviour 3.41
  test.each([
    [
      '{"recipients":[{"attributes":{"b":1,"a":"é"},"msisdn":"70123456"}],"body":"x","sender":"ACME","message_class":"OTP"}',
    ],
    [
      ' {"sender" : "ACME", "body":"\\u0078", "message_class":"OTP",\n"recipients":[{"msisdn":"70123456","attributes":{"a":"\\u00e9","b":1.0}}]}',
    ],
    [
      '{"sender":"ACME","body":"x","message_class":"OTP","recipients":[{"msisdn":"70123456","attributes":{"a":"é","b":10e-1}}]}',
    ],
  ])("with an equal JSON value is a replay, however it is written (%#)", async (text) => {
    const plain = {
      sender: "ACME",
      body: "x",
      message_class: "OTP",
      recipients: [{ msisdn: "70123456", attributes: { a: "é", b: 1 } }],
    };
    await submitTo(fixture, tenant, "equal", plain);
    expect((await submitTo(fixture, tenant, "equal", text)).headers.get("idempotency-replayed")).toBe("true");
  });

  // Keeps: behaviour 3.22
  test.each([
    [submission({ body: "bonjour" })],
    [submission({ is_test: false })],
    [submission({ recipients: [{ msisdn: "70123456" }, { msisdn: "70123457" }] })],
    [{}],
    [[]],
  ])("with another body is refused, whatever that body is worth (%#)", async (body) => {
    await submitTo(fixture, tenant, "other");
    expect(await verdict(await submitTo(fixture, tenant, "other", body))).toBe("409 IDEMPOTENCY_KEY_REUSED");
  });

  // Keeps: behaviour 3.40
  // Keeps: public-api 4.1.3
  test("of another API key has nothing to do with it", async () => {
    await submitTo(fixture, tenant, "mine");
    const second = await fixture.key(tenant.accountId, ["MESSAGES_SEND"]);
    const response = await submitTo(fixture, second, "mine", submission({ body: "other" }));
    expect([response.status, response.headers.has("idempotency-replayed")]).toEqual([202, false]);
  });

  // Keeps: behaviour 3.46, 3.49
  test("while the first request is in flight is told to come back in a second", async () => {
    let open = () => {};
    hold = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = submitTo(fixture, tenant, "flight");
    let second: Response;
    do {
      // The first of the two to arrive is held; the other one is answered.
      second = await Promise.race([first, submitTo(fixture, tenant, "flight")]);
    } while (second.status === 202);
    expect(second.headers.get("retry-after")).toBe("1");
    expect(await verdict(second)).toBe("409 REQUEST_IN_PROGRESS");
    hold = null;
    open();
    expect((await first).status).toBe(202);
    expect((await submitTo(fixture, tenant, "flight")).headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("an error releases the key", () => {
  // Keeps: behaviour 3.44
  test("so that the same request may succeed later", async () => {
    await fixture.store.write((tx) =>
      tx.run("UPDATE wallets SET funds = 0 WHERE account_id = ?", tenant.accountId),
    );
    const request = submission({ body: "After the top-up" });
    expect(await verdict(await submitTo(fixture, tenant, "topup", request))).toBe("402 INSUFFICIENT_FUNDS");
    await fixture.store.write((tx) =>
      tx.run("UPDATE wallets SET funds = 1000000 WHERE account_id = ?", tenant.accountId),
    );
    expect((await submitTo(fixture, tenant, "topup", request)).status).toBe(202);
  });

  // Keeps: behaviour 3.44
  test("so that a mended body may follow", async () => {
    expect(await verdict(await submitTo(fixture, tenant, "mend", {}))).toBe("422 VALIDATION_FAILED");
    expect((await submitTo(fixture, tenant, "mend")).status).toBe(202);
  });

  // Keeps: behaviour 3.37, 3.44
  test("also when it was unexpected, of which the client is told nothing but the request id", async () => {
    failNext = new Error("disk on fire at /secret/place");
    const response = await submitTo(fixture, tenant, "crash");
    const text = await response.text();
    expect([response.status, text.includes("INTERNAL_ERROR"), text.includes("fire")]).toEqual([
      500,
      true,
      false,
    ]);
    const line = fixture.lines.find(({ message }) => message === "request failed");
    expect(line).toMatchObject({
      level: "error",
      request_id: response.headers.get("x-request-id"),
      error: "Error: disk on fire at /secret/place",
    });
    expect((await submitTo(fixture, tenant, "crash")).status).toBe(202);
  });

  // Keeps: behaviour 3.42
  test("and leaves no record", async () => {
    await submitTo(fixture, tenant, "no-record", {});
    const row = fixture.store.read.get(
      "SELECT 1 FROM idempotency_records WHERE idempotency_key = 'no-record'",
    );
    expect(row).toBeNull();
  });
});

test("an answer that an earlier version wrote is replayed as it is", async () => {
  await submitTo(fixture, tenant, "older");
  const text = '{ "data": {"batch_id":"01", "of":"an earlier version"} }';
  await fixture.store.write((tx) =>
    tx.run(
      `UPDATE idempotency_records SET response = ?, rejections_of = NULL, rejections_from = NULL
       WHERE idempotency_key = 'older'`,
      text,
    ),
  );
  const again = await submitTo(fixture, tenant, "older");
  expect([again.status, again.headers.get("idempotency-replayed"), await again.text()]).toEqual([
    202,
    "true",
    text,
  ]);
});

// Keeps: behaviour 3.47
test("an answer is remembered by the transaction that accepts the batch, or not at all", async () => {
  const stored = () =>
    fixture.store.read.get<{ response: string }>(
      "SELECT response FROM idempotency_records WHERE idempotency_key = 'durable'",
    );
  // Nobody is rejected: a list of those is kept elsewhere.
  const response = await submitTo(fixture, tenant, "durable", submission({ body: "A text of its own" }));
  expect(stored()?.response).toBe(await response.text());
});

// Keeps: behaviour 3.43
test("remembered answers are forgotten after seven days, so many at a time", async () => {
  const nowMs = fixture.clock.nowMs();
  await fixture.store.write((tx) => {
    tx.run("DELETE FROM idempotency_records");
    const add = (key: string, atMs: number) =>
      tx.run("INSERT INTO idempotency_records VALUES (NULL, 1, ?, x'00', 202, '', ?, NULL, NULL)", key, atMs);
    // Dated by a clock that ran ahead.
    for (let index = 0; index < 1001; index++) add(`ahead-${index}`, nowMs + 1);
    for (let index = 0; index < 1001; index++) add(`old-${index}`, nowMs - SEVEN_DAYS_MS - 1);
    add("young", nowMs - SEVEN_DAYS_MS);
  });
  const purge = () => fixture.store.write((tx) => purgeOldReplies(tx, nowMs, 1000));
  expect([await purge(), await purge(), await purge()]).toEqual([1000, 1, 0]);
  const left = "SELECT idempotency_key FROM idempotency_records WHERE idempotency_key NOT LIKE 'ahead-%'";
  expect(fixture.store.read.all(left)).toEqual([{ idempotency_key: "young" }]);
});

test("a refusal of the submission is told as it is", async () => {
  const response = await submitTo(fixture, tenant, "refusal", submission({ sender: "NOBODY" }));
  expect(await verdict(response)).toBe("422 SENDER_NOT_APPROVED");
});
