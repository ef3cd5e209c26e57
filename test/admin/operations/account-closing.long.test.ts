import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ACCOUNT_OPERATIONS,
  accountCreate,
  accountSet,
  accountShow,
} from "../../../src/admin/operations/accounts.ts";
import { batchShow } from "../../../src/admin/operations/batches.ts";
import { keyCreate, keyList } from "../../../src/admin/operations/keys.ts";
import { ensureSandbox } from "../../../src/admin/operations/sandboxes.ts";
import {
  senderApprove,
  senderList,
  senderRegister,
  senderRequest,
} from "../../../src/admin/operations/senders.ts";
import { WALLET_OPERATIONS, walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { WEBHOOK_OPERATIONS } from "../../../src/admin/operations/webhooks.ts";
import { LEDGER_CHECK_OPERATIONS } from "../../../src/admin/reports/ledger-check.ts";
import { walletStatement } from "../../../src/admin/reports/statements.ts";
import { accountById } from "../../../src/domain/accounts/accounts.ts";
import { english } from "../../../src/i18n/text.ts";
import { createEndpoint } from "../../../src/webhooks/endpoints.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = granted(
    await accountCreate(fixture.context, {
      name: "Faso Shop",
      billing: "PREPAID",
      creditLimit: 0,
      timezone: null,
      shortName: "faso",
    }),
  ).account_id;
});
afterEach(() => fixture.close());

const close = (isForced = false) =>
  run(ACCOUNT_OPERATIONS["account close"], fixture.context, { account, force: isForced });
const closed = async (isForced = false) => granted(await close(isForced));
const wallet = async () => granted(await run(WALLET_OPERATIONS["wallet show"], fixture.context, { account }));

async function equip(): Promise<string> {
  const { context } = fixture;
  granted(await keyCreate(context, account, { name: "k", scopes: ["MESSAGES_SEND"], expiresAtMs: null }));
  granted(await senderRequest(context, account, "SHOP"));
  granted(await senderApprove(context, account, "SHOP"));
  granted(await senderRegister(context, account, "SHOP", "orange"));
  const endpoint = context.newId();
  await context.store.write((tx) => {
    const { id } = tx.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", account)!;
    const target = { accountId: id, ulid: endpoint, url: "https://hook.example.test/", description: "" };
    createEndpoint(tx, { ...target, events: ["BATCH_SETTLED"] }, fixture.clock.nowMs());
  });
  return endpoint;
}

describe("closing an account", () => {
  test("ends its keys, endpoints and senders, and frees its short name", async () => {
    const endpoint = await equip();
    expect((await closed()).closing).toEqual({
      keys_ended: 1,
      endpoints_disabled: 1,
      senders_freed: 1,
      batches_cancelled: 0,
      messages_cancelled: 0,
      entered: 0,
      still_reserved: 0,
    });
    const { context } = fixture;
    const shown = granted(accountShow(context, account));
    expect(shown).toMatchObject({ status: "CLOSED", short_name: null, name: "Faso Shop" });
    expect(shown.closed_at).not.toBeNull();
    expect(granted(keyList(context, account)).keys.map(({ status }) => status)).toEqual(["REVOKED"]);
    expect(granted(senderList(context, account)).senders).toMatchObject([
      { status: "REJECTED", operators: [], is_sendable: false },
    ]);
    expect(
      granted(await run(WEBHOOK_OPERATIONS["webhook list"], context, { account })).webhooks,
    ).toMatchObject([{ status: "DISABLED_BY_USER" }]);
    expect(codeOf(await run(WEBHOOK_OPERATIONS["webhook enable"], context, { webhook: endpoint }))).toBe(
      "ACCOUNT_CLOSED",
    );
    granted(
      await accountCreate(context, {
        name: "Other",
        billing: "PREPAID",
        creditLimit: 0,
        timezone: null,
        shortName: "faso",
      }),
    );
    expect(fixture.told()).toContain("account");
  });

  test("names it by its id alone from then on, and keeps its name until it is renamed", async () => {
    await closed();
    const { context } = fixture;
    for (const text of ["faso", "Faso Shop", account.slice(-6)])
      expect(codeOf(accountShow(context, text))).toBe("ACCOUNT_NOT_FOUND");
    const again = () =>
      accountCreate(context, { name: "faso shop", billing: "PREPAID", creditLimit: 0, timezone: null });
    expect(codeOf(await again())).toBe("NAME_TAKEN");
    granted(await run(ACCOUNT_OPERATIONS["account rename"], context, { account, name: "Faso Shop (2026)" }));
    granted(await again());
  });

  test("refuses top-ups and changes, and lets its statement be read and its wallet be corrected", async () => {
    await closed();
    const { context } = fixture;
    expect(codeOf(await walletTopUp(context, account, 100, "r"))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await accountSet(context, account, { timezone: "UTC" }))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await senderRequest(context, account, "NEW"))).toBe("ACCOUNT_CLOSED");
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], context, { account, amount: 5, reason: "a franc found" }),
    );
    const statement = granted(await walletStatement(context, account, { fromMs: null, toMs: null }));
    expect(statement.closing_balance).toBe(5);
  });

  test("is refused while messages wait or its wallet holds anything, says what, and changes nothing", async () => {
    await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED", "QUEUED"] });
    granted(await walletTopUp(fixture.context, account, 70, "r"));
    const outcome = await close();
    expect(codeOf(outcome)).toBe("ACCOUNT_NOT_SETTLED");
    const said = outcome.ok ? "" : english(outcome.refusal.detail);
    expect(said).toContain("2 messages of 1 batch wait");
    expect(said).toContain("30 XOF are reserved");
    expect(said).toContain("holds 70 XOF");
    expect(granted(accountShow(fixture.context, "faso")).status).toBe("ACTIVE");
    expect(fixture.audited()).not.toContain("awa: account close");
  });

  test("by force cancels what waits of every batch, and enters the rest of the wallet as CLOSING", async () => {
    const { context } = fixture;
    const batches = [
      await plantBatch(fixture, { account, status: "SENDING", messages: ["QUEUED", "SENT"] }),
      await plantBatch(fixture, { account, status: "SCHEDULED", messages: ["QUEUED", "QUEUED"] }),
      await plantBatch(fixture, { account, status: "SENDING", messages: ["SUBMITTED"] }),
    ];
    const rival = { name: "Rival", billing: "PREPAID", creditLimit: 0, timezone: null } as const;
    const other = granted(await accountCreate(context, rival)).account_id;
    const others = await plantBatch(fixture, { account: other, status: "QUEUED", messages: ["QUEUED"] });
    granted(await walletTopUp(context, account, 70, "r"));
    expect((await closed(true)).closing).toMatchObject({
      batches_cancelled: 2,
      messages_cancelled: 3,
      entered: -115,
      still_reserved: 15,
    });
    const status = async (id: string) => granted(await batchShow(context, id)).status;
    expect(await Promise.all(batches.map(status))).toEqual(["CANCELLED", "CANCELLED", "SENDING"]);
    expect(await status(others)).toBe("QUEUED");
    expect(await wallet()).toMatchObject({ balance: 15, reserved: 15 });
    const { entries } = granted(await walletStatement(context, account, { fromMs: null, toMs: null }));
    expect(entries.at(-1)).toMatchObject({ kind: "ADJUSTMENT", note: "CLOSING", change: -115, balance: 15 });
    granted(await run(LEDGER_CHECK_OPERATIONS["ledger check"], context, {}));
  });

  test("by force cancels also what was accepted while it looked for what waits, and enters what that held", async () => {
    const { context } = fixture;
    let late: string | null = null;
    const write: typeof context.store.write = async (...asked) => {
      late ??= await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED", "QUEUED"] });
      return context.store.write(...asked);
    };
    const { closing } = granted(
      await run(
        ACCOUNT_OPERATIONS["account close"],
        { ...context, store: { ...context.store, write } },
        { account, force: true },
      ),
    );
    expect(closing).toMatchObject({ batches_cancelled: 1, messages_cancelled: 2, still_reserved: 0 });
    expect(granted(await batchShow(context, String(late))).status).toBe("CANCELLED");
    expect(await wallet()).toMatchObject({ balance: 0, reserved: 0 });
    granted(await run(LEDGER_CHECK_OPERATIONS["ledger check"], context, {}));
  });

  test("without force is refused where a batch was accepted while it was looked, also one that costs nothing", async () => {
    const { context } = fixture;
    let isLate = false;
    const write: typeof context.store.write = async (...asked) => {
      if (!isLate) {
        isLate = true;
        await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED"] });
        // As if the message had cost nothing.
        await context.store.write((tx) => void tx.run("UPDATE wallets SET reserved = 0, funds = 0"));
      }
      return context.store.write(...asked);
    };
    const refused = await run(
      ACCOUNT_OPERATIONS["account close"],
      { ...context, store: { ...context.store, write } },
      { account, force: false },
    );
    expect(codeOf(refused)).toBe("ACCOUNT_NOT_SETTLED");
    expect(refused.ok ? "" : english(refused.refusal.detail)).toContain("a batch was accepted just now");
  });

  test("disables the endpoints of its test keys with those that are live", async () => {
    await equip();
    const { context, clock } = fixture;
    await context.store.write((tx) => {
      const { id } = tx.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", account)!;
      const kept = accountById(tx, id)!;
      const sandbox = ensureSandbox(tx, context, kept, clock.nowMs());
      const target = { accountId: sandbox, ulid: context.newId(), url: "https://test.example.test/" };
      createEndpoint(tx, { ...target, description: "", events: ["BATCH_SETTLED"] }, clock.nowMs());
    });
    expect((await closed()).closing.endpoints_disabled).toBe(2);
    expect(context.store.read.all("SELECT status FROM webhook_endpoints")).toEqual([
      { status: "DISABLED_BY_USER" },
      { status: "DISABLED_BY_USER" },
    ]);
  });

  test("by force a debt is written off, and doing it again enters what came back since", async () => {
    const { context } = fixture;
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], context, { account, amount: -40, reason: "unpaid" }),
    );
    expect((await closed(true)).closing.entered).toBe(40);
    expect((await closed(true)).closing).toMatchObject({ keys_ended: 0, entered: 0 });
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], context, {
        account,
        amount: 25,
        reason: "released late",
      }),
    );
    expect((await closed(true)).closing.entered).toBe(-25);
    expect((await wallet()).balance).toBe(0);
    expect(fixture.audited().filter((line) => line === "awa: account close").length).toBe(1);
  });
});

describe("renaming an account", () => {
  test("gives it a name that no other account has, and is recorded with both", async () => {
    const { context } = fixture;
    granted(
      await run(ACCOUNT_OPERATIONS["account rename"], context, { account: "faso", name: "  Sahel Shop " }),
    );
    expect(granted(accountShow(context, "sahel shop")).account_id).toBe(account);
    expect(codeOf(accountShow(context, "Faso Shop"))).toBe("ACCOUNT_NOT_FOUND");
    granted(
      await accountCreate(context, { name: "Rival", billing: "PREPAID", creditLimit: 0, timezone: null }),
    );
    expect(
      codeOf(await run(ACCOUNT_OPERATIONS["account rename"], context, { account: "faso", name: "rivál" })),
    ).toBe("NAME_TAKEN");
    expect(
      codeOf(await run(ACCOUNT_OPERATIONS["account rename"], context, { account: "faso", name: " " })),
    ).toBe("INVALID_NAME");
    granted(
      await run(ACCOUNT_OPERATIONS["account rename"], context, { account: "faso", name: "Sahel Shop" }),
    );
    expect(fixture.audited().filter((line) => line === "awa: account rename").length).toBe(1);
  });
});

describe("how an account pays", () => {
  test("postpaid takes a credit limit, and prepaid gives it back", async () => {
    const { context } = fixture;
    const postpaid = granted(
      await accountSet(context, account, { billingMode: "POSTPAID", creditLimit: 500 }),
    );
    expect(postpaid).toMatchObject({ billing_mode: "POSTPAID", wallet: { spendable: 500 } });
    const wanted = { billingMode: "PREPAID", creditLimit: 500 } as const;
    expect(codeOf(await accountSet(context, account, wanted))).toBe("CREDIT_LIMIT_NOT_ALLOWED");
    const prepaid = granted(await accountSet(context, account, { billingMode: "PREPAID" }));
    expect(prepaid).toMatchObject({ billing_mode: "PREPAID", credit_limit: 0, wallet: { spendable: 0 } });
  });

  test("with a debt it becomes prepaid by force alone, and what is reserved stays reserved", async () => {
    const { context } = fixture;
    await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED"] });
    granted(await accountSet(context, account, { billingMode: "POSTPAID", creditLimit: 500 }));
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], context, { account, amount: -40, reason: "unpaid" }),
    );
    expect(codeOf(await accountSet(context, account, { billingMode: "PREPAID" }))).toBe("ACCOUNT_IN_DEBT");
    granted(await accountSet(context, account, { billingMode: "PREPAID" }, true));
    expect(await wallet()).toMatchObject({
      billing_mode: "PREPAID",
      balance: -25,
      reserved: 15,
      spendable: 0,
    });
  });
});
