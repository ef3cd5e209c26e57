import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBatch } from "../../../src/domain/messages/batches.ts";
import { REJECTIONS_A_CHUNK, streamBatch } from "../../../src/ingress/api/routes/batches.ts";
import { getFrom, type HttpFixture, httpFixture, submission, submitTo, type Tenant } from "./fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

type Batch = {
  readonly batch_id: string;
  readonly rejected: number;
  readonly rejections: readonly { index: number; msisdn: string | null; reason_code: string }[];
};

const dataOf = async (response: Response) => ((await response.json()) as { data: Batch }).data;

/** A batch whose recipients but the first are invalid. */
async function batchWith(rejected: number): Promise<Batch> {
  const recipients = [{ msisdn: "70123456" }, ...Array.from({ length: rejected }, () => ({ msisdn: "12" }))];
  const body = `Of which ${rejected} are rejected`;
  const response = await submitTo(fixture, tenant, `rejected-${rejected}`, submission({ body, recipients }));
  return dataOf(response);
}

describe("a batch is fetched with all of its rejections", () => {
  const chunk = REJECTIONS_A_CHUNK;

  // Keeps: public-api 2.2.14
  test.each([[0], [1], [chunk - 1], [chunk], [chunk + 1], [3 * chunk], [9_000]])(
    "when they are %i",
    async (rejected) => {
      const { batch_id } = await batchWith(rejected);
      const response = await getFrom(fixture, tenant, `/batches/${batch_id}`);
      const batch = await dataOf(response);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(batch.rejected).toBe(rejected);
      expect(batch.rejections.map(({ index }) => index)).toEqual(
        Array.from({ length: rejected }, (_, index) => index + 1),
      );
    },
  );

  test("in the same form as the submission answered", async () => {
    const { batch_id, rejections } = await batchWith(2);
    expect((await dataOf(await getFrom(fixture, tenant, `/batches/${batch_id}`))).rejections).toEqual(
      rejections,
    );
  });
});

test("a long answer gives others their turn before each of its chunks", async () => {
  const { batch_id } = await batchWith(4 * REJECTIONS_A_CHUNK);
  const row = findBatch(fixture.store.read, tenant.accountId, batch_id)!;
  let turns = 0;
  const body = streamBatch(fixture.store.read, row, async () => {
    turns += 1;
  });
  const text = await new Response(body).text();
  expect(turns).toBeGreaterThanOrEqual(5);
  expect((JSON.parse(text) as { data: Batch }).data.rejections.length).toBe(4 * REJECTIONS_A_CHUNK);
});

test("a client that goes away in the middle of a long answer disturbs nobody", async () => {
  const { batch_id } = await batchWith(9_500);
  const abort = new AbortController();
  const response = await fetch(`${fixture.http.url}/public/v1/batches/${batch_id}`, {
    headers: { "x-api-key": tenant.apiKey },
    signal: abort.signal,
  });
  await response.body?.getReader().read();
  abort.abort();
  expect((await getFrom(fixture, tenant, `/batches/${batch_id}`)).status).toBe(200);
});
