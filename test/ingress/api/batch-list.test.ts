import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBatches } from "../../../src/domain/messages/batches.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "./fixture.ts";

type Json = Readonly<Record<string, unknown>>;
type Page = { readonly batches: readonly Json[]; readonly next_cursor: string | null };

let fixture: HttpFixture;
let tenant: Tenant;
let other: Tenant;
/** Accepted a second apart, the newest first. */
const sent: string[] = [];
const STATUSES = ["QUEUED", "SETTLED", "CANCELLED", "SENDING", "SETTLED", "REJECTED", "SETTLED"];

beforeAll(async () => {
  fixture = await httpFixture();
  [tenant, other] = [await fixture.tenant(), await fixture.tenant()];
  for (const [index, status] of STATUSES.entries()) {
    const body = submission({
      body: `Texte ${index}`,
      recipients: [{ msisdn: "70000001" }, { msisdn: "1" }],
    });
    for (const by of [tenant, other]) {
      const answer = (await (await submitTo(fixture, by, `batch-${index}`, body)).json()) as { data: Json };
      if (by === tenant) sent.unshift(String(answer.data.batch_id));
    }
    await fixture.store.write((tx) => {
      tx.run(
        `UPDATE batches SET status = ?1, unfinished = 0, unclosed = 0, released_amount = reserved_amount,
           posted_released = reserved_amount WHERE ulid = ?2`,
        status,
        sent[0] ?? "",
      );
    });
    await fixture.clock.advance(1000);
  }
  // The newest, and nobody was answered for it.
  await fixture.store.write((tx) => {
    const row = tx.get<{ id: number }>("SELECT max(id) AS id FROM batches");
    tx.run("UPDATE batches SET status = 'STAGING' WHERE id = ?", row?.id ?? 0);
  });
});
afterAll(() => fixture.close());

const ask = (query: string, by = tenant) => getFrom(fixture, by, `/batches${query}`);
const page = async (query: string, by = tenant): Promise<Page> => {
  const response = await ask(query, by);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Page }).data;
};
const idsOf = ({ batches }: Page) => batches.map(({ batch_id }) => batch_id);
const withStatus = (...wanted: readonly string[]) =>
  sent.filter((_, index) => wanted.includes(STATUSES.at(-1 - index) ?? ""));
const faultOf = async (query: string, by = tenant) => {
  const { code, errors } = await problemOf(await ask(query, by));
  return [code, ...(errors ?? []).map(({ path }) => path)];
};

describe("GET /batches", () => {
  // Keeps: behaviour 7.25, 7.26
  test("lists the account's own, newest first, each as its fetch form without rejections", async () => {
    const { batches, next_cursor } = await page("");
    expect([batches.map(({ batch_id }) => batch_id), next_cursor]).toEqual([sent, null]);
    for (const batch of batches) {
      const fetched = await getFrom(fixture, tenant, `/batches/${batch.batch_id}`);
      const { rejections, warnings, ...rest } = ((await fetched.json()) as { data: Json }).data;
      expect(rejections).toMatchObject([{ reason_code: "INVALID_MSISDN" }]);
      expect([batch, warnings]).toEqual([rest, []]);
    }
    expect(idsOf(await page("", other)).length).toBe(STATUSES.length - 1);
  });

  // Keeps: behaviour 7.27
  test.each([
    [1, ""],
    [2, ""],
    [3, ""],
    [7, ""],
    [1, "&status=SETTLED"],
    [2, "&status=REJECTED,CANCELLED"],
  ])("goes through pages of %i%s, and the last has no cursor", async (limit, filter) => {
    const seen: unknown[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next: Page = await page(`?limit=${limit}${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(next.batches.length).toBeLessThanOrEqual(limit);
      seen.push(...idsOf(next));
      cursor = next.next_cursor;
      pages += 1;
    }
    const wanted = filter === "" ? sent : withStatus(...filter.replace("&status=", "").split(","));
    expect(seen).toEqual(wanted);
    expect(pages).toBe(Math.ceil(wanted.length / limit));
  });

  // Keeps: behaviour 7.28
  test.each([
    ["SETTLED"],
    ["REJECTED"],
    ["QUEUED,SENDING"],
    ["CANCELLED,SETTLED"],
    ["CANCELLED, REJECTED"],
    ["SETTLED,SETTLED"],
    ["FAILED"],
  ])("of one or several states: %s", async (status) => {
    const wanted = withStatus(...status.split(",").map((word) => word.trim()));
    expect(idsOf(await page(`?status=${encodeURIComponent(status)}`))).toEqual(wanted);
  });

  // Keeps: behaviour 7.28
  test("from a moment on, which is included, to another, which is not", async () => {
    const query = (from: string, to: string) => page(`?created_from=${from}&created_to=${to}`).then(idsOf);
    expect(await query("2026-03-02T09:00:02Z", "2026-03-02T09:00:04Z")).toEqual(sent.slice(3, 5));
    expect(await query("2026-03-02T10:00:02%2B01:00", "2026-03-02T09:00:03Z")).toEqual(sent.slice(4, 5));
    expect(await query("2026-03-02T09:00:02.000001Z", "2026-03-02T09:00:04.000001Z")).toEqual(
      sent.slice(2, 4),
    );
    expect(await query("2026-03-02T09:00:04Z", "2026-03-02T09:00:02Z")).toEqual([]);
    const rare = "?status=REJECTED&created_from=2026-03-02T09:00:05Z&created_to=2026-03-02T09:00:06Z";
    expect(idsOf(await page(rare))).toEqual(withStatus("REJECTED"));
  });

  // Keeps: behaviour 7.29
  test.each([
    ["?stauts=SENDING", "/stauts"],
    ["?limit=5&before=x", "/before"],
    ["?status=", "/status"],
    ["?status=SENT", "/status"],
    ["?status=STAGING", "/status"],
    ["?status=SETTLED,", "/status"],
    ["?status=settled", "/status"],
    ["?limit=0", "/limit"],
    ["?limit=501", "/limit"],
    ["?limit=ten", "/limit"],
    ["?limit=1&limit=2", "/limit"],
    ["?created_from=yesterday", "/created_from"],
    ["?created_to=2026-03-02", "/created_to"],
    ["?cursor=", "/cursor"],
    ["?cursor=01KJQX5Y8M3T7V9B2C4D6F8G0H", "/cursor"],
  ])("refuses %s", async (query, path) => {
    expect(await faultOf(query)).toEqual(["VALIDATION_FAILED", path]);
  });

  test("tells which parameter was probably meant", async () => {
    const { detail } = await problemOf(await ask("?stauts=SENDING"));
    expect(detail).toBe("stauts is not a known parameter; did you mean status?");
  });

  // Keeps: behaviour 7.27
  test("takes a cursor for its own account and its own filters alone, and with any limit", async () => {
    const { next_cursor } = await page("?limit=1&status=SETTLED,QUEUED");
    expect(idsOf(await page(`?limit=5&status=QUEUED,SETTLED&cursor=${next_cursor}`))).toEqual(
      withStatus("SETTLED", "QUEUED").slice(1),
    );
    for (const filters of [
      "",
      "&status=SETTLED",
      "&status=QUEUED,SETTLED&created_from=2026-01-01T00:00:00Z",
    ]) {
      expect(await faultOf(`?limit=1&cursor=${next_cursor}${filters}`)).toEqual([
        "VALIDATION_FAILED",
        "/cursor",
      ]);
    }
    expect(await faultOf(`?status=QUEUED,SETTLED&cursor=${next_cursor}`, other)).toEqual([
      "VALIDATION_FAILED",
      "/cursor",
    ]);
  });

  test("needs MESSAGES_READ", async () => {
    const sender = await fixture.key(tenant.accountId, ["MESSAGES_SEND"]);
    expect(await verdict(await ask("", sender))).toBe("403 INSUFFICIENT_SCOPE");
  });
});

test("a page that looks for few of very many goes on where it stopped, and others have their turn", async () => {
  const rich = await fixture.tenant();
  await fixture.store.write((tx) => {
    tx.run(
      `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone, created_at,
         expires_at, charge_on, first_message_id)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
       SELECT printf('01KJPWD6M1%016d', i), ?, iif(i = 7, 'SENDING', 'SETTLED'), 'ACME', 'SMS', 'OTP', 'x', 0, 'UTC', i, 0,
         'accepted', 0 FROM n`,
      rich.accountId,
    );
  });
  let turns = 0;
  const pause = () => {
    turns += 1;
    return undefined;
  };
  const filter = {
    statuses: ["SENDING"] as const,
    clientReference: null,
    fromMs: 0,
    toMs: Number.MAX_SAFE_INTEGER,
  };
  const first = await findBatches(fixture.store.read, rich.accountId, filter, null, 5, pause);
  expect([first.batches.length, first.after, turns]).toEqual([0, "01KJPWD6M10000000000025001", 40]);
  const pages: Page[] = [];
  for (let cursor = ""; ; cursor = `&cursor=${pages.at(-1)?.next_cursor}`) {
    pages.push(await page(`?status=SENDING${cursor}`, rich));
    if (pages.at(-1)?.next_cursor === null) break;
  }
  expect(pages.map(({ batches }) => batches.length)).toEqual([0, 0, 1]);
});

test("rare states are read from an index that a batch that is sent and settled never stands in", () => {
  const plan = fixture.store.read
    .all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM batches INDEXED BY batches_set_apart WHERE account_id = 1
         AND (created_at, id) < (5, 5) AND created_at >= 0
         AND status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED')
       ORDER BY created_at DESC, id DESC LIMIT 5`,
    )
    .map(({ detail }) => detail);
  expect(plan.join()).toMatch(
    /^SEARCH batches USING (COVERING )?INDEX batches_set_apart \(account_id=\? AND created_at>\? AND created_at<\?\)$/,
  );
});
