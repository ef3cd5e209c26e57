/** Another Bendre as a route, as two processes: killed between the partner's answer and our commit of it. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feedFrom, type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";

let partner: Appliance;
let account: Tenant;
let own: Appliance;
/** What was posted to the partner, and what it answered. */
const posts: { readonly key: string; readonly status: number; readonly answer: string }[] = [];
/** Called once the partner has answered a post, before a word of that is handed on; whether it is. */
let mayHandOn: () => Promise<boolean>;

/** The feed tells nothing yet: it is behind what was posted. */
let isFeedBehind: () => boolean;

/** Stands between the two: hands requests on, and answers back. */
const between: Server = createServer((request, response) => {
  const handOn = async (): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url = "/", headers } = request;
    const isPost = method === "POST";
    const kept = ["authorization", "content-type", "idempotency-key", "bendre-hops"];
    const answer = await fetch(`${partner.url()}${url}`, {
      method,
      headers: kept.flatMap((name): [string, string][] => {
        const value = headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      }),
      ...(isPost && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (isPost) {
      posts.push({ key: String(headers["idempotency-key"]), status: answer.status, answer: text });
      if (!(await mayHandOn())) {
        response.destroy();
        return;
      }
    }
    const isBehind = !isPost && isFeedBehind();
    response
      .writeHead(answer.status, { "content-type": "application/json" })
      .end(isBehind ? withoutNews(url, text) : text);
  };
  handOn().catch(() => response.destroy());
});

/** A page of the feed, as if nothing had changed since the last. */
function withoutNews(url: string, page: string): string {
  const { data, ...rest } = JSON.parse(page) as { data: Json };
  const since = new URL(url, "http://partner").searchParams.get("status_changed_since");
  return JSON.stringify({
    ...rest,
    data: { ...data, messages: [], has_more: false, next_status_changed_since: since },
  });
}

beforeAll(async () => {
  partner = await appliance({ operators: { orange: BRISK } });
  account = await partner.tenant("Reseller");
  await new Promise<void>((listening) => between.listen(0, "127.0.0.1", listening));
  const { port } = between.address() as AddressInfo;
  own = await appliance({
    operators: {},
    settings: `
[operators.orange]
prefixes = ["22674"]
price = 15
[operators.orange.routes.partner]
order = 1
cost = "9"
[[operators.orange.connections]]
kind = "bendre"
route = "partner"
url = "http://127.0.0.1:${port}/public/v1"
api_key = "${account.apiKey}"
response_timeout_seconds = 10
`,
  });
});
afterAll(() => {
  between.close();
  between.closeAllConnections();
  own?.close();
  partner?.close();
});

/** Sends an OTP, and is killed when the partner has answered its post; resolves with what became of it after the next start. */
async function sendKilled({ accountId, api }: Tenant, key: string): Promise<Json> {
  await own.ask("sender register", { ACCOUNT: accountId, NAME: "ACME", operator: "orange" });
  let killed: Promise<number> | null = null;
  mayHandOn = async () => {
    if (killed !== null) return true;
    killed = own.end("SIGKILL");
    await killed;
    return false;
  };
  posts.length = 0;
  const sent = await api.post(key, {
    sender: "ACME",
    body: `Votre code est ${key}`,
    message_class: "OTP",
    recipients: [{ msisdn: "+22674000001" }],
  });
  expect([sent.status, sent.text]).toEqual([202, sent.text]);
  await poll(
    () => killed,
    (one) => one !== null,
  );
  await killed;
  await own.start();
  return api.ended(sent.data.batch_id);
}

const DELIVERED = { counts: { submitted: 1, sent: 1, delivered: 1 }, charged_amount: 15 };
const submits = () => partner.seen("orange").filter(({ kind }) => kind === "submit").length;
const idsThere = async () => {
  const there = await feedFrom(account.api, "2026-01-01T00:00:00Z");
  return new Set(there.map(({ message_id }) => message_id));
};
const booked = async () => (await own.ask("report margin", { by: "route" })).rows as Json[];

test("a post is repeated under its key after a SIGKILL, and is one message there and one here", async () => {
  isFeedBehind = () => posts.length === 1;
  expect(await sendKilled(await own.tenant("Pharmacie"), "4711")).toMatchObject(DELIVERED);
  expect(posts.length).toBeGreaterThan(1);
  expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
  expect(new Set(posts.map(({ status, answer }) => `${status} ${answer}`)).size).toBe(1);
  expect([(await idsThere()).size, submits()]).toEqual([1, 1]);
  expect(await booked()).toMatchObject([{ key: "orange/partner", segments: 1, cost: "9.000", charged: 15 }]);
});

test("a post is not repeated where the feed has told of it before", async () => {
  isFeedBehind = () => false;
  expect(await sendKilled(await own.tenant("Banque"), "4712")).toMatchObject(DELIVERED);
  expect(posts).toHaveLength(1);
  expect([(await idsThere()).size, submits()]).toEqual([2, 2]);
  expect(await booked()).toMatchObject([{ segments: 2, cost: "18.000", charged: 30 }]);
});
