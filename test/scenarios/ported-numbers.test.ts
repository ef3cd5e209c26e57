/** Ported numbers on the way of a message: what is quoted, accepted, priced and sent, with the whole appliance. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let whole: Stage;
let client: Client;
let atStart: Config;
beforeEach(async () => {
  whole = await stage();
  atStart = whole.settings.now();
  client = await whole.client();
  await take(withMoov());
  await whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: "moov" });
});
afterEach(() => whole.close());

/** Moov beside orange, over the same simulated operator, at 20 XOF. */
function withMoov(): Config {
  const { orange } = atStart.operators;
  if (orange === undefined) throw new Error("the stage has orange");
  return { ...atStart, operators: { orange, moov: { ...orange, prefixes: ["22660"], price: 20 } } };
}

async function take(config: Config): Promise<void> {
  whole.write(config);
  let isDone = false;
  const reloaded = whole.admin("config reload").finally(() => {
    isDone = true;
  });
  while (!isDone) await whole.clock.advance(20);
  await reloaded;
}

const override = (number: string, operator: string) =>
  whole.admin("route override", { NUMBER: number, OPERATOR: operator });
const to = (...numbers: readonly string[]) => numbers.map((msisdn) => ({ msisdn }));

async function quote(changes: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${whole.url()}/public/v1/batches/quote`, {
    method: "POST",
    headers: { "x-api-key": client.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ sender: "ACME", body: "Bonjour", message_class: "TRANSACTIONAL", ...changes }),
  });
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";

describe("a ported number", () => {
  test("is quoted, reserved, charged and sent as its operator's, and its client sees nothing but the operator", async () => {
    await override("70000001", "moov");
    await override("2267001*", "none");
    const recipients = to("70000001", "70000002", "70010001", "60000001");
    expect(await quote({ recipients })).toMatchObject({ accepted: 3, rejected: 1, amount: 20 + 15 + 20 });
    const batch = await client.submit({ body: "Bonjour", recipients });
    expect(batch).toMatchObject({ accepted: 3, reserved_amount: 55 });
    expect(batch.rejections).toEqual([
      { index: 2, msisdn: "+22670010001", reason_code: "UNROUTABLE_PREFIX" },
    ]);
    expect(await client.until(batch.batch_id, isOver)).toMatchObject({ charged_amount: 55 });
    const messages = await client.messages(batch.batch_id);
    const seen = new Map(messages.map(({ msisdn, operator }) => [msisdn, operator]));
    expect(seen).toEqual(
      new Map([
        ["+22670000001", "moov"],
        ["+22670000002", "orange"],
        ["+22660000001", "moov"],
      ]),
    );
    const [ported, other] = ["+22670000001", "+22670000002"].map((number) =>
      messages.find(({ msisdn }) => msisdn === number),
    );
    expect(Object.keys(ported ?? {})).toEqual(Object.keys(other ?? {}));
    expect(JSON.stringify(messages)).not.toMatch(/port/i);
  });

  test("of an operator that left the configuration is rejected, quoted or sent, and waits for nobody", async () => {
    await override("70000001", "moov");
    await take(atStart);
    const recipients = to("70000001", "70000002");
    expect(await quote({ recipients })).toMatchObject({ accepted: 1, rejected: 1 });
    const { rejections } = await client.submit({ recipients });
    expect(rejections).toMatchObject([{ index: 0, reason_code: "UNROUTABLE_PREFIX" }]);
  });

  test("that waits already keeps its operator and its price", async () => {
    await whole.admin("operator pause", { CODE: "orange", reason: "maintenance" });
    const batch = await client.submit({ recipients: to("70000001") });
    await override("70000001", "moov");
    await whole.admin("operator resume", { CODE: "orange" });
    expect(await client.until(batch.batch_id, isOver)).toMatchObject({ charged_amount: 15 });
    expect(await client.messages(batch.batch_id)).toMatchObject([{ operator: "orange" }]);
    const later = await client.submit({ recipients: to("70000001") });
    expect(later).toMatchObject({ reserved_amount: 20 });
  });

  test("has the price that its account has for its operator", async () => {
    await whole.admin("price set", { ACCOUNT: client.accountId, operator: "moov", amount: "7" });
    await override("70000001", "moov");
    expect(await quote({ recipients: to("70000001") })).toMatchObject({ amount: 7 });
  });

  test("of a large batch is routed as one of a small batch, when it is validated", async () => {
    await override("2267002*", "moov");
    const recipients = to(...Array.from({ length: 10_001 }, (_, index) => String(70_015_000 + index)));
    const batch = await client.submit({ message_class: "MARKETING", recipients });
    expect(batch.status).toBe("VALIDATING");
    const accepted = await client.until(batch.batch_id, ({ status }) => status !== "VALIDATING");
    // 70,020,000 to 70,025,000 are of moov.
    expect(accepted.reserved_amount).toBe(5000 * 15 + 5001 * 20);
  });
});

test("what is set by hand outlasts a restart, and what an import staged when the process ended is cleared by it", async () => {
  await override("70000001", "moov");
  await whole.stop();
  const file = join(whole.settings.now().storage.directory, "bendre.db");
  const beside = new Database(file);
  beside.run("INSERT INTO ported_imports (id, state) VALUES (7, 'STAGING')");
  beside.run(
    "INSERT INTO ported_numbers (digits, is_prefix, import_id, owner_id) VALUES ('22670000009', 0, 7, 1)",
  );
  beside.close();
  await whole.start();
  const left = () => {
    const looking = new Database(file, { readonly: true });
    const rows = looking.query("SELECT digits FROM ported_numbers ORDER BY digits").values().flat();
    looking.close();
    return rows;
  };
  while (left().length > 1) await whole.clock.advance(20);
  expect(left()).toEqual(["22670000001"]);
  expect(await whole.admin("route show", { MSISDN: "70000001" })).toMatchObject({
    routed_to: "moov",
    by: "override",
  });
});

test("an erased number is told and gone, and a prefix names nobody", async () => {
  await override("70000001", "moov");
  await override("2267000*", "moov");
  const told = await whole.admin("data export", { MSISDN: "70000001" });
  expect(told.ported).toEqual([
    { operator: "moov", by: "override", since: expect.any(String), source: null },
  ]);
  let isDone = false;
  const erasing = whole.admin("data erase", { MSISDN: "70000001" }).finally(() => {
    isDone = true;
  });
  while (!isDone) await whole.clock.advance(20);
  expect(await erasing).toMatchObject({ erased: { ported: 1 }, left: 0, left_in_file: 0 });
  expect((await whole.admin("data export", { MSISDN: "70000001" })).ported).toEqual([]);
  expect(await whole.admin("route show", { MSISDN: "70000001" })).toMatchObject({ prefix: "2267000*" });
});
