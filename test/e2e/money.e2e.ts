/**
 * An account that tries to make money out of the executable: submissions side by side and under keys used before,
 * cancellations against receipts, prices and money changed in between, and a server that is killed again and again.
 * Afterwards the books balance to the franc, reckoned from what the client itself can read.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedFrom, type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

/** Not enough for all that is asked for. */
const PAID_IN = 16_000;
const KILLS = 4;

let bendre: Appliance;
let tenant: Tenant;
beforeAll(async () => {
  bendre = await appliance({ operators: { orange: [...BRISK] }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Faso Shop", { money: PAID_IN });
});
afterAll(() => bendre.close());

const post = (n: number) =>
  tenant.api.post(`k${n}`, {
    sender: "ACME",
    body: `Bonjour ${n}`,
    message_class: n % 3 === 0 ? "OTP" : "TRANSACTIONAL",
    recipients: Array.from({ length: 1 + (n % 30) }, (_, index) => ({
      msisdn: numberOf(n, index),
    })),
  });

/** By its ending, the simulated operator refuses one in ten for good, and reports one in ten as never delivered. */
function numberOf(n: number, index: number): string {
  const digit = Math.floor(index / 10);
  switch (index % 10) {
    case 8:
      return `74${digit}99005`;
    case 9:
      return `74${digit}99002`;
    default:
      return String(74_000_000 + n * 100 + index);
  }
}

/** Asks until there is an answer: the server may be down. */
async function insist(n: number): Promise<Json> {
  for (;;) {
    const reply = await post(n).catch(() => null);
    if (reply && reply.status !== 409) return { ...reply.data, http: reply.status };
    await Bun.sleep(20);
  }
}

/** Money and prices change while all this goes on. */
function meddle(n: number): number {
  if (n % 20 === 0) {
    bendre.admin("price", "set", tenant.accountId, "--operator", "orange", "--amount", String(5 + (n % 7)));
  }
  if (n % 25 !== 0) return 0;
  const amount = n % 50 === 0 ? 700 : -500;
  bendre.admin("wallet", "adjust", tenant.accountId, String(amount), "--reason", "meddling");
  return amount;
}

/**
 * What a kill left in doubt for a day: a second submit was refused for good, and the operator may have taken the first, which nobody
 * answered. Its money stays reserved.
 */
const inDoubt = () =>
  (bendre.admin("operator", "unanswered").messages as Json[]).filter(({ until }) => until !== null);

/** Waits until everything has ended but what is in doubt; that. */
async function allEnded(): Promise<readonly Json[]> {
  const messages = await poll(
    () => feedFrom(tenant.api, "2026-01-01T00:00:00Z"),
    (feed) => feed.filter(({ is_final }) => is_final !== true).length === inDoubt().length,
  );
  const batches = new Set(messages.map(({ batch_id }) => batch_id));
  for (const { batch_id } of messages.filter(({ is_final }) => is_final !== true)) batches.delete(batch_id);
  for (const batchId of batches) await tenant.api.ended(batchId);
  return messages.filter(({ is_final }) => is_final !== true);
}

describe("the books", () => {
  test("balance to the franc after everything that a client and an administrator can do, and four kills", async () => {
    let next = 0;
    let adjusted = 0;
    const accepted = new Map<string, Json>();
    const refused: unknown[] = [];
    const client = async () => {
      while (next < 240) {
        const n = next++;
        const twin = n % 8 === 0 ? post(n).catch(() => null) : null;
        const reply = await insist(n);
        await twin;
        if (reply.http !== 202) refused.push(reply.http);
        else accepted.set(String(reply.batch_id), reply);
        if (n % 6 === 0 && reply.http === 202) {
          await tenant.api.get(`/batches/${reply.batch_id}`).catch(() => null);
          cancelSome.push(String(reply.batch_id));
        }
      }
    };
    const cancelSome: string[] = [];
    const administrator = async () => {
      let seen = 0;
      for (let round = 0; round < KILLS; round++) {
        while (next < ((round + 1) * 240) / (KILLS + 1)) {
          await Bun.sleep(20);
          if (next !== seen) adjusted += meddle(next);
          seen = next;
          const batch = cancelSome.shift();
          if (batch) bendre.attempt("batch", "cancel", batch, "--reason", "changed my mind");
        }
        await bendre.end("SIGKILL");
        await bendre.start();
        bendre.admin("ledger", "check");
      }
    };
    await Promise.all([administrator(), client(), client(), client(), client()]);
    const doubtful = await allEnded();

    expect([...new Set(refused)]).toEqual([402]);
    expect(accepted.size).toBeGreaterThan(20);
    const messages = await feedFrom(tenant.api, "2026-01-01T00:00:00Z");
    const charged = messages.reduce((sum, { amount }) => sum + Number(amount), 0);
    const reserved = doubtful.reduce((sum, { reserved_amount }) => sum + Number(reserved_amount), 0);
    const withReservation = messages.filter(({ reserved_amount }) => reserved_amount !== 0);
    expect(withReservation.map(({ message_id }) => message_id).sort()).toEqual(
      doubtful.map(({ message_id }) => message_id).sort(),
    );
    const { data: balance } = await tenant.api.get("/account/balance");
    expect({ balance: balance.balance, reserved: balance.reserved }).toEqual({
      balance: PAID_IN + adjusted - charged,
      reserved,
    });
    bendre.admin("ledger", "check");

    const statement = bendre.admin("wallet", "statement", tenant.accountId, "--batches");
    const total = statement.total as Record<string, number>;
    expect(total).toMatchObject({ charged, still_reserved: reserved, messages: messages.length });
    expect(total.reserved).toBe(Number(total.charged) + Number(total.released) + reserved);
    for (const batch of statement.batches as Record<string, number>[]) {
      const own = messages.filter(({ batch_id }) => batch_id === (batch as Json).batch_id);
      expect(batch.charged).toBe(own.reduce((sum, { amount }) => sum + Number(amount), 0));
    }
    expect(bendre.admin("wallet", "statement", tenant.accountId).closing_balance).toBe(balance.balance);
  });
});
