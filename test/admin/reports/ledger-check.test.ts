import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refuse } from "../../../src/admin/operations/refusal.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { LEDGER_CHECK_OPERATIONS } from "../../../src/admin/reports/ledger-check.ts";
import type { StartThread } from "../../../src/core/thread.ts";
import { lastCheck } from "../../../src/domain/ledger/books-check.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { type AdminFixture, adminFixture, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  granted(await walletTopUp(fixture.context, account, 1000, "r1"));
});
afterEach(() => fixture.close());

describe("checking the ledger", () => {
  test("counts what agrees, and keeps that it did", async () => {
    expect(granted(await run(LEDGER_CHECK_OPERATIONS["ledger check"], fixture.context, {}))).toMatchObject({
      accounts: 1,
      batches: 0,
      messages: 0,
      entries: 1,
    });
    expect(lastCheck(fixture.context.store.read)).toMatchObject({
      checkedAtMs: fixture.clock.nowMs(),
      differences: 0,
      detail: "",
    });
  });

  test("refuses to be content with a wallet that differs from its entries, and says whose", async () => {
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET funds = funds + 1"));
    const outcome = await run(LEDGER_CHECK_OPERATIONS["ledger check"], fixture.context, {});
    const first = [
      phrase("fault.books.account", {
        account,
        what: phrase("fault.books.what.funds"),
        shown: 1001,
        recounted: 1000,
      }),
    ];
    expect(outcome).toEqual(refuse("LEDGER_DIFFERENCES", { differences: 1, first }));
    expect(lastCheck(fixture.context.store.read)).toMatchObject({ differences: 1 });
  });

  test("is done once at a time, however many ask: the log could not begin again while several read", async () => {
    const { context } = fixture;
    let [underWay, most] = [0, 0];
    const startThread: StartThread = (path) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const worker = context.machine.startThread(path);
      worker.addEventListener("message", () => {
        underWay -= 1;
      });
      return worker;
    };
    const asked = { ...context, machine: { ...context.machine, startThread } };
    const broken = new AbortController();
    const first = run(LEDGER_CHECK_OPERATIONS["ledger check"], asked, {});
    const stopped = run(LEDGER_CHECK_OPERATIONS["ledger check"], { ...asked, breakOff: broken.signal }, {});
    const others = [
      run(LEDGER_CHECK_OPERATIONS["ledger check"], asked, {}),
      run(LEDGER_CHECK_OPERATIONS["ledger check"], asked, {}),
    ];
    broken.abort();
    await expect(stopped).rejects.toThrow("broken off");
    for (const each of await Promise.all([first, ...others])) expect(granted(each).entries).toBe(1);
    expect(most).toBe(1);
  });
});
