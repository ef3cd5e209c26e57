import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { poll } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

const RECIPIENTS = 2000;
/** Enough for a part of the staging, and not for its end. */
const ROOM_BYTES = 1_400_000;

let disk: SmallDisk | null = null;
let bendre: Appliance | null = null;
let tenant: Tenant;

beforeAll(async () => {
  disk = smallDisk(64);
  if (!disk) return;
  bendre = await appliance({ operators: { orange: "away" }, disk: disk.path, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Disque plein", { money: 10_000_000 });
});
afterAll(() => {
  bendre?.close();
  disk?.remove();
});

const batch = (body: string, count: number) => ({
  sender: "ACME",
  body,
  message_class: "TRANSACTIONAL",
  recipients: Array.from({ length: count }, (_, index) => ({ msisdn: `74${100_000 + index}` })),
});

/** How many messages of batches that are not open the database holds. */
function staged({ directory }: Appliance): number {
  const db = new Database(join(directory, "bendre.db"), { readonly: true });
  try {
    const row = db
      .query<{ n: number }, []>(
        "SELECT count(*) AS n FROM messages JOIN batches b ON b.id = batch_id WHERE b.status = 'STAGING'",
      )
      .get();
    return row?.n ?? 0;
  } finally {
    db.close();
  }
}

describe("a submission that fails because the disk is full", () => {
  test("is taken whole when it is sent again with the same key, without a restart", async () => {
    if (!disk || !bendre) return;
    disk.fillBut(ROOM_BYTES);
    const failed = await tenant.api.post("retried", batch("Bonjour", RECIPIENTS));
    expect([failed.status, failed.body.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(staged(bendre)).toBeGreaterThan(0);
    // So little is left that nothing is tried any more, although nobody has asked how the appliance is.
    const other = await tenant.api.post("meanwhile", batch("Bonsoir", 1));
    expect([other.status, other.body.code]).toEqual([503, "STORAGE_FULL"]);
    disk.makeRoom();
    const again = await poll(
      () => tenant.api.post("retried", batch("Bonjour", RECIPIENTS)),
      ({ status }) => status !== 503,
    );
    expect([again.status, again.data]).toMatchObject([
      202,
      { status: "QUEUED", accepted: RECIPIENTS, rejected: 0, reserved_amount: RECIPIENTS * 15 },
    ]);
    expect(again.headers.has("idempotency-replayed")).toBe(false);
  });

  test("leaves nothing behind once there is room, and the books agree", async () => {
    if (!bendre) return;
    const own = bendre;
    await poll(
      () => staged(own),
      (left) => left === 0,
    );
    expect(own.admin("ledger", "check")).toMatchObject({ batches: 1, messages: RECIPIENTS });
    const { data } = await tenant.api.get("/account/balance");
    expect(data).toMatchObject({ reserved: RECIPIENTS * 15 });
  });
});
