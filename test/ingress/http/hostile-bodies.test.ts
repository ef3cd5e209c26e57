import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SMALL_BYTES } from "../../../src/ingress/http/body.ts";
import { getFrom, type HttpFixture, httpFixture, problemOf, type Tenant } from "../api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

let keys = 0;

/** Posts bytes as they are; a `large` body is padded, so that the thread reads it. */
function post(body: string | Uint8Array<ArrayBuffer>, large: boolean): Promise<Response> {
  const padding = " ".repeat(large ? SMALL_BYTES : 0);
  const bytes = typeof body === "string" ? `${body}${padding}` : Buffer.concat([body, Buffer.from(padding)]);
  return fetch(`${fixture.http.url}/public/v1/batches`, {
    method: "POST",
    headers: {
      "x-api-key": tenant.apiKey,
      "content-type": "application/json",
      "idempotency-key": `hostile-${++keys}`,
    },
    body: bytes,
  });
}

/** A submission whose members may be written by hand; `undefined` leaves one out. */
function text(members: Readonly<Record<string, string | undefined>> = {}): string {
  const all = {
    sender: '"ACME"',
    body: `"Bonjour ${++keys}"`,
    message_class: '"TRANSACTIONAL"',
    recipients: '[{"msisdn":"70123456"}]',
    ...members,
  };
  const written = Object.entries(all).filter(([, value]) => value !== undefined);
  return `{${written.map(([name, value]) => `"${name.replace(/\+$/, "")}":${value}`).join(",")}}`;
}

const recipient = (members: string) => text({ recipients: `[{"msisdn":"70123456",${members}}]` });

describe.each([[false], [true]])("a submission (read by the thread: %s)", (large) => {
  test.each([
    ["a byte order mark", () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text())])],
    ["the same name twice, of which the last counts", () => text({ "body+": '"Bonsoir"' })],
    ["unknown members of a recipient", () => recipient('"name":{"deep":[1,{"x":null}]}')],
    ["a recipient with a __proto__ of its own", () => recipient('"__proto__":{"attributes":7}')],
    ["attributes of odd names", () => recipient('"attributes":{"__proto__":"a","constructor":"b","":"c"}')],
    ["minus zero and exact numbers", () => recipient('"attributes":{"a":-0,"b":1e3,"c":9007199254740991}')],
    ["a paired surrogate, escaped", () => text({ body: '"\\ud83d\\ude00"' })],
  ])("may have %s", async (_what, body) => {
    expect((await post(body(), large)).status).toBe(202);
  });

  test.each([
    ["half a surrogate pair, escaped, in the body", () => text({ body: '"a\\ud800"' }), "/body"],
    ["half a surrogate pair in the sender", () => text({ sender: '"\\udc00"' }), "/sender"],
    ["U+0000, escaped", () => text({ body: '"a\\u0000"' }), "/body"],
    ["U+0000 in an attribute", () => recipient('"attributes":{"a":"\\u0000"}'), "/recipients/0/attributes/a"],
    ["a number for a number", () => text({ recipients: '[{"msisdn":70123456}]' }), "/recipients/0/msisdn"],
    ["a number for the sender", () => text({ sender: "7" }), "/sender"],
    ["a text for a boolean", () => text({ is_test: '"true"' }), "/is_test"],
    ["a number for a boolean", () => text({ is_test: "1" }), "/is_test"],
    ["an object for the recipients", () => text({ recipients: '{"0":{},"length":1}' }), "/recipients"],
    ["a text for the recipients", () => text({ recipients: '"70123456"' }), "/recipients"],
    ["a text for a recipient", () => text({ recipients: '["70123456"]' }), "/recipients/0"],
    ["null for a recipient", () => text({ recipients: "[null]" }), "/recipients/0"],
    ["a list for attributes", () => recipient('"attributes":["a"]'), "/recipients/0/attributes"],
    ["an endless number", () => recipient('"attributes":{"a":1e999}'), "/recipients/0/attributes/a"],
    ["a number that is not exact", () => recipient('"attributes":{"a":1e20}'), "/recipients/0/attributes/a"],
    ["an object in an attribute", () => recipient('"attributes":{"a":{}}'), "/recipients/0/attributes/a"],
    [
      "an object in an attribute named __proto__",
      () => recipient('"attributes":{"__proto__":{}}'),
      "/recipients/0/attributes/__proto__",
    ],
    ["__proto__ among its members", () => text({ ["__proto__"]: "{}" }), "/__proto__"],
    ["constructor among its members", () => text({ constructor: "{}" }), "/constructor"],
    [
      "a number that only its prototype would have",
      () => text({ recipients: '[{"__proto__":{"msisdn":"70123456"}}]' }),
      "/recipients/0/msisdn",
    ],
  ])("with %s is refused there", async (_what, body, path) => {
    const problem = await problemOf(await post(body(), large));
    expect([problem.code, problem.errors?.[0]?.path]).toEqual(["VALIDATION_FAILED", path]);
  });

  test.each([
    [
      "half a surrogate pair, raw",
      () => Buffer.from(text()).fill(Buffer.from([0xed, 0xa0, 0x80]), 12, 15),
      "UTF-8",
    ],
    ["U+0000, raw", () => text({ body: '"a\0"' }), "not JSON"],
    ["a line end in a text", () => text({ body: '"a\n"' }), "not JSON"],
    ["UTF-16", () => Buffer.from(text(), "utf16le"), "not JSON"],
    ["a number with a leading zero", () => text({ is_test: "01" }), "not JSON"],
    ["a comment", () => `${text()}//`, "not JSON"],
  ])("with %s is no JSON to us", async (_what, body, detail) => {
    const problem = await problemOf(await post(body(), large));
    expect(problem.code).toBe("VALIDATION_FAILED");
    expect(problem.detail).toContain(detail);
  });

  test("fills tags from a recipient's own attributes only", async () => {
    const body = '"{constructor}{__proto__}{toString}"';
    const recipients = `[{"msisdn":"70123401"},{"msisdn":"70123402","attributes":{"__proto__":"x${large}"}}]`;
    const response = await post(text({ body, recipients }), large);
    expect(await response.json()).toMatchObject({
      data: { accepted: 1, rejections: [{ index: 0, reason_code: "RENDERED_BODY_EMPTY" }] },
    });
  });

  test("with a value no message has room for loses only that recipient", async () => {
    const huge = "é".repeat(400_000);
    const recipients = `[{"msisdn":"70123403","attributes":{"a":"${huge}"}},{"msisdn":"70123404"}]`;
    const response = await post(text({ body: `"Code {a} ${large}"`, recipients }), large);
    expect(await response.json()).toMatchObject({
      data: { accepted: 1, rejections: [{ index: 0, reason_code: "TOO_MANY_SEGMENTS" }] },
    });
  });

  test("with very many attributes is like one with those its body names", async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `"a${index}":${index}`).join();
    const recipients = `[{"msisdn":"70123405","attributes":{${many},"a7":"sept"}}]`;
    const response = await post(text({ body: `"Le {a7} et {a49999} ${large}"`, recipients }), large);
    const { data } = (await response.json()) as { data: { accepted: number; batch_id: string } };
    expect(data.accepted).toBe(1);
    const row = fixture.store.read.get<{ text: string }>(
      "SELECT text FROM messages WHERE msisdn = '+22670123405' ORDER BY id DESC LIMIT 1",
    );
    expect(row?.text).toBe(`Le sept et 49999 ${large}`);
    expect((await getFrom(fixture, tenant, `/batches/${data.batch_id}`)).status).toBe(200);
  });
});
