import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { said } from "../../../src/i18n/phrase.ts";
import { FAILURES, type FailureCode } from "../../../src/ingress/http/error-codes.ts";
import { type HttpFixture, httpFixture, problemOf, submitTo, type Tenant } from "../api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
/** Said by the service in place of a code of its own. */
let answer: FailureCode = "CONFIGURATION_ERROR";

beforeAll(async () => {
  fixture = await httpFixture({
    submit:
      () =>
      async ({ request }) => ({
        kind: "refused",
        refusal: request.ok
          ? { code: answer as "CONFIGURATION_ERROR", detail: said("said by the service") }
          : request.refusal,
      }),
  });
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

const codes = Object.keys(FAILURES) as FailureCode[];

describe("an error body", () => {
  // Keeps: behaviour 3.35
  // Keeps: public-api 7.1, 7.2
  test.each(codes.map((code) => [code]))("of %s has the members of RFC 9457 and its status", async (code) => {
    answer = code;
    const response = await submitTo(fixture, tenant, `error-${code}`);
    expect(response.status).toBe(FAILURES[code].status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await problemOf(response)).toEqual({
      type: `/docs/errors#${code.toLowerCase().replaceAll("_", "-")}`,
      title: FAILURES[code].title,
      status: FAILURES[code].status,
      code,
      detail: "said by the service",
      is_retryable: FAILURES[code].retryable,
      request_id: response.headers.get("x-request-id"),
      is_sandbox: false,
    });
  });

  // Keeps: behaviour 3.36
  test("of a malformed submission names its faults by JSON Pointer", async () => {
    const problem = await problemOf(await submitTo(fixture, tenant, "faults", { recipients: [5] }));
    expect(problem.errors).toContainEqual({
      path: "/recipients/0",
      message: "must be an object with an msisdn",
    });
    expect(problem.detail).toBe("sender is required (the first of 4 faults)");
  });
});

test("a code that says by itself when to try again brings Retry-After, the others bring none", async () => {
  for (const [code, wait] of [
    ["SERVICE_UNAVAILABLE", "5"],
    ["REQUEST_IN_PROGRESS", "1"],
    ["INTERNAL_ERROR", null],
    ["VALIDATION_FAILED", null],
  ] as const) {
    answer = code;
    expect((await submitTo(fixture, tenant, `retry-${code}`)).headers.get("retry-after")).toBe(wait);
  }
});

// Keeps: behaviour 3.50
test("the pages say when a key may be used again, and that a channel without a provider stays refused", async () => {
  const page = await (await fetch(`${fixture.http.url}/docs/errors`)).text();
  const section = (code: string) =>
    page
      .split(`<h3 id="${code}">`)[1]
      ?.split(/<h[23] id/)[0]
      ?.replaceAll("\n", " ") ?? "";
  for (const code of ["insufficient-funds", "credit-limit-exceeded", "wallet-in-debit"]) {
    expect(section(code)).toContain("As an answer it releases the idempotency key");
    expect(section(code)).toMatch(/the 202 stays remembered.* new key/);
  }
  expect(section("validation-timeout")).toContain("with a new key");
  expect(section("configuration-error")).toContain("repeat once it is fixed");
  expect(section("configuration-error")).toContain("do not send the request again");
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as {
    paths: Record<string, { post: { description: string } }>;
  };
  expect(document.paths["/batches"]?.post.description).toContain("use a new key after a top-up");
});

// Keeps: behaviour 3.51, 3.53
test("the table x-errors tells of every code what its body and its Retry-After say", async () => {
  type Entry = Readonly<Record<string, unknown>>;
  const document = await (await fetch(`${fixture.http.url}/openapi.json`)).json();
  const table = (document as { "x-errors": readonly Entry[] })["x-errors"];
  expect(table.map((entry) => entry.code)).toEqual(codes);
  for (const [index, code] of codes.entries()) {
    answer = code;
    const response = await submitTo(fixture, tenant, `table-${code}`);
    const wait = response.headers.get("retry-after");
    const { title, status, is_retryable, type } = (await response.json()) as Entry;
    expect(table[index]).toMatchObject({
      code,
      title,
      status,
      is_retryable,
      page: type,
      retry_after_seconds: wait === null ? null : Number(wait),
    });
    expect(is_retryable).toBe(
      [402, 429].includes(FAILURES[code].status) ||
        FAILURES[code].status >= 500 ||
        code === "REQUEST_IN_PROGRESS",
    );
  }
});

// Keeps: behaviour 3.39
test("the page that type points to explains every code", async () => {
  const page = await (await fetch(`${fixture.http.url}/docs/errors`)).text();
  for (const code of codes) {
    expect(page).toContain(`id="${code.toLowerCase().replaceAll("_", "-")}"`);
    expect(page).toContain(
      `>${code}</a></h3>\n<p>HTTP ${FAILURES[code].status} · <code>is_retryable</code> ${FAILURES[code].retryable} · `,
    );
  }
});

test("the log says how a request ended, as loud as its error deserves, and nothing of its body", async () => {
  answer = "CONFIGURATION_ERROR";
  const response = await submitTo(fixture, tenant, "loud");
  const line = fixture.lines.find(({ request_id }) => request_id === response.headers.get("x-request-id"));
  expect(line).toMatchObject({
    level: "error",
    message: "request",
    method: "POST",
    route: "/public/v1/batches",
    status: 500,
    code: "CONFIGURATION_ERROR",
    key_id: tenant.keyId,
  });
  expect(JSON.stringify(fixture.lines)).not.toContain("Bonjour");
  expect(JSON.stringify(fixture.lines)).not.toContain("70123456");
});
