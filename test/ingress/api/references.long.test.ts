import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { finalsAfter } from "../../../src/domain/messages/feed.ts";
import { unpackRecipients } from "../../../src/domain/submission/recipients.ts";
import { validator } from "../../../src/domain/submission/staging.ts";
import { messageEvent } from "../../../src/webhooks/payload.ts";
import * as facts from "../../kit/facts.ts";
import { packRecipients } from "../../kit/pack-recipients.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
} from "./fixture.ts";

type Json = Readonly<Record<string, unknown>>;

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

let texts = 0;
const submit = (changes: Json, by = tenant) => {
  texts += 1;
  return submitTo(fixture, by, fixture.newId(), submission({ body: `Texte ${texts}`, ...changes }));
};
const dataOf = async (response: Response): Promise<Json> => {
  expect([200, 202]).toContain(response.status);
  return ((await response.json()) as { data: Json }).data;
};
const get = async (path: string, by = tenant) => dataOf(await getFrom(fixture, by, path));
const SINCE = "status_changed_since=2026-03-01T00:00:00Z";
const messages = async (query: string, by = tenant) =>
  (await get(`/messages?${SINCE}${query}`, by)).messages as Json[];
const faultsOf = async (response: Response) => {
  const { code, errors } = await problemOf(response);
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)];
};

const RIGHT: readonly (readonly [unknown, string])[] = [
  ["order-1042", "order-1042"],
  [1042, "1042"],
  [0, "0"],
  [1.5, "1.5"],
  ["a", "a"],
  [" n° 7 ", " n° 7 "],
  ["ɛ̃ Ŋ مرحبا 漢字 Ⅷ ½", "ɛ̃ Ŋ مرحبا 漢字 Ⅷ ½"],
  ["_-#/()[]{}«»€$+=<>|~^`´😀", "_-#/()[]{}«»€$+=<>|~^`´😀"],
  ["😀".repeat(64), "😀".repeat(64)],
  ["a\u00a0b\u3000c", "a\u00a0b\u3000c"],
];
const WRONG: readonly (readonly [unknown, string])[] = [
  ["", "must not be blank"],
  ["   ", "must not be blank"],
  ["\u00a0\u3000", "must not be blank"],
  ["a".repeat(65), "must have at most 64 characters"],
  ["😀".repeat(65), "must have at most 64 characters"],
  ...["a\tb", "a\nb", "a\0b", "a\u200db", "a\u200fb", "a\u2028b", "\ud800", "a\ue000", "a\uffff"].map(
    (text) => [text, "must hold letters, marks, numbers, punctuation, symbols and spaces only"] as const,
  ),
  [true, "must be a string or a number"],
  [{}, "must be a string or a number"],
  [["a"], "must be a string or a number"],
  [2 ** 60, "is beyond the numbers JSON readers keep exactly: send it as a string"],
];

describe("client_reference", () => {
  // Keeps: behaviour 3.54, 3.55
  test.each(RIGHT)("%j of a batch and of a recipient comes back as %s", async (given, shown) => {
    const recipients = [{ msisdn: "70000001", client_reference: given }];
    const { batch_id } = await dataOf(await submit({ client_reference: given, recipients }));
    expect(await get(`/batches/${batch_id}`)).toMatchObject({ client_reference: shown });
    expect(await messages(`&batch_id=${batch_id}`)).toMatchObject([
      { client_reference: shown, batch_client_reference: shown },
    ]);
  });

  // Keeps: behaviour 3.54
  test.each(WRONG)("%j is refused of both: %s", async (given, message) => {
    expect(await faultsOf(await submit({ client_reference: given }))).toEqual([
      "VALIDATION_FAILED",
      `/client_reference ${message}`,
    ]);
    const recipients = [{ msisdn: "70000001" }, { msisdn: "70000002", client_reference: given }];
    expect(await faultsOf(await submit({ recipients }))).toEqual([
      "VALIDATION_FAILED",
      `/recipients/1/client_reference ${message}`,
    ]);
  });

  test("left out or null is null everywhere", async () => {
    const recipients = [{ msisdn: "70000001", client_reference: null }, { msisdn: "1" }];
    const { batch_id, rejections } = await dataOf(await submit({ client_reference: null, recipients }));
    const none = { client_reference: null, batch_client_reference: null };
    const rejected = [{ index: 1, msisdn: null, reason_code: "INVALID_MSISDN" }];
    expect(rejections).toEqual(rejected);
    const batch = await get(`/batches/${batch_id}`);
    expect([batch.client_reference, batch.rejections]).toEqual([null, rejected]);
    expect(await messages(`&batch_id=${batch_id}`)).toMatchObject([none]);
  });

  // Keeps: behaviour 3.56
  test("need not be unique, in a batch or among batches", async () => {
    const recipients = [
      { msisdn: "70000001", client_reference: "same" },
      { msisdn: "70000002", client_reference: "same" },
    ];
    const ids = new Set<unknown>();
    for (let time = 0; time < 2; time++) {
      ids.add((await dataOf(await submit({ client_reference: "again", recipients }))).batch_id);
    }
    expect(ids.size).toBe(2);
    expect((await messages("&client_reference=same")).length).toBe(4);
    expect((await get("/batches?client_reference=again")).batches).toHaveLength(2);
  });
});

// Keeps: behaviour 3.57
test("a message, its event, its rows in the feed and rejections carry both references", async () => {
  const recipients = [
    { msisdn: "70000001", client_reference: "un" },
    { msisdn: "12", client_reference: "deux" },
    { msisdn: "70000001", client_reference: "trois" },
  ];
  const accepted = await dataOf(await submit({ client_reference: "lot", recipients }));
  const rejected = ["deux", "trois"].map((name) => ({
    client_reference: name,
    batch_client_reference: "lot",
  }));
  expect(accepted.rejections).toMatchObject(rejected);
  expect(await get(`/batches/${accepted.batch_id}`)).toMatchObject({
    client_reference: "lot",
    rejections: rejected,
  });
  const both = { client_reference: "un", batch_client_reference: "lot" };
  const [row] = await messages("&client_reference=un");
  expect(row).toMatchObject(both);
  expect(await get(`/messages/${row?.message_id}`)).toMatchObject(both);
  const { id } = fixture.store.read.get<{ id: number }>(
    "SELECT id FROM messages WHERE ulid = ?",
    String(row?.message_id),
  )!;
  const done = [facts.claimed(id), facts.partAccepted(id), facts.delivered(id)];
  await fixture.store.write((tx) => applyFacts(tx, done, fixture.clock.nowMs()));
  const { messages: finals } = finalsAfter(fixture.store.read, tenant.accountId, 0, {
    changes: 1000,
    finals: 1000,
  });
  const final = finals.find((one) => one.id === id)!;
  expect(JSON.parse(messageEvent({ accountUlid: "01A", isSandbox: false }, final).body())).toMatchObject({
    data: both,
  });
});

describe("a batch that is validated after its 202", () => {
  test("keeps the references of its recipients, accepted and rejected", async () => {
    const own = await fixture.tenant();
    const recipients = Array.from({ length: 10_001 }, (_, index) => ({
      msisdn: index === 7 ? "12" : String(70_000_000 + index),
      ...(index < 20 ? { client_reference: `no ${index}` } : {}),
    }));
    const { batch_id } = await dataOf(await submit({ client_reference: "grand", recipients }, own));
    await validator(fixture.intake).next();
    expect(await get(`/batches/${batch_id}`, own)).toMatchObject({
      client_reference: "grand",
      rejections: [{ index: 7, client_reference: "no 7", batch_client_reference: "grand" }],
    });
    expect(await messages("&client_reference=no 12", own)).toMatchObject([{ index: 12 }]);
    const seen: unknown[] = [];
    let pages = 0;
    for (let since = SINCE, more = true; more; pages += 1) {
      const page = await get(`/messages?${since}&limit=500&batch_client_reference=grand`, own);
      seen.push(...(page.messages as Json[]).map(({ index }) => index));
      since = `status_changed_since=${page.next_status_changed_since}`;
      more = page.has_more === true;
    }
    expect([seen.length, new Set(seen).size, pages >= 20]).toEqual([10_000, 10_000, true]);
  });

  test("has them from the thread that reads it too", () => {
    const recipients = [
      { msisdn: "1", attributes: { nom: "a", x: "b" }, clientReference: "un" },
      { msisdn: "2", attributes: null, clientReference: "deux" },
      { msisdn: "3", attributes: null },
    ];
    const list = unpackRecipients(packRecipients(recipients, "Bonjour {nom}"));
    expect(list.slice(0, 3).map(({ clientReference }) => clientReference)).toEqual(["un", "deux", undefined]);
  });
});

describe("a filter by reference", () => {
  let own: Tenant;
  const ids: unknown[] = [];
  beforeAll(async () => {
    own = await fixture.tenant();
    for (const [name, count] of [
      ["a", 2],
      ["b", 600],
      ["b", 3],
      ["é +&", 1],
    ] as const) {
      const recipients = Array.from({ length: count }, (_, index) => ({
        msisdn: String(70_100_000 + index),
        client_reference: `r${index % 300}`,
      }));
      ids.push((await dataOf(await submit({ client_reference: name, recipients }, own))).batch_id);
    }
  });

  const all = async (query: string, limit = 100) => {
    const seen: Json[] = [];
    for (let since = SINCE, more = true; more; ) {
      const page = await get(`/messages?${since}&limit=${limit}${query}`, own);
      const rows = page.messages as Json[];
      expect(rows.length).toBeLessThanOrEqual(limit);
      seen.push(...rows);
      since = `status_changed_since=${page.next_status_changed_since}`;
      more = page.has_more === true;
    }
    const stamps = seen.map(({ status_changed_at }) => String(status_changed_at));
    expect(stamps).toEqual(stamps.toSorted());
    expect(new Set(seen.map(({ message_id }) => message_id)).size).toBe(seen.length);
    return seen;
  };

  // Keeps: behaviour 3.58
  test.each([
    ["&client_reference=r1", 4],
    ["&client_reference=r299", 2],
    ["&batch_client_reference=a", 2],
    ["&batch_client_reference=b", 603],
    [`&batch_client_reference=${encodeURIComponent("é +&")}`, 1],
    ["&client_reference=r1&batch_client_reference=b", 3],
    ["&client_reference=r1&batch_client_reference=a", 1],
    ["&client_reference=none", 0],
    ["&batch_client_reference=none", 0],
    ["&batch_client_reference=r1", 0],
  ])("of the feed finds what is called so, page by page, and nothing else: %s", async (query, count) => {
    for (const limit of [1, 7, 500])
      if (count / limit < 100) expect((await all(query, limit)).length).toBe(count);
  });

  test("goes together with a batch, and with the moment that is asked for", async () => {
    expect((await all(`&client_reference=r1&batch_id=${ids[1]}`)).length).toBe(2);
    expect((await all(`&batch_client_reference=b&batch_id=${ids[2]}`)).length).toBe(3);
    expect((await all(`&batch_client_reference=b&batch_id=${ids[0]}`)).length).toBe(0);
    const later = `/messages?status_changed_since=2026-03-02T10:00:00Z`;
    for (const filter of ["client_reference=r1", "batch_client_reference=b"]) {
      expect(await get(`${later}&${filter}`, own)).toMatchObject({ messages: [], has_more: false });
    }
  });

  test("of batches goes together with its other filters, and its cursor belongs to it", async () => {
    const named = async (query: string) => (await get(`/batches?${query}`, own)).batches as Json[];
    expect((await named("client_reference=b")).map(({ batch_id }) => batch_id)).toEqual([ids[2], ids[1]]);
    expect(await named("client_reference=b&status=SETTLED")).toEqual([]);
    const { next_cursor } = await get("/batches?client_reference=b&limit=1", own);
    expect((await named(`client_reference=b&cursor=${next_cursor}`)).map(({ batch_id }) => batch_id)).toEqual(
      [ids[1]],
    );
    const other = await getFrom(fixture, own, `/batches?client_reference=a&cursor=${next_cursor}`);
    expect((await faultsOf(other))[0]).toBe("VALIDATION_FAILED");
  });

  // Keeps: behaviour 3.58
  test("needs status_changed_since in the feed, sees no other account's, and takes only what a reference may be", async () => {
    expect((await faultsOf(await getFrom(fixture, own, "/messages?client_reference=r1")))[1]).toContain(
      "/status_changed_since",
    );
    expect(await messages("&client_reference=r299")).toEqual([]);
    for (const query of [`/messages?${SINCE}&client_reference=`, "/batches?client_reference=%09"]) {
      expect((await faultsOf(await getFrom(fixture, own, query)))[0]).toBe("VALIDATION_FAILED");
    }
  });
});
