/** The bits of routes, by which messages are marked. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  MAX_ROUTE_BITS,
  readRouteBits,
  renameRouteBit,
  takeRouteBit,
} from "../../../src/domain/messages/rerouting.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

let rig: Tenants;
beforeEach(() => {
  rig = tenants(configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })));
});
afterEach(() => rig.close());

const take = (route: string, configured: readonly string[] = [route]) =>
  rig.store.write((tx) => takeRouteBit(tx, "orange", route, configured));
const bits = () => readRouteBits(rig.store.read, "orange");
/** Fills all bits with routes that have left, old-0 first. */
async function fill(): Promise<void> {
  for (let index = 0; index < MAX_ROUTE_BITS; index++) expect(await take(`old-${index}`)).toBe(index);
}
/** A message that is marked for the routes of these bits. */
async function marked(set: number): Promise<number> {
  const accountId = await rig.account({ funds: 1000 });
  const batchId = await rig.send(accountId, "MARKETING", ["70000001"]);
  await rig.store.write((tx) =>
    tx.run("UPDATE messages SET routes_tried = ? WHERE batch_id = ?", set, batchId),
  );
  return batchId;
}
const ALL = 2 ** MAX_ROUTE_BITS - 1;

describe("the bit of a route", () => {
  test("stays its own, and is free again once it left and nobody waits with it: renames never use them up", async () => {
    for (let index = 0; index < 3 * MAX_ROUTE_BITS; index++)
      expect(await take(`route-${index}`)).not.toBeNull();
    expect(await take("route-44")).toBe(bits().get("route-44"));
    expect(bits().size).toBeLessThanOrEqual(MAX_ROUTE_BITS);
  });

  test("is not reused while a message waits with it", async () => {
    await fill();
    await marked(ALL & ~(1 << 3));
    expect(await take("new")).toBe(3);
    expect(bits().get("old-3")).toBeUndefined();
    expect(bits().get("old-4")).toBe(4);
  });

  test.each([
    ["QUEUED", "status = 'QUEUED'"],
    ["under way", "status = 'SUBMITTED'"],
    ["of unknown outcome", "status = 'SUBMITTED', unanswered_at = 1, unanswered_until = 2"],
  ])("is none where messages wait with each, %s, and one once they are over", async (_, columns) => {
    await fill();
    const batchId = await marked(ALL);
    await rig.store.write((tx) => tx.run(`UPDATE messages SET ${columns} WHERE batch_id = ?`, batchId));
    expect(await take("new")).toBeNull();
    expect(bits().size).toBe(MAX_ROUTE_BITS);
    await rig.store.write((tx) =>
      tx.run(
        `UPDATE messages SET status = 'SENT', unanswered_at = NULL, unanswered_until = NULL WHERE batch_id = ?`,
        batchId,
      ),
    );
    expect(await take("new")).not.toBeNull();
  });

  test("is never taken from a route of the configuration", async () => {
    await fill();
    const configured = Array.from({ length: MAX_ROUTE_BITS }, (_, index) => `old-${index}`);
    expect(await take("new", configured)).toBeNull();
    expect(await take("new", configured.slice(1))).toBe(0);
  });

  test("goes with its route to another name, which keeps one that it has", async () => {
    await take("direct");
    await take("agg");
    const rename = (from: string, to: string) =>
      rig.store.write((tx) => renameRouteBit(tx, "orange", from, to));
    expect(await rename("direct", "main")).toBe(true);
    expect([...bits()].sort()).toEqual([
      ["agg", 1],
      ["main", 0],
    ]);
    expect(await rename("main", "agg")).toBe(false);
    expect(await rename("none", "other")).toBe(false);
    expect(bits().get("agg")).toBe(1);
  });
});
