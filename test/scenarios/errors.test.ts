import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURES, type FailureCode } from "../../src/ingress/http/error-codes.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "../ingress/api/fixture.ts";
import { ask, EACH_ENDPOINT, ENDPOINTS, type Sample, sampleOf } from "./endpoints.ts";

let fixture: HttpFixture;
let tenant: Tenant;
let sample: Sample;
let before: (() => Promise<unknown>) | null = null;
beforeAll(async () => {
  fixture = await httpFixture({
    beforeWrite: () => before?.(),
  });
  tenant = await fixture.tenant();
  sample = await sampleOf(fixture, tenant);
});
afterAll(() => fixture.close());

let keys = 0;
const nextKey = () => `error-${++keys}`;
const submitted = async (changes: Record<string, unknown>, who = tenant) =>
  submitTo(fixture, who, nextKey(), submission(changes));

/** Sets the wallet of an account as top-ups and charges would have left it. */
const wallet = (accountId: number, funds: number) =>
  fixture.store.write((tx) => tx.run("UPDATE wallets SET funds = ? WHERE account_id = ?", funds, accountId));

const postpaid = (accountId: number, creditLimit: number) =>
  fixture.store.write((tx) =>
    tx.run(
      "UPDATE accounts SET billing_mode = 'POSTPAID', credit_limit = ? WHERE id = ?",
      creditLimit,
      accountId,
    ),
  );

/** Posts a submission with exactly these headers beside the key. */
const post = (headers: Record<string, string>, method = "POST") =>
  fetch(`${fixture.http.url}/public/v1/batches`, {
    method,
    headers: { "x-api-key": tenant.apiKey, ...headers },
    body: JSON.stringify(submission()),
  });
const JSON_TYPE = { "content-type": "application/json" };

describe("VALIDATION_FAILED", () => {
  // Keeps: public-api 7.3
  test.each([
    ["sender", undefined],
    ["body", undefined],
    ["message_class", undefined],
    ["recipients", undefined],
    ["recipients", [{}]],
    ["sender", 1],
    ["channel", "EMAIL"],
    ["is_test", "yes"],
    ["scheduled_at", 1],
    ["schedule_at", "2026-03-03T09:00:00Z"],
  ])("tells of a missing or invalid %s", async (name, value) => {
    const response = await submitted({ [name]: value });
    const problem = await problemOf(response);
    expect([problem.status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(problem.errors?.[0]?.path).toMatch(new RegExp(`^/${name}`));
  });

  // Keeps: public-api 7.3
  test.each([["/messages"], ["/messages?status_changed_since=x"], ["/messages?limit=501"]])(
    "tells of a missing or invalid parameter in %s",
    async (path) => {
      expect(await verdict(await getFrom(fixture, tenant, path))).toBe("422 VALIDATION_FAILED");
    },
  );

  // Keeps: public-api 7.4, 4.1.10
  test("tells of an idempotency key of a bad length", async () => {
    for (const key of ["", "k".repeat(256)]) {
      expect(await verdict(await post({ ...JSON_TYPE, "idempotency-key": key }))).toBe(
        "422 VALIDATION_FAILED",
      );
    }
  });

  // Keeps: public-api 7.6
  test.each(ENDPOINTS.map(({ path, target }) => [path, target] as const))(
    "tells of an unsupported method at %s",
    async (_path, target) => {
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const url = `${fixture.http.url}/public/v1${target(sample)}`;
        const response = await fetch(url, { method, headers: { "x-api-key": tenant.apiKey } });
        expect(await verdict(response)).toBe("422 VALIDATION_FAILED");
      }
    },
  );

  // Keeps: public-api 7.6, 0.2
  test.each([["text/plain"], ["application/xml"], ["multipart/form-data; boundary=x"]])(
    "tells of the unsupported content type %s",
    async (type) => {
      const response = await post({ "content-type": type, "idempotency-key": nextKey() });
      expect(await verdict(response)).toBe("422 VALIDATION_FAILED");
    },
  );
});

describe("a submission is answered", () => {
  // Keeps: public-api 7.7, 4.1.9
  test("422 IDEMPOTENCY_KEY_REQUIRED without Idempotency-Key", async () => {
    expect(await verdict(await post(JSON_TYPE))).toBe("422 IDEMPOTENCY_KEY_REQUIRED");
  });

  // Keeps: public-api 7.8
  test("422 BATCH_EMPTY without recipients", async () => {
    expect(await verdict(await submitted({ recipients: [] }))).toBe("422 BATCH_EMPTY");
  });

  // Keeps: public-api 7.9, 2.1.3
  test.each([[""], [" \t\r\n"], ["\u00a0\u2003"]])("422 BATCH_BODY_EMPTY for the body %j", async (body) => {
    expect(await verdict(await submitted({ body }))).toBe("422 BATCH_BODY_EMPTY");
  });

  // Keeps: public-api 7.10, 2.1.17
  test.each([["2026-03-02T08:59:59Z"], ["2026-03-02T09:00:00Z"], ["2026-03-02T09:30:00+01:00"]])(
    "422 SCHEDULE_INVALID for the past time %s",
    async (scheduled_at) => {
      expect(await verdict(await submitted({ scheduled_at }))).toBe("422 SCHEDULE_INVALID");
    },
  );

  // Keeps: public-api 7.3, 2.1.17
  test("422 VALIDATION_FAILED for a scheduled time that is none, with its place", async () => {
    const response = await submitted({ scheduled_at: "tomorrow" });
    const { code, errors } = await problemOf(response);
    expect([code, errors?.map(({ path }) => path)]).toEqual(["VALIDATION_FAILED", ["/scheduled_at"]]);
  });

  // Keeps: public-api 7.11
  test.each([["Mars/Olympus"], ["+01:00"], [""], ["x".repeat(64)]])(
    "422 SCHEDULE_INVALID for the timezone %j",
    async (timezone) => {
      const scheduled_at = "2026-03-03T09:00:00";
      expect(await verdict(await submitted({ scheduled_at, timezone }))).toBe("422 SCHEDULE_INVALID");
    },
  );

  // Keeps: public-api 7.12, 2.1.2
  test("422 SENDER_NOT_APPROVED for a sender that is unknown, requested, rejected, misspelt or another's", async () => {
    const stranger = await fixture.tenant();
    await fixture.store.write((tx) => {
      const add = (accountId: number, name: string, status: string) =>
        tx.run(
          "INSERT INTO senders (account_id, name, status, created_at) VALUES (?, ?, ?, 0)",
          accountId,
          name,
          status,
        );
      add(tenant.accountId, "ASKED", "REQUESTED");
      add(tenant.accountId, "REFUSED", "REJECTED");
      add(stranger.accountId, "THEIRS", "APPROVED");
    });
    for (const sender of ["NOBODY", "ASKED", "REFUSED", "THEIRS", "acme", "ACME "]) {
      expect([sender, await verdict(await submitted({ sender }))]).toEqual([
        sender,
        "422 SENDER_NOT_APPROVED",
      ]);
    }
  });

  // Keeps: public-api 7.13, 4.1.8, 4.1.3
  test("409 REQUEST_IN_PROGRESS while the first is in flight, and the first's answer after that", async () => {
    let open = () => {};
    let arrived = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    before = () => {
      arrived();
      return held;
    };
    const first = submitTo(fixture, tenant, "in-flight");
    await arrival;
    before = null;
    for (const body of [submission(), submission({ body: "Another" })]) {
      const second = await submitTo(fixture, tenant, "in-flight", body);
      expect(Number(second.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(await verdict(second)).toBe("409 REQUEST_IN_PROGRESS");
    }
    const another = await fixture.key(tenant.accountId, ["MESSAGES_SEND"]);
    expect((await submitTo(fixture, another, "in-flight", submission({ body: "Mine" }))).status).toBe(202);
    open();
    const answer = await (await first).text();
    const retried = await submitTo(fixture, tenant, "in-flight");
    expect([retried.status, await retried.text()]).toEqual([202, answer]);
  });

  // Keeps: public-api 7.14, 4.1.7
  test("409 IDEMPOTENCY_KEY_REUSED for another body under a used key", async () => {
    await submitTo(fixture, tenant, "reused");
    const response = await submitTo(fixture, tenant, "reused", submission({ body: "Another" }));
    expect(await verdict(response)).toBe("409 IDEMPOTENCY_KEY_REUSED");
  });

  // Keeps: public-api 7.15
  test("402 INSUFFICIENT_FUNDS when the prepaid wallet is one franc short, and 202 when it is not", async () => {
    const client = await fixture.tenant();
    const recipients = [{ msisdn: "70123456" }, { msisdn: "70123457" }];
    await wallet(client.accountId, 29);
    expect(await verdict(await submitted({ recipients }, client))).toBe("402 INSUFFICIENT_FUNDS");
    await wallet(client.accountId, 30);
    expect((await submitted({ recipients }, client)).status).toBe(202);
    expect(await verdict(await submitted({ body: "One more" }, client))).toBe("402 INSUFFICIENT_FUNDS");
  });

  // Keeps: public-api 7.16, 2.5.3
  test("402 CREDIT_LIMIT_EXCEEDED when a postpaid account would pass its limit, and 202 up to it", async () => {
    const client = await fixture.tenant();
    await postpaid(client.accountId, 30);
    await wallet(client.accountId, -15);
    expect((await submitted({}, client)).status).toBe(202);
    expect(await verdict(await submitted({ body: "One more" }, client))).toBe("402 CREDIT_LIMIT_EXCEEDED");
  });

  test("402 says what was needed, and what is left to a key that may read the balance", async () => {
    const client = await fixture.tenant();
    const sendOnly = await fixture.key(client.accountId, ["MESSAGES_SEND"]);
    const said = async (funds: number) => {
      await wallet(client.accountId, funds);
      const [full, less] = [await submitted({}, client), await submitted({}, sendOnly)];
      return [(await problemOf(full)).detail, (await problemOf(less)).detail];
    };
    expect(await said(14)).toEqual([
      "the batch costs 15 XOF, more than the wallet can spend: 14 XOF can be spent, 1 XOF more is needed",
      "the batch costs 15 XOF, more than the wallet can spend",
    ]);
    expect(await said(-7)).toEqual([
      "the batch costs 15 XOF and the wallet is in debit by 7 XOF: 0 XOF can be spent, 22 XOF more is needed",
      "the batch costs 15 XOF and the wallet is in debit: top it up before sending",
    ]);
    await postpaid(client.accountId, 30);
    expect(await said(-20)).toEqual([
      "the batch costs 15 XOF, more than the credit limit leaves: 10 XOF can be spent, 5 XOF more is needed",
      "the batch costs 15 XOF, more than the credit limit leaves",
    ]);
  });

  test("422 SENDER_NOT_APPROVED names the sender", async () => {
    const { detail } = await problemOf(await submitted({ sender: 'AC"ME' }));
    expect(detail).toBe('the sender "AC\\"ME" is not approved for the account');
    const near = await problemOf(await submitted({ sender: "aCme" }));
    expect(near.detail).toBe(
      'the sender "aCme" is not approved for the account; "ACME" is: upper and lower case count',
    );
  });

  // Keeps: public-api 7.17
  test("402 WALLET_IN_DEBIT when the prepaid wallet is below zero", async () => {
    const client = await fixture.tenant();
    await wallet(client.accountId, -1);
    expect(await verdict(await submitted({}, client))).toBe("402 WALLET_IN_DEBIT");
  });

  // Keeps: public-api 7.24
  test("500 CONFIGURATION_ERROR for a channel that the service is not set up for", async () => {
    const problem = await problemOf(await submitted({ channel: "WHATSAPP" }));
    expect([problem.status, problem.code]).toEqual([500, "CONFIGURATION_ERROR"]);
    expect(problem.detail).toBe(
      "the service is not configured for this channel: sending the request again will not help",
    );
  });
});

type Documented = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { responses: Record<string, { content?: Record<string, { examples?: Record<string, unknown> }> }> }
        >
      >
    >
  >;
};

/** The codes that the OpenAPI document lists for an endpoint, as "status CODE". */
async function listedCodes(method: string, path: string): Promise<string[]> {
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as Documented;
  const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.keys(content?.["application/json"]?.examples ?? {}).map((code) => `${status} ${code}`),
  );
}

describe("every endpoint", () => {
  /** The table that an endpoint reads, hidden while `act` runs. */
  const withoutTable = async (table: string, act: () => Promise<void>) => {
    await fixture.store.write((tx) => tx.run(`ALTER TABLE ${table} RENAME TO hidden_table`));
    try {
      await act();
    } finally {
      await fixture.store.write((tx) => tx.run(`ALTER TABLE hidden_table RENAME TO ${table}`));
    }
  };
  const TABLES: Readonly<Record<string, string>> = {
    "/batches": "batches",
    "/batches/{batch_id}": "batches",
    "/batches/{batch_id}/cancel": "batches",
    "/messages/{message_id}": "messages",
    "/messages": "messages",
    "/account": "account_prices",
    "/account/balance": "wallets",
    "/sender-ids": "senders",
    "/webhooks": "webhook_endpoints",
    "/webhooks/{webhook_id}/rotate": "webhook_endpoints",
    "/webhooks/{webhook_id}/enable": "webhook_endpoints",
    "/webhooks/{webhook_id}/disable": "webhook_endpoints",
    "/webhooks/{webhook_id}/test": "webhook_endpoints",
  };

  // Keeps: public-api 7.25, 7.30
  test.each(EACH_ENDPOINT)(
    "answers an unexpected failure with INTERNAL_ERROR: %s",
    async (_name, endpoint) => {
      await withoutTable(TABLES[endpoint.path] ?? "", async () => {
        const response = await ask(fixture, endpoint, sample, { "x-api-key": tenant.apiKey });
        expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
        const problem = await problemOf(response);
        expect(problem).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
        expect(JSON.stringify(problem)).not.toMatch(/table|sqlite|select/i);
      });
      expect((await ask(fixture, endpoint, sample, { "x-api-key": tenant.apiKey })).ok).toBe(true);
    },
  );

  // Keeps: public-api 7.30, 7.22, 7.24
  test.each(EACH_ENDPOINT)("lists what all endpoints can return: %s", async (_name, { method, path }) => {
    const everywhere = [
      "401 UNAUTHORIZED",
      "403 INSUFFICIENT_SCOPE",
      "429 RATE_LIMITED",
      "400 UNSUPPORTED_VERSION",
      "500 CONFIGURATION_ERROR",
      "500 INTERNAL_ERROR",
      "503 SERVICE_UNAVAILABLE",
    ];
    expect(await listedCodes(method, path)).toEqual(expect.arrayContaining(everywhere));
  });

  // Keeps: public-api 7.30, 7.23, 8.17
  test.each(EACH_ENDPOINT)("answers 429 above the key's limit: %s", async (_name, endpoint) => {
    const tight = await httpFixture({ api: { requests_per_second: 1, burst: 4 } });
    const client = await tight.tenant();
    const some = await sampleOf(tight, client);
    const headers = { "x-api-key": client.apiKey };
    expect((await ask(tight, endpoint, some, headers)).ok).toBe(true);
    const refused = await ask(tight, endpoint, some, headers);
    expect(["limit", "remaining", "reset"].map((one) => refused.headers.get(`x-ratelimit-${one}`))).toEqual([
      "4",
      "0",
      "4",
    ]);
    const waitSeconds = Number(refused.headers.get("retry-after"));
    expect(await verdict(refused)).toBe("429 RATE_LIMITED");
    await tight.clock.advance(waitSeconds * 1000);
    expect((await ask(tight, endpoint, some, headers)).ok).toBe(true);
    await tight.close();
  });
});

// Keeps: public-api 7.26
test("POST /batches lists every code of the statuses 422, 409 and 402", async () => {
  const own = Object.entries(FAILURES)
    .filter(([code, { status }]) => [422, 409, 402].includes(status) && code !== "BATCH_ENDED")
    .map(([code, { status }]) => `${status} ${code}`);
  expect(own.length).toBe(12);
  expect(await listedCodes("POST", "/batches")).toEqual(expect.arrayContaining(own));
});

// Keeps: public-api 7.27
test("what is addressed by an id lists NOT_FOUND and answers it", async () => {
  for (const endpoint of ENDPOINTS.filter(({ path }) => path.includes("{"))) {
    expect(await listedCodes(endpoint.method, endpoint.path)).toContain("404 NOT_FOUND");
    const none = "01KJQX5Y8M3T7V9B2C4D6F8G0H";
    const nothing = { batchId: none, messageId: none, webhookId: none };
    const response = await ask(fixture, endpoint, nothing, { "x-api-key": tenant.apiKey });
    expect(await verdict(response)).toBe("404 NOT_FOUND");
  }
});

// Keeps: public-api 7.1, 7.2
test("every error is of one schema, with detail and the request id, and its page explains it", async () => {
  const page = await (await fetch(`${fixture.http.url}/docs/errors`)).text();
  const answers = [
    await fetch(`${fixture.http.url}/public/v2/batches`),
    await fetch(`${fixture.http.url}/public/v1/batches`),
    await getFrom(fixture, tenant, "/nothing"),
    await getFrom(fixture, tenant, "/messages"),
    await submitted({ recipients: [] }),
    await submitted({ channel: "WHATSAPP" }),
    await getFrom(fixture, await fixture.key(tenant.accountId, []), "/sender-ids"),
  ];
  const seen: FailureCode[] = [];
  for (const answer of answers) {
    expect(answer.headers.get("content-type")).toBe("application/json");
    const { errors, ...problem } = (await answer.json()) as Record<string, unknown>;
    expect(Object.keys(problem)).toEqual([
      "type",
      "title",
      "status",
      "code",
      "detail",
      "is_retryable",
      "request_id",
      // Nobody's where no key was recognised.
      ...(answer.status === 401 || answer.status === 400 ? [] : ["is_sandbox"]),
    ]);
    expect(problem).toMatchObject({ status: answer.status, request_id: answer.headers.get("x-request-id") });
    expect(String(problem.detail).length).toBeGreaterThan(5);
    expect(Array.isArray(errors)).toBe(problem.code === "VALIDATION_FAILED");
    expect(page).toContain(`id="${String(problem.type).split("#")[1]}"`);
    seen.push(problem.code as FailureCode);
  }
  expect(new Set(seen).size).toBe(answers.length);
});
