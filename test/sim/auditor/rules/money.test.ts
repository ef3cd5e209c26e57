import { describe, expect, test } from "vitest";
import { idOf, type Otherwise, type Scene, wholeRun } from "../scene.ts";
import { balances } from "./balances.ts";
import { charges } from "./charges.ts";
import { found } from "./found.ts";
import { prices } from "./prices.ts";
import { statements } from "./statements.ts";

function run(otherwise: Otherwise): string {
  return found(wholeRun(otherwise), prices, charges, balances, statements);
}

const DONE = { data: {} };
const price =
  (amount: string, extra = {}) =>
  (scene: Scene) =>
    void scene.command("price set", { ACCOUNT: "alpha", operator: "orange", amount, ...extra }, DONE);

describe("what is reserved", () => {
  test("is a finding where it is not segments × price", () => {
    expect(run({ answer: { reserved_amount: 34 } })).toContain("prices: ");
    expect(run({ answer: { total_segments: 3 } })).toContain("its texts make 2");
    expect(run({ rows: [{ reserved_amount: 15 }, {}] })).toContain("15 XOF reserved");
    expect(run({ rows: [{ segments: 2 }, {}] })).toContain("shows 2 GSM7");
    expect(run({ rows: [{ amount: 16 }, {}] })).toContain("it must be 15");
  });

  test("follows the account's own price, the class's before the operator's", () => {
    expect(run({ before: price("10") })).toContain("by the prices of that time it is 30");
    const both = (scene: Scene) => {
      price("10")(scene);
      price("15", { class: "TRANSACTIONAL" })(scene);
    };
    expect(run({ before: both })).toBe("");
    expect(run({ during: price("10") })).toBe("");
  });
});

describe("what is charged", () => {
  test("is a finding where a delivered message is released, or a batch does not add up", () => {
    expect(run({ rows: [{ amount: 0 }, {}] })).toContain("it must be 15");
    expect(run({ batch: { charged_amount: 20, released_amount: 5 } })).toContain("squared");
    expect(run({ batch: { charged_amount: 20, released_amount: 15 } })).toContain("were charged 35");
  });

  test("is nothing for what was never accepted", () => {
    const never = { status: "FAILED", amount: 15, sent_at: null, error: { code: "EXPIRED_IN_QUEUE" } };
    expect(run({ rows: [never, {}] })).toContain("it must be 0");
    const cancelled = { status: "CANCELLED", amount: 15, sent_at: null };
    expect(run({ rows: [cancelled, {}] })).toContain("it must be 0");
  });

  test("is nothing for what was not delivered where delivery is charged", () => {
    const row = {
      status: "FAILED",
      sent_at: "2026-01-01T00:00:00.000Z",
      error: { code: "ABSENT_SUBSCRIBER" },
    };
    expect(run({ rows: [row, {}] })).toBe("");
    const before = (scene: Scene) =>
      void scene.command("account set", { ACCOUNT: "alpha", "charge-on": "delivered" }, DONE);
    expect(run({ rows: [row, {}], before })).toContain("it must be 0");
  });
});

describe("a balance", () => {
  test("is a finding where it is not what came in less what was charged", () => {
    expect(run({ wallet: { balance: 9966, spendable: 9966 } })).toContain("it must be 9965");
    expect(run({ wallet: { reserved: 5, spendable: 9960 } })).toContain("reserved 0");
    expect(run({ wallet: { spendable: 9964 } })).toContain("spendable 9964");
  });

  test("may or may not hold a top-up that was broken off, and the statement agrees", () => {
    const during = (scene: Scene) =>
      void scene.command("wallet topup", { ACCOUNT: "alpha", AMOUNT: "500", reference: "second" }, null);
    expect(run({ during })).toBe("");
    const wallet = { balance: 10_465, spendable: 10_465 };
    expect(run({ during, wallet })).toContain("it closes with 9965");
    const cause = `topup:${idOf(900)}:second`;
    const entry = { kind: "TOPUP", amount: 500, change: 500, balance: 10_465, cause, batch_id: null };
    expect(run({ during, wallet, entries: (entries) => [...entries, entry] })).toBe("");
  });

  test("counts the same reference once", () => {
    const again = (scene: Scene) => {
      const args = { ACCOUNT: "alpha", AMOUNT: "10000", reference: "first alpha" };
      scene.command("wallet topup", args, { data: {} });
    };
    expect(run({ during: again })).toBe("");
    expect(run({ during: again, wallet: { balance: 19_965, spendable: 19_965 } })).toContain(
      "it must be 9965",
    );
    const other = (scene: Scene) => {
      const args = { ACCOUNT: "alpha", AMOUNT: "7", reference: "first alpha" };
      scene.command("wallet topup", args, { data: {} });
    };
    expect(run({ during: other })).toContain("was taken for 10000 and for 7");
  });
});

describe("a statement", () => {
  test("is a finding where an entry is missing, doubled or does not add up", () => {
    expect(run({ entries: ([first, , ...rest]) => (first ? [first, ...rest] : []) })).toContain(
      "RESERVE of 0",
    );
    expect(run({ entries: (all) => [...all, ...all.slice(1, 2)] })).toContain("stands twice");
    expect(run({ entries: (all) => all.map((one) => ({ ...one, balance: one.balance + 1 })) })).toContain(
      "not 10000",
    );
    expect(run({ entries: (all) => all.slice(1) })).toContain("was acknowledged and is not there");
  });

  test("is a finding where money came from nobody", () => {
    const gift = {
      kind: "ADJUSTMENT",
      amount: 5,
      change: 5,
      balance: 9970,
      cause: "adjust:1",
      batch_id: null,
    };
    expect(run({ entries: (all) => [...all, gift] })).toContain("nobody gave it");
  });

  test("is proved by the appliance too", () => {
    const during = (scene: Scene) => void scene.command("ledger check", {}, { code: "LEDGER_DIFFERENCES" });
    expect(run({ during })).toContain("ledger-check");
  });
});
