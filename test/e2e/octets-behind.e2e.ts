/** Whatever stands behind a request, over HTTP and HTTPS: what the executable took on reads as taken on, at each of its doors. */
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import { octetForms, type WireRequest } from "../kit/octets-behind.ts";
import { answersTo } from "../kit/raw-answers.ts";
import type { Json } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const SETTINGS = `
${NO_RATE_LIMIT}
[compat]
kannel = true
jasmin = true
[whatsapp]
api = "http://127.0.0.1:1"
app_secret = "s3cret"
verify_token = "verify"
[whatsapp.numbers.main]
phone_number_id = "100000000000001"
waba_id = "200000000000002"
token = "t"
price = { MARKETING = 21 }
`;

describe.each([
  ["HTTP", false],
  ["HTTPS", true],
] as const)("over %s", (scheme, tls) => {
  let bendre: Appliance;
  let tenant: Tenant;
  let password = "";
  beforeAll(async () => {
    const file = (name: string, text: string): string => {
      const path = join(tmpdir(), `bendre-octets-${process.pid}-${name}`);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const certificate = `tls_certificate = "${file("cert.pem", HOOK_CERTIFICATE)}"\ntls_key = "${file("key.pem", HOOK_KEY)}"`;
    bendre = await appliance({
      operators: { orange: BRISK },
      settings: SETTINGS,
      server: tls ? certificate : "",
    });
    tenant = await bendre.tenant("Octets");
    password = String(
      (await bendre.ask("compat create", { ACCOUNT: tenant.accountId, user: "old", sender: "ACME" }))
        .password,
    );
  });
  afterAll(() => bendre?.close());

  /** Every form at one door; hands back what was answered to the requests that were whole. */
  async function atDoor(make: (n: number) => WireRequest): Promise<{ status: number; body: string }[]> {
    const { port } = new URL(bendre.url());
    const told: { status: number; body: string }[] = [];
    let made = 0;
    // Each request of each form is another one.
    const forms = octetForms((n) => make(1000 * made + n)).length;
    for (let at = 0; at < forms; at += 1) {
      made += 1;
      const form = octetForms((n) => make(1000 * made + n))[at]!;
      const answers = await answersTo(Number(port), tls, form);
      expect([form.name, answers.length >= form.answered]).toEqual([form.name, true]);
      told.push(...answers.slice(0, form.answered));
      for (const { status } of answers.slice(form.answered)) expect([400, 431]).toContain(status);
    }
    return told;
  }

  test("a submission that was accepted reads 202, and there is no other", async () => {
    const answers = await atDoor((n) => ({
      line: "POST /public/v1/batches HTTP/1.1",
      fields: [
        "Host: localhost",
        `Authorization: Bearer ${tenant.apiKey}`,
        `Idempotency-Key: ${scheme}-${n}`,
        "Content-Type: application/json",
      ],
      body: JSON.stringify({
        sender: "ACME",
        message_class: "OTP",
        body: `Code ${n}`,
        recipients: [{ msisdn: "+22605000001" }],
      }),
    }));
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    const ids = answers.map(({ body }) => String((JSON.parse(body) as { data: Json }).data.batch_id));
    const listed = (await bendre.ask("batch list", { ACCOUNT: tenant.accountId, limit: "500" }))
      .batches as Json[];
    expect(listed.map(({ batch_id }) => String(batch_id)).sort()).toEqual(ids.sort());
  });

  test("the doors for clients of Kannel and Jasmin answer in their words", async () => {
    const form = (path: string, fields: (n: number) => Record<string, string>) => (n: number) => ({
      line: `POST ${path} HTTP/1.1`,
      fields: ["Host: localhost", "Content-Type: application/x-www-form-urlencoded"],
      body: new URLSearchParams({ username: "old", password, to: "22605000002", ...fields(n) }).toString(),
    });
    const jasmin = await atDoor(form("/send", (n) => ({ content: `Jasmin ${n}` })));
    for (const { body } of jasmin) expect(body).toMatch(/^Success "[0-9A-Z]{26}"$/);
    const kannel = await atDoor(form("/cgi-bin/sendsms", (n) => ({ text: `Kannel ${n}` })));
    for (const { body } of kannel) expect(body).toMatch(/^[03]: /);
  });

  test("the console and Meta's webhook answer each call", async () => {
    const signIns = await atDoor(() => ({
      line: "POST /console/api/sign-in HTTP/1.1",
      fields: ["Host: localhost", "Content-Type: text/plain"],
      body: "not what is asked for",
    }));
    expect(signIns.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
    const calls = await atDoor((n) => {
      const body = JSON.stringify({
        object: "whatsapp_business_account",
        entry: [{ id: String(n), changes: [] }],
      });
      const signature = createHmac("sha256", "s3cret").update(body).digest("hex");
      return {
        line: "POST /whatsapp/webhook HTTP/1.1",
        fields: [
          "Host: localhost",
          "Content-Type: application/json",
          `X-Hub-Signature-256: sha256=${signature}`,
        ],
        body,
      };
    });
    expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
