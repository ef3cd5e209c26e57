/** A user of one account can never tell whether another's things exist: every route, with another account's id and with nobody's. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keyCreate } from "../../../src/admin/operations/keys.ts";
import { senderRequest } from "../../../src/admin/operations/senders.ts";
import { USER_OPERATIONS, userCreate } from "../../../src/admin/operations/users.ts";
import { webhookCreate } from "../../../src/admin/operations/webhooks.ts";
import type { PageContext } from "../../../src/console/server/routes/request-context.ts";
import type { Route } from "../../../src/console/server/routes/route.ts";
import {
  type RawRequest,
  type RouteOutcome,
  runRoute,
} from "../../../src/console/server/routes/run-route.ts";
import { ROUTES, type RouteName } from "../../../src/console/server/routes/table.ts";
import { createUploads, type Uploads } from "../../../src/console/server/send/uploads.ts";
import { accountByUlid } from "../../../src/domain/accounts/accounts.ts";
import { isAccountRole, may, PERMISSIONS, ROLES } from "../../../src/domain/accounts/roles.ts";
import { createSmppUser } from "../../../src/domain/accounts/smpp-users.ts";
import { insertInboundText } from "../../../src/domain/inbound/inbound-texts.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";
import { run } from "../../admin/operations/run-operation.ts";
import { smppUserOf } from "../../kit/smpp-users.ts";
import { inEnglish } from "../english-words.ts";

/** What a path names, of one account. */
type Things = Readonly<
  Record<
    "account" | "batch" | "message" | "webhook" | "key" | "file" | "login" | "inbound" | "system_id",
    string
  >
>;

const NOBODYS: Things = {
  account: "01K00000000000000000000000",
  batch: "01K00000000000000000000000",
  message: "01K00000000000000000000000",
  webhook: "01K00000000000000000000000",
  key: "ABCDEFGHIJKL",
  file: "01K00000000000000000000000",
  login: "nobody@example.bf",
  inbound: "999999",
  system_id: "nobody",
};

let fixture: AdminFixture;
let files: Uploads;
let own: Things;
let others: Things;
beforeEach(async () => {
  fixture = adminFixture();
  files = createUploads(fixture.clock);
  own = await thingsOf(await fixture.account());
  others = await thingsOf(await fixture.account());
});
afterEach(() => fixture.close());

async function thingsOf(account: string): Promise<Things> {
  const { context } = fixture;
  const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT", "QUEUED"] });
  const message = context.store.read.get<{ ulid: string }>(
    "SELECT m.ulid FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ?",
    batch,
  )!.ulid;
  granted(await senderRequest(context, account, "SHOP"));
  const url = "https://192.0.2.1/hook";
  const config = { ...context.config, webhooks: { ...context.config.webhooks, allow_private_targets: true } };
  const webhook = granted(
    await webhookCreate({ ...context, config }, account, { url, description: "", events: null }),
  ).webhook_id;
  const wanted = { name: "k", scopes: ["MESSAGES_READ"], expiresAtMs: null } as const;
  const key = granted(await keyCreate(context, account, wanted)).key_id;
  const file = context.newId();
  files.store.put(1, file, new TextEncoder().encode("msisdn\n05112233\n"), false);
  // Somebody left the account by a text.
  const left = {
    operator: "orange",
    source: "22605112233",
    destination: "7000",
    msisdn: "+22605112233",
    dataCoding: 0,
    text: `STOP ${account}`,
    octets: Buffer.from(account),
    parts: 1,
    missing: 0,
    optOut: { word: "STOP", of: [account] },
  };
  const inbound = await context.store.write((tx) => {
    insertInboundText(tx, left, fixture.clock.nowMs());
    return String(tx.get<{ id: number }>("SELECT max(id) AS id FROM inbound_texts")?.id);
  });
  const login = `${account.toLowerCase()}@example.bf`;
  granted(await userCreate(context, { login, role: "ACCOUNT_ADMIN", account, language: null }));
  await context.store.write((tx) => tx.run("UPDATE users SET password_hash = 'x' WHERE login = ?", login));
  const system_id = `u${account.slice(-6)}`;
  const accountId = accountByUlid(context.store.read, account)?.id ?? 0;
  const user = smppUserOf({ systemId: system_id, accountId });
  await context.store.write((tx) => createSmppUser(tx, user, "$hash", fixture.clock.nowMs()));
  return { account, batch, message, webhook, key, file, login, inbound, system_id };
}

const UPLOAD = new TextEncoder().encode("msisdn\n05112233\n");
const BATCH = {
  file: NOBODYS.file,
  column: null,
  sender: "SHOP",
  message_class: "MARKETING",
  body: "Bonjour",
};

/** What else routes need to get as far as the id. */
const BODIES: Partial<Record<RouteName, unknown>> = {
  "POST /messages/:message/text": { reason: "why" },
  "POST /batches/:batch/text": {},
  "POST /batches/:batch/cancel": { reason: "why" },
  "POST /inbound/:inbound/text": { reason: "why" },
  "POST /suppressions": { account: "?", msisdn: "05112233", message_class: "OTP" },
  "POST /suppressions/lift": { account: "?", msisdn: "05112233", message_class: "OTP" },
  "POST /suppressions/import": { account: "?", text: "05112233", message_class: "OTP", skip_invalid: false },
  "POST /accounts/:account/senders": { sender: "ACME" },
  "POST /accounts/:account/keys": { name: "n", scopes: ["MESSAGES_READ"] },
  "POST /accounts/:account/webhooks": { url: "https://192.0.2.1/hook" },
  "POST /accounts/:account/smpp/own": { system_id: "mine", networks: ["192.0.2.1"] },
  "POST /smpp/:system_id/networks": { networks: ["192.0.2.1"] },
  "POST /smpp/:system_id/password": {},
  "PATCH /webhooks/:webhook": { description: "mine" },
  "POST /webhooks/:webhook/replay": { since: "2026-01-01" },
  "POST /webhooks/:webhook/disable": { reason: "why" },
  "POST /send/:account/quote": BATCH,
  "POST /send/:account": { ...BATCH, key: "0123456789abcdef" },
  "POST /users": { login: "new@example.bf", role: "ACCOUNT_READER", account: "?" },
  "POST /users/role": { login: "!", role: "ACCOUNT_READER" },
  "POST /users/link": { login: "!" },
  "POST /users/reset": { login: "!" },
  "POST /users/disable": { login: "!" },
  "POST /users/enable": { login: "!" },
};

/** Operations of the appliance's own people: the table of roles keeps accounts' users from them. */
const STAFF_ONLY = new Set<string>(
  PERMISSIONS.filter((operation) => !ROLES.some((role) => isAccountRole(role) && may(role, operation))),
);

/** Names in queries and bodies that say whose, or which. */
const QUERIES: Partial<Record<RouteName, readonly (keyof Things)[][number][]>> = {
  "GET /messages": ["account", "batch", "message"],
  "GET /batches": ["account"],
  "GET /names": ["account"],
  "GET /smpp": ["account"],
  "GET /suppressions": ["account"],
  "GET /reports/delivery": ["account"],
  "GET /reports/delivery.csv": ["account"],
  "GET /users": ["account"],
};
const BEFORE: Partial<Record<RouteName, keyof Things>> = {
  "GET /messages": "message",
  "GET /batches": "batch",
};

const asked = (account: string | null): PageContext => ({
  context: fixture.context,
  account,
  user: 1,
  files,
  seesMoney: true,
  may: () => true,
  language: "en",
  translate: inEnglish,
});

const routes = (): [RouteName, Route][] => Object.entries(ROUTES) as unknown as [RouteName, Route][];

/** Every way to name something on a route, as requests about `things`. */
function requestsAbout(name: RouteName, things: Things): RawRequest[] {
  const names = [...name.matchAll(/:(\w+)/g)].map(([, param]) => param ?? "");
  const params = Object.fromEntries(names.map((param) => [param, things[param as keyof Things] ?? ""]));
  const body = BODIES[name];
  const filled = JSON.parse(
    (JSON.stringify(body) ?? "null")
      .replace('"?"', JSON.stringify(things.account))
      .replace('"!"', JSON.stringify(things.login)),
  );
  const json = body === undefined ? undefined : filled;
  const base = { params, query: {}, body: name === "POST /send/:account/files" ? UPLOAD : json };
  const queries = (QUERIES[name] ?? []).map((field) => ({ ...base, query: { [field]: things[field] } }));
  const before = BEFORE[name];
  if (before) queries.push({ ...base, query: { before: things[before] } });
  if (name === "GET /left-out") {
    queries.push({ ...base, query: { number: "05112233", account: things.account } });
  }
  if (name === "GET /left-out/rows") {
    queries.push({ ...base, query: { typed: "Awa", account: things.account } });
  }
  if (name === "GET /suppressions/number") {
    queries.push({ ...base, query: { number: "05112233", account: things.account } });
  }
  const isNamed = names.length > 0 || /"[?!]"/.test(JSON.stringify(body ?? ""));
  return [...(isNamed ? [base] : []), ...queries];
}

const answer = (route: Route, account: string | null, unread: RawRequest): Promise<RouteOutcome> =>
  runRoute(route, asked(account), unread);

const isChange = (name: string) => !name.startsWith("GET") && !name.endsWith("/text");

describe("a user of one account", () => {
  test("is answered about another's things to the letter as about nobody's, on every route, and changes nothing", async () => {
    const rows = () =>
      fixture.context.store.read.all<{ action: string }>("SELECT action FROM audit_entries").length;
    const audited = rows();
    let walked = 0;
    for (const [name, route] of routes()) {
      if (STAFF_ONLY.has(route.operation)) continue;
      const theirs = requestsAbout(name, others);
      const nobodys = requestsAbout(name, NOBODYS);
      for (const [index, request] of theirs.entries()) {
        const refused = await answer(route, own.account, request);
        expect([name, refused]).toEqual([name, expect.objectContaining({ kind: "refused", status: 404 })]);
        expect([name, refused]).toEqual([name, await answer(route, own.account, nobodys[index]!)]);
        walked += 1;
      }
    }
    expect(walked).toBeGreaterThan(30);
    expect(rows()).toBe(audited);
  });

  test("is let at their own, so that the walk above can fail", async () => {
    for (const [name, route] of routes()) {
      if (STAFF_ONLY.has(route.operation) || isChange(name)) continue;
      for (const request of requestsAbout(name, own)) {
        expect([name, await answer(route, own.account, request)]).toEqual([
          name,
          expect.objectContaining({ kind: expect.stringMatching(/^(data|file)$/) }),
        ]);
      }
    }
  });

  test("finds in lists and searches what is theirs alone", async () => {
    const find = async (name: RouteName, query: Record<string, string> = {}) => {
      const answered = await answer(ROUTES[name] as unknown as Route, own.account, {
        params: {},
        query,
        body: undefined,
      });
      return JSON.stringify(answered);
    };
    for (const name of ["GET /messages", "GET /batches", "GET /accounts", "GET /senders/waiting"] as const) {
      const shown = await find(name);
      expect([name, shown.includes(own.account), shown.includes(others.account)]).toEqual([
        name,
        true,
        false,
      ]);
    }
    for (const id of Object.values(others)) {
      expect(await find("GET /search", { q: id })).toBe('{"kind":"data","data":{"hits":[]}}');
    }
    expect(await find("GET /search", { q: own.batch })).toContain('"kind":"batch"');
    expect(await find("GET /search", { q: "Faso Shop 2" })).toBe('{"kind":"data","data":{"hits":[]}}');
  });
});

test("an administrator of one account asks for people of that account alone, and hears the same whoever has the login", async () => {
  const { context } = fixture;
  granted(
    await userCreate(context, { login: "staff@example.bf", role: "OWNER", account: null, language: null }),
  );
  const ask = (name: RouteName, body: Record<string, string>) =>
    answer(ROUTES[name] as unknown as Route, own.account, { params: {}, query: {}, body });
  const make = (login: string, role: string) => ask("POST /users", { login, role });
  const read = async (name: RouteName, as: string | null, query: Record<string, string> = {}) => {
    const unread = { params: {}, query, body: undefined };
    return JSON.stringify(await runRoute(ROUTES[name] as unknown as Route, asked(as), unread));
  };
  const lists = async () => [
    await read("GET /users", own.account),
    await read("GET /audit", own.account, { actor: "new@example.bf" }),
  ];
  const before = await lists();
  for (const login of ["staff@example.bf", others.login, "new@example.bf", "new@example.bf"]) {
    expect(await make(login, "ACCOUNT_READER")).toEqual({ kind: "data", data: { login } });
    // Nor do what follows, and any other way to ask for the login, tell them apart.
    expect(await lists()).toEqual(before);
    for (const name of ["POST /users/link", "POST /users/reset", "POST /users/disable"] as const) {
      expect([login, await ask(name, { login })]).toEqual([
        login,
        expect.objectContaining({ kind: "refused", status: 404, detail: phrase("refusal.NOT_FOUND") }),
      ]);
    }
  }
  const told = (JSON.parse(await read("GET /audit", own.account, { action: "user ask" })) as Told).data
    .entries;
  expect(told.map(({ detail }) => Object.keys(detail).sort())).toEqual(told.map(() => ["login", "role"]));
  // Whoever runs the appliance sees who asked for whom, and that two of them are somebody's elsewhere.
  const seen = (JSON.parse(await read("GET /audit", null, { action: "user ask" })) as Told).data.entries;
  expect(seen.toReversed().map(({ detail }) => [detail.login, detail.is_taken])).toEqual([
    ["staff@example.bf", true],
    [others.login, true],
    ["new@example.bf", false],
    ["new@example.bf", false],
  ]);
  const { link } = granted(await run(USER_OPERATIONS["user link"], context, { login: "new@example.bf" }));
  expect(link).toContain("/console/link#");
  expect(await make("new@example.bf", "OWNER")).toMatchObject({ code: "INVALID_LOGIN" });
  expect(await make("new", "ACCOUNT_READER")).toMatchObject({ code: "INVALID_LOGIN" });
  // Whom they know of they may be told of.
  await context.store.write((tx) =>
    tx.run("UPDATE users SET password_hash = 'x' WHERE login = ?", "new@example.bf"),
  );
  expect(await make("new@example.bf", "ACCOUNT_READER")).toMatchObject({ code: "LOGIN_TAKEN" });
  expect(await read("GET /users", own.account)).toContain("new@example.bf");
});

type Told = { readonly data: { readonly entries: readonly { readonly detail: Record<string, unknown> }[] } };

test("what no field takes, or is out of bounds, is refused and named", async () => {
  const ask = async (name: RouteName, unread: Partial<RawRequest>) =>
    answer(ROUTES[name] as unknown as Route, null, { params: {}, query: {}, body: undefined, ...unread });
  const fault = { kind: "refused", status: 422, code: "VALIDATION_FAILED" };
  expect(await ask("GET /messages", { query: { nmuber: "05112233" } })).toMatchObject({
    ...fault,
    faults: [{ path: "/nmuber", message: phrase("fault.unknown") }],
  });
  expect(await ask("GET /messages", { query: { limit: "201" } })).toMatchObject(fault);
  expect(await ask("GET /messages", { query: { limit: "few" } })).toMatchObject(fault);
  expect(await ask("GET /messages", { query: { limit: "1" } })).toMatchObject({ kind: "data" });
  const params = { account: own.account };
  const topUp = (body: unknown) => ask("POST /accounts/:account/wallet/topup", { params, body });
  expect(await topUp({ amount: 0, reference: "r" })).toMatchObject(fault);
  expect(await topUp({ amount: 1.5, reference: "r" })).toMatchObject(fault);
  expect(await topUp({ amount: "5", reference: "r" })).toMatchObject(fault);
  expect(await topUp({ amount: 5 })).toMatchObject(fault);
  expect(await topUp(undefined)).toMatchObject(fault);
  expect(await topUp({ amount: 5, reference: "r" })).toMatchObject({ kind: "data", data: { topup: 5 } });
  expect(
    await ask("POST /webhooks/:webhook/rotate", { params: { webhook: own.webhook }, body: {} }),
  ).toMatchObject({
    ...fault,
    detail: phrase("refusal.VALIDATION_FAILED.request", { fault: phrase("fault.no_body") }),
  });
});
