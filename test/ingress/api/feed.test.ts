import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phrase } from "../../../src/i18n/phrase.ts";
import { readFeedQuery } from "../../../src/ingress/api/request-parsers.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
} from "./fixture.ts";

const NOON_US = Date.UTC(2026, 2, 1, 12) * 1000;

const NO_REFERENCES = { clientReference: null, batchReference: null };

describe("the query of the feed", () => {
  const read = (query: string, earliestUs = 0) => {
    const outcome = readFeedQuery(new URLSearchParams(query), earliestUs);
    if (outcome.ok) return outcome.value;
    return outcome.refusal.faults?.map(({ path, message }) => [path, message]);
  };
  const since = "status_changed_since=2026-03-01T12:00:00Z";

  test("has the defaults of the specification", () => {
    expect(read(since)).toEqual({ sinceUs: NOON_US, limit: 100, batchUlid: null, ...NO_REFERENCES });
  });

  test.each([
    ["2026-03-01T12:00:00.000001Z", NOON_US + 1],
    ["2026-03-01T14:00:00%2B02:00", NOON_US],
    ["2026-03-01T14:00:00+02:00", NOON_US],
    ["2026-03-01T12:00Z", NOON_US],
    ["9999-12-31T23:59:59Z", Number.MAX_SAFE_INTEGER],
  ])("reads %s", (text, sinceUs) => {
    expect(read(`status_changed_since=${text}`)).toMatchObject({ sinceUs });
  });

  test("is clamped to the lookback, not refused, however long ago it is", () => {
    expect(read(since, NOON_US + 5)).toMatchObject({ sinceUs: NOON_US + 5 });
    expect(read("status_changed_since=0001-01-01T00:00:00Z", 5)).toMatchObject({ sinceUs: 5 });
  });

  // Keeps: behaviour 3.20
  test.each([
    ["", ["/status_changed_since", phrase("fault.required")]],
    ["status_changed_since=", ["/status_changed_since", phrase("fault.moment")]],
    ["status_changed_since=yesterday", ["/status_changed_since", phrase("fault.moment")]],
    ["status_changed_since=2026-02-30T00:00:00Z", ["/status_changed_since", phrase("fault.moment")]],
    ["status_changed_since=2026-03-01T09:30:00", ["/status_changed_since", phrase("fault.moment.offset")]],
    [`${since}&limit=0`, ["/limit", phrase("fault.whole_in", { least: 1, most: 500 })]],
    [`${since}&limit=501`, ["/limit", phrase("fault.whole_in", { least: 1, most: 500 })]],
    [`${since}&limit=`, ["/limit", phrase("fault.whole_in", { least: 1, most: 500 })]],
    [`${since}&limit=5x`, ["/limit", phrase("fault.whole_in", { least: 1, most: 500 })]],
    [`${since}&limit=5&limit=6`, ["/limit", phrase("fault.parameter.twice")]],
  ])("refuses %s", (query, fault) => {
    expect(read(query)).toEqual([fault]);
  });

  test("may hold parameters that nobody knows", () => {
    expect(read(`${since}&utm=1&limit=500`)).toMatchObject({ limit: 500 });
  });
});

describe("the feed over HTTP", () => {
  let fixture: HttpFixture;
  let tenant: Tenant;
  let batchId: string;
  const recipients = Array.from({ length: 5 }, (_, index) => ({ msisdn: `7012345${index}` }));

  beforeAll(async () => {
    fixture = await httpFixture({ api: { max_lookback_hours: 1 } });
    tenant = await fixture.tenant();
    const response = await submitTo(fixture, tenant, "feed", submission({ recipients }));
    batchId = ((await response.json()) as { data: { batch_id: string } }).data.batch_id;
  });
  afterAll(() => fixture.close());

  type Page = {
    readonly messages: readonly { message_id: string; batch_id: string }[];
    readonly next_status_changed_since: string;
    readonly has_more: boolean;
    readonly warnings?: readonly { readonly code: string; readonly detail: string }[];
  };
  const page = async (query: string, who = tenant): Promise<Page> => {
    const response = await getFrom(fixture, who, `/messages?${query}`);
    return ((await response.json()) as { data: Page }).data;
  };

  // Keeps: behaviour 6.53, 6.55
  // Keeps: public-api 4.4.3
  test("is followed by its cursor until nothing is left, each message once", async () => {
    const seen: string[] = [];
    let cursor = "2026-03-02T08:00:00Z";
    for (let more = true; more; ) {
      const next = await page(`status_changed_since=${cursor}&limit=2`);
      seen.push(...next.messages.map((message) => message.message_id));
      cursor = next.next_status_changed_since;
      more = next.has_more;
    }
    expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
    expect(await page(`status_changed_since=${cursor}`)).toEqual({
      messages: [],
      next_status_changed_since: cursor,
      has_more: false,
      is_sandbox: false,
    });
  });

  // Keeps: behaviour 6.55
  test("starts an hour ago at the earliest, and says so", async () => {
    const stranger = await fixture.tenant();
    const empty = await page("status_changed_since=2020-01-01T00:00:00Z", stranger);
    expect(empty.next_status_changed_since).toBe("2026-03-02T08:00:00.000000Z");
  });

  test("warns of a start that is ahead of everything, and of no other", async () => {
    const stranger = await fixture.tenant();
    const { nowMs } = fixture.clock;
    const ahead = async (ms: number, who: Tenant, limit = 100) => {
      const since = new Date(nowMs() + ms).toISOString();
      const { messages, warnings, ...rest } = await page(`status_changed_since=${since}&limit=${limit}`, who);
      return {
        since,
        messages,
        codes: warnings?.map(({ code }) => code),
        detail: warnings?.[0]?.detail,
        ...rest,
      };
    };
    for (const limit of [100, 500]) {
      const year = await ahead(365 * 86_400_000, tenant, limit);
      expect([year.messages, year.codes, year.has_more]).toEqual([[], ["CURSOR_IN_FUTURE"], false]);
      expect(year.detail).toContain(
        "2027-03-02T09:00:00.000000Z is in the future (it is 2026-03-02T09:00:00.000000Z)",
      );
    }
    expect((await ahead(61_000, stranger)).codes).toEqual(["CURSOR_IN_FUTURE"]);
    // Clocks differ a little; and what has passed may be empty without a fault.
    expect((await ahead(60_000, stranger)).codes).toBeUndefined();
    expect((await ahead(-60_000, stranger)).codes).toBeUndefined();
  });

  test("misses nothing for a client whose clock is ahead", async () => {
    const fast = await fixture.tenant();
    const start = "2026-03-02T08:00:00.000000Z";
    const ahead = new Date(fixture.clock.nowMs() + 5000).toISOString();
    // Nothing was ever changed: all that may be shown at all is still to come.
    for (const limit of [100, 500]) {
      const none = await page(`status_changed_since=${ahead}&limit=${limit}`, fast);
      expect(none.next_status_changed_since).toBe(start);
    }
    await submitTo(fixture, fast, "before", submission({ recipients }));
    const before = await page(`status_changed_since=${start}&limit=500`, fast);
    const batch = before.messages[0]?.batch_id ?? "";
    for (const more of ["&limit=100", "&limit=500", `&batch_id=${batch}`, "&client_reference=none"]) {
      const { messages, next_status_changed_since } = await page(
        `status_changed_since=${ahead}${more}`,
        fast,
      );
      expect([messages, next_status_changed_since]).toEqual([[], before.next_status_changed_since]);
    }
    const { next_status_changed_since: cursor } = await page(`status_changed_since=${ahead}`, fast);
    await submitTo(fixture, fast, "after", submission({ body: "another" }));
    const missed = await page(`status_changed_since=${ahead}`, fast);
    expect(missed.messages).toEqual([]);
    expect((await page(`status_changed_since=${cursor}`, fast)).messages.length).toBeGreaterThan(0);
  });

  test("never warns of a cursor that a page answered, although a burst runs ahead of the clock", async () => {
    const busy = await fixture.tenant();
    await submitTo(fixture, busy, "burst", submission({ recipients }));
    await fixture.store.write((tx) => {
      const ahead = "UPDATE messages SET stamp_us = stamp_us + 3600000000";
      tx.run(`${ahead} WHERE account_id = (SELECT id FROM accounts WHERE ulid = ?)`, busy.accountId);
    });
    const all = await page("status_changed_since=2026-03-02T08:00:00Z&limit=500", busy);
    const end = await page(`status_changed_since=${all.next_status_changed_since}`, busy);
    expect([all.messages.length, end.messages, end.warnings]).toEqual([5, [], undefined]);
  });

  test("can be restricted to one batch", async () => {
    await submitTo(fixture, tenant, "second");
    const all = await page("status_changed_since=2026-03-02T08:00:00Z");
    const one = await page(`status_changed_since=2026-03-02T08:00:00Z&batch_id=${batchId}`);
    expect([all.messages.length, one.messages.length]).toEqual([6, 5]);
  });

  // Keeps: behaviour 6.52
  test.each([["01KJQX5Y8M3T7V9B2C4D6F8G0H"], ["nonsense"], [""]])(
    "answers 404 for the batch %j",
    async (id) => {
      const path = `/messages?status_changed_since=2026-03-02T08:00:00Z&batch_id=${id}`;
      expect((await getFrom(fixture, tenant, path)).status).toBe(404);
    },
  );

  // Keeps: behaviour 3.38, 6.52
  test("answers 404 for another account's batch and message, as for missing ones", async () => {
    const stranger = await fixture.tenant();
    const [message] = (await page("status_changed_since=2026-03-02T08:00:00Z")).messages;
    const mine = await getFrom(fixture, tenant, `/messages/${message?.message_id}`);
    expect(mine.status).toBe(200);
    for (const path of [
      `/messages?status_changed_since=2026-03-02T08:00:00Z&batch_id=${batchId}`,
      `/messages/${message?.message_id}`,
      `/batches/${batchId}`,
    ]) {
      const theirs = await getFrom(fixture, stranger, path);
      const problem = await problemOf(theirs);
      expect([theirs.status, problem.detail]).toEqual([404, "no such resource"]);
    }
  });
});
