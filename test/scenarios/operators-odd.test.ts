import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NUMBER_SPELLINGS, PLAIN, TEXT_CODINGS } from "../../src/simulator/quirks.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let whole: Stage;
let client: Client;
beforeAll(async () => {
  whole = await stage();
  client = await whole.client();
});
beforeEach(() => whole.smsc.change(PLAIN));
afterAll(() => whole.close());

let next = 70_000_000;

/** Lets time go by until something is so. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await whole.clock.advance(20);
}

const listed = async (): Promise<string[]> => {
  const { suppressions } = (await whole.admin("suppression list", { everywhere: "true" })) as {
    suppressions: readonly { msisdn: string }[];
  };
  return suppressions.map(({ msisdn }) => msisdn);
};

describe("STOP from a handset is heeded", () => {
  const odd = [
    ...TEXT_CODINGS.map((textCoding) => ({ textCoding })),
    ...NUMBER_SPELLINGS.map((numberSpelling) => ({ numberSpelling })),
    { brokenParameters: true },
    { textCoding: "ucs2_class", numberSpelling: "double_zero", brokenParameters: true },
  ] as const;
  for (const quirks of odd) {
    test(`of an operator with ${JSON.stringify(quirks)}`, async () => {
      const from = `226${next++}`;
      whole.smsc.change(quirks);
      whole.smsc.sendMo(from, "3210", "ARRÊT");
      await until(async () => (await listed()).includes(`+${from}`));
      expect(whole.smsc.stats().violations).toBe(0);
    });
  }
});

test("a receipt with a broken optional parameter behind it ends its message, and the log tells it without the content", async () => {
  whole.smsc.change({ brokenParameters: true });
  const { batch_id } = await client.submit({ recipients: [{ msisdn: String(next++) }] });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  expect(await client.messages(batch_id)).toMatchObject([{ status: "DELIVERED" }]);
  const lines = whole.log().filter((line) => JSON.stringify(line).includes("broken optional parameters"));
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain("stat:");
});
