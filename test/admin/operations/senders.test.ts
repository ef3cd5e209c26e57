import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PRICE_OPERATIONS, priceHistory, priceList, priceSet } from "../../../src/admin/operations/prices.ts";
import { refuse } from "../../../src/admin/operations/refusal.ts";
import {
  SENDER_OPERATIONS,
  senderApprove,
  senderList,
  senderPending,
  senderRegister,
  senderRequest,
} from "../../../src/admin/operations/senders.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

describe("senders", () => {
  test("requested, approved, registered: then it can send; each step is audited once", async () => {
    for (let time = 0; time < 2; time++) {
      granted(await senderRequest(fixture.context, account, "SHOP"));
      granted(await senderApprove(fixture.context, account, "SHOP"));
      granted(await senderRegister(fixture.context, account, "SHOP", "orange"));
    }
    expect(granted(senderList(fixture.context, account)).senders).toEqual([
      {
        sender: "SHOP",
        status: "APPROVED",
        is_sendable: true,
        operators: ["orange"],
        channels: ["SMS"],
        rejection_reason: null,
        created_at: "2026-03-02T09:00:00.000Z",
      },
    ]);
    expect(fixture.audited().slice(1)).toEqual([
      "awa: sender request",
      "awa: sender approve",
      "awa: sender register",
    ]);
  });

  test("registered with all, it is with every operator of the configuration, and once", async () => {
    granted(await senderRequest(fixture.context, account, "SHOP"));
    granted(await senderRegister(fixture.context, account, "SHOP", "moov"));
    const sender = granted(await senderRegister(fixture.context, account, "SHOP", "all"));
    expect(sender.operators).toEqual(["moov", "orange"]);
    granted(await senderRegister(fixture.context, account, "SHOP", "all"));
    expect(fixture.audited().filter((line) => line === "awa: sender register").length).toBe(2);
  });

  test("those that wait for somebody are listed over all accounts, with what they wait for", async () => {
    const other = await fixture.account();
    const requests = [
      [account, "SHOP"],
      [other, "BANK"],
      [other, "DONE"],
      [other, "NO"],
    ] as const;
    for (const [owner, name] of requests) granted(await senderRequest(fixture.context, owner, name));
    for (const name of ["BANK", "DONE"]) granted(await senderApprove(fixture.context, other, name));
    granted(await senderRegister(fixture.context, other, "DONE", "orange"));
    granted(
      await run(SENDER_OPERATIONS["sender reject"], fixture.context, {
        account: other,
        sender: "NO",
        reason: "no such brand",
      }),
    );
    expect(granted(senderPending(fixture.context)).senders).toMatchObject([
      { account_id: account, account: "Faso Shop", sender: "SHOP", waits_for: "approval" },
      { account_id: other, account: "Faso Shop 2", sender: "BANK", waits_for: "registration" },
    ]);
  });

  test("unregistering takes the operator away, also one that left the configuration", async () => {
    granted(await senderRequest(fixture.context, account, "SHOP"));
    granted(await senderRegister(fixture.context, account, "SHOP", "orange"));
    const context = { ...fixture.context, config: { ...fixture.context.config, operators: {} } };
    expect(
      granted(
        await run(SENDER_OPERATIONS["sender unregister"], context, {
          account,
          sender: "SHOP",
          operator: "orange",
        }),
      ).operators,
    ).toEqual([]);
  });

  test("what cannot be is refused", async () => {
    expect(codeOf(await senderRequest(fixture.context, account, "FASO SHOPPING"))).toBe("INVALID_SENDER");
    expect(codeOf(await senderApprove(fixture.context, account, "SHOP"))).toBe("SENDER_NOT_FOUND");
    granted(await senderRequest(fixture.context, account, "SHOP"));
    expect(
      codeOf(
        await run(SENDER_OPERATIONS["sender reject"], fixture.context, {
          account,
          sender: "SHOP",
          reason: "",
        }),
      ),
    ).toBe("INVALID_REASON");
    const unknown = await senderRegister(fixture.context, account, "SHOP", "orang");
    expect(unknown).toEqual(refuse("OPERATOR_UNKNOWN.meant", { operator: "orang", meant: "orange" }));
    expect(codeOf(await senderRegister(fixture.context, account, "SHOP", "constructor"))).toBe(
      "OPERATOR_UNKNOWN",
    );
  });
});

describe("prices", () => {
  test("the list shows the account's own prices before the operators'", async () => {
    granted(await priceSet(fixture.context, account, { operator: "moov", messageClass: "OTP", amount: 20 }));
    expect(
      granted(priceList(fixture.context, account)).prices.map(
        ({ operator, message_class, amount, source }) => [operator, message_class, amount, source],
      ),
    ).toEqual([
      ["moov", "OTP", 20, "account"],
      ["orange", null, 15, "operator"],
    ]);
  });

  test("every price that was set stays in the history", async () => {
    for (const amount of [20, 18]) {
      granted(await priceSet(fixture.context, account, { operator: "moov", messageClass: "OTP", amount }));
      await fixture.clock.advance(1000);
    }
    expect(granted(priceHistory(fixture.context, account, 10)).changes).toEqual([
      { at: "2026-03-02T09:00:01.000Z", operator: "moov", message_class: "OTP", amount: 18, currency: "XOF" },
      { at: "2026-03-02T09:00:00.000Z", operator: "moov", message_class: "OTP", amount: 20, currency: "XOF" },
    ]);
    expect(codeOf(await run(PRICE_OPERATIONS["price history"], fixture.context, { account, limit: 0 }))).toBe(
      "INVALID_NUMBER",
    );
    expect(codeOf(priceHistory(fixture.context, "nobody", 1))).toBe("ACCOUNT_NOT_FOUND");
  });

  test.each([-1, 0.5, 1_000_001])("%d XOF is no price", async (amount) => {
    const price = { operator: "orange", messageClass: null, amount };
    expect(codeOf(await priceSet(fixture.context, account, price))).toBe("INVALID_AMOUNT");
  });
});
