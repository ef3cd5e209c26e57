import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const MESSAGES = 5000;
const BATCHES = 5;
const EACH = MESSAGES / BATCHES;

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  // Receipts that trail behind, so that messages move in all directions at the same time.
  const trailing = ["--receipt-delay-ms", "100", "--receipt-jitter-ms", "400", "--response-jitter-ms", "30"];
  bendre = await appliance({ operators: { orange: trailing }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Suivi");
});
afterAll(() => bendre?.close());

const submission = (batch: number) => ({
  sender: "ACME",
  body: "Message {n}",
  message_class: batch % 2 === 0 ? "TRANSACTIONAL" : "OTP",
  // The last five digits stay below those that choose an outcome.
  recipients: Array.from({ length: EACH }, (_, index) => ({
    msisdn: `745${String(batch * EACH + index).padStart(5, "0")}`,
    attributes: { n: index },
  })),
});

type Seen = { changes: string[]; latest: Map<unknown, Json> };

/** Polls the feed until it has seen every message final; `next` makes the next cursor of the promised one. */
async function follow(limit: number, next: (cursor: string) => string): Promise<Seen> {
  const seen: Seen = { changes: [], latest: new Map() };
  let cursor = new Date(Date.now() - 60_000).toISOString();
  const page = async () => {
    const { data } = await tenant.api.get(`/messages?status_changed_since=${cursor}&limit=${limit}`);
    for (const message of data.messages as Json[]) {
      seen.changes.push(String(message.status_changed_at));
      seen.latest.set(message.message_id, message);
    }
    cursor = next(String(data.next_status_changed_since));
    return data.has_more === true;
  };
  await poll(
    async () => {
      while (await page());
      return [...seen.latest.values()].filter(({ is_final }) => is_final).length;
    },
    (final) => final === MESSAGES,
  );
  return seen;
}

describe("the feed, while 5,000 messages move", () => {
  // Keeps: public-api 1.9, 4.4.2, 4.4.3, 4.4.8
  test("loses nothing and repeats nothing, and a client that cuts its cursor to milliseconds loses nothing either", async () => {
    const followers = Promise.all([
      follow(500, (cursor) => cursor),
      follow(100, (cursor) => `${cursor.slice(0, 23)}Z`),
    ]);
    const ids: unknown[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const { status, data } = await tenant.api.post(`feed-${batch}`, submission(batch));
      expect([status, data.accepted]).toEqual([202, EACH]);
      ids.push(data.batch_id);
    }
    const [exact, cut] = await followers;
    for (const id of ids) {
      expect(await tenant.api.ended(id)).toMatchObject({ counts: { total: EACH, delivered: EACH } });
    }

    // Every change once, each later than the one before, in microseconds.
    expect(exact.changes.every((stamp) => /\.\d{6}Z$/.test(stamp))).toBe(true);
    expect(exact.changes).toEqual([...new Set(exact.changes)].sort());
    for (const { latest } of [exact, cut]) {
      expect(latest.size).toBe(MESSAGES);
      const places = [...latest.values()].map(({ batch_id, index }) => `${batch_id} ${index}`);
      expect(new Set(places).size).toBe(MESSAGES);
    }

    // What each of them knows at the end is what the messages themselves say.
    const [id, known] = [...exact.latest][MESSAGES / 2]!;
    expect((await tenant.api.get(`/messages/${String(id)}`)).data).toEqual(known);
    for (const [message, atCut] of cut.latest) expect(atCut).toEqual(exact.latest.get(message)!);
  });

  // Keeps: public-api 4.4.6
  test("takes a limit of 1 to 500, 100 when there is none", async () => {
    const since = new Date(Date.now() - 600_000).toISOString();
    const page = (query: string) => tenant.api.get(`/messages?status_changed_since=${since}${query}`);
    const length = async (query: string) => ((await page(query)).data.messages as Json[]).length;
    expect([await length(""), await length("&limit=1"), await length("&limit=500")]).toEqual([100, 1, 500]);
    for (const limit of ["0", "501", "-1", "many", ""]) {
      expect((await page(`&limit=${limit}`)).body).toMatchObject({ code: "VALIDATION_FAILED" });
    }
  });

  // Keeps: public-api 4.4.5
  test("starts at the longest lookback when it is asked for more", async () => {
    const { status, data } = await tenant.api.get("/messages?status_changed_since=1999-12-31T23:59:59Z");
    expect([status, (data.messages as Json[]).length, data.has_more]).toEqual([200, 100, true]);
  });
});
