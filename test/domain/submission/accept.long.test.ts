import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PLAIN_TEXT_RULES } from "../../../src/core/text-rules.ts";
import type { Store } from "../../../src/db/store.ts";
import { accountById, changeAccount } from "../../../src/domain/accounts/accounts.ts";
import { feedPage } from "../../../src/domain/messages/feed.ts";
import { messageIds, stagedBatches } from "../../../src/domain/messages/insert.ts";
import { MESSAGES_A_RUN } from "../../../src/domain/submission/expand-recipients.ts";
import type { RequestRecipient } from "../../../src/domain/submission/recipients.ts";
import { dropAbandonedStaging } from "../../../src/domain/submission/staging.ts";
import { buildSubmissionContext } from "../../../src/domain/submission/submission-context.ts";
import { acceptBatch } from "../../../src/domain/submission/submit.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { rememberedSends } from "../../kit/remembered-sends.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const PRICE = 15;

const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: PRICE }) } }));

let rig: Tenants;
beforeEach(() => {
  rig = tenants(CONFIG);
});
afterEach(() => rig.close());

/** So many recipients that are accepted, and so many behind them that are not. */
function recipientsOf(messages: number, rejections: number): RequestRecipient[] {
  return Array.from({ length: messages + rejections }, (_, index) => ({
    msisdn: index < messages ? String(70_000_000 + index) : "abc",
    attributes: null,
  }));
}

function accept(
  accountId: number,
  recipients: readonly RequestRecipient[],
  changes: { store?: Store; scheduledAt?: number; onAccepted?: () => void; isStopping?: () => boolean } = {},
) {
  const nowMs = rig.clock.nowMs();
  const deps = {
    ...rig.intake,
    store: changes.store ?? rig.store,
    messageIds: messageIds(rig.store.read),
    isStopping: changes.isStopping ?? rig.intake.isStopping,
  };
  const batch = {
    ulid: rig.newId(),
    accountId,
    sender: "ACME",
    channel: "SMS" as const,
    messageClass: "MARKETING" as const,
    body: "Bonjour",
    isTest: false,
    timezone: "Africa/Ouagadougou",
    createdAt: nowMs,
    scheduledAt: changes.scheduledAt ?? null,
    expiresAt: nowMs + 3_600_000,
    chargeOn: "accepted" as const,
    clientReference: null,
    channelNote: null,
    otherTags: [],
    fallback: null,
    ...PLAIN_TEXT_RULES,
  };
  const account = accountById(rig.store.read, accountId)!;
  return acceptBatch(deps, buildSubmissionContext(deps, account, batch), recipients, (_tx, opened) => {
    changes.onAccepted?.();
    return opened;
  });
}

const tables = () => ["batches", "messages", "rejections"].map(rig.count);

/** The store, with something happening before each of its writes, which are counted from 0. */
function beforeWrites(act: (write: number) => Promise<void> | void): Store {
  let writes = 0;
  return {
    ...rig.store,
    write: async (job) => {
      await act(writes++);
      return rig.store.write(job);
    },
  };
}

const suspend = (accountId: number) =>
  rig.store.write((tx) => {
    tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'unpaid' WHERE id = ?", accountId);
  });

describe.each([
  ["a small batch", 3, 2],
  ["a staged batch", 600, 300],
])("%s", (_name, messages, rejections) => {
  // Keeps: behaviour 5.2
  test("is accepted with all its rows and its money set aside", async () => {
    const accountId = await rig.account();
    const outcome = await accept(accountId, recipientsOf(messages, rejections));
    expect(outcome).toMatchObject({ ok: true, value: { id: 1, status: "QUEUED" } });
    expect(tables()).toEqual([1, messages, rejections]);
    expect(rig.wallet(accountId)).toMatchObject({ reserved: messages * PRICE });
    expect(rig.messagesOf(1).map(({ id }) => id)).toEqual(
      Array.from({ length: messages }, (_, index) => index + 1),
    );
    expect(rig.batch(1)).toMatchObject({ status: "QUEUED", accepted: messages, rejected: rejections });
  });

  test("is in the feed, each message with a stamp of its own", async () => {
    const accountId = await rig.account();
    await accept(accountId, recipientsOf(messages, rejections));
    const ids: string[] = [];
    let sinceUs = 0;
    let hasMore = true;
    while (hasMore) {
      const page = feedPage(rig.store.read, { accountId, sinceUs, limit: 100, batchUlid: null })!;
      ids.push(...page.messages.map(({ message_id }) => message_id));
      sinceUs = page.nextUs;
      hasMore = page.hasMore;
    }
    expect(ids).toHaveLength(messages);
    expect(new Set(ids).size).toBe(messages);
  });

  // Keeps: behaviour 5.2, 5.3
  test("that can't be paid leaves no row and no posting behind", async () => {
    const accountId = await rig.account({ funds: messages * PRICE - 1 });
    const outcome = await accept(accountId, recipientsOf(messages, rejections));
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "INSUFFICIENT_FUNDS" } });
    expect(tables()).toEqual([0, 0, 0]);
    expect(rig.wallet(accountId)).toMatchObject({ funds: messages * PRICE - 1, reserved: 0 });
    expect(rig.count("ledger")).toBe(1);
  });

  // Keeps: behaviour 3.30
  test("is refused when the account was suspended just before the accepting transaction", async () => {
    const accountId = await rig.account();
    const store = beforeWrites(() => suspend(accountId));
    const outcome = await accept(accountId, recipientsOf(messages, rejections), { store });
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "ACCOUNT_SUSPENDED" } });
    expect(tables()).toEqual([0, 0, 0]);
    expect(rig.wallet(accountId)).toMatchObject({ reserved: 0 });
  });

  test("without an accepted recipient is REJECTED and ended, and reserves nothing", async () => {
    const accountId = await rig.account({ funds: 0 });
    const outcome = await accept(accountId, recipientsOf(0, rejections));
    expect(outcome).toMatchObject({ ok: true, value: { status: "REJECTED" } });
    expect(tables()).toEqual([1, 0, rejections]);
    expect(rig.store.read.get("SELECT ended_at FROM batches")).toEqual({ ended_at: rig.clock.nowMs() });
  });

  // Keeps: behaviour 7.2
  test("is SCHEDULED when it has a time", async () => {
    const accountId = await rig.account();
    const scheduledAt = rig.clock.nowMs() + 60_000;
    await accept(accountId, recipientsOf(messages, rejections), { scheduledAt });
    expect(rig.batch(1).status).toBe("SCHEDULED");
    expect(rig.messagesOf(1).every(({ not_before }) => not_before === scheduledAt)).toBe(true);
  });
});

describe("a batch that is being staged when the appliance stops", () => {
  test("is refused for the moment, and no write follows that would keep others from their end", async () => {
    const accountId = await rig.account();
    let writes = 0;
    const store = beforeWrites((write) => {
      writes = write + 1;
    });
    const recipients = recipientsOf(2000, 0);
    const outcome = await accept(accountId, recipients, { store, isStopping: () => writes >= 4 });
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "SERVICE_UNAVAILABLE" } });
    expect(writes).toBeLessThan(10);
    expect(rig.wallet(accountId)).toMatchObject({ reserved: 0 });
    expect(rig.batch(1).status).toBe("STAGING");
  });

  test("leaves what was staged to the next start, as a crash does", async () => {
    const accountId = await rig.account();
    await accept(accountId, recipientsOf(2000, 0), { isStopping: () => rig.count("messages") > 0 });
    expect(rig.count("messages")).toBeGreaterThan(0);
    await dropAbandonedStaging(rig);
    expect(tables()).toEqual([0, 0, 0]);
    expect(await accept(accountId, recipientsOf(2000, 0))).toMatchObject({ ok: true });
  });
});

describe("a large batch that costs more than the account has", () => {
  // Keeps: behaviour 5.3
  test("writes nothing that could not be paid, and is told what it costs at least", async () => {
    for (const [funds, written] of [
      [0, 0],
      [(MESSAGES_A_RUN - 1) * PRICE, 0],
      [10 * MESSAGES_A_RUN * PRICE, 10 * MESSAGES_A_RUN],
    ] as const) {
      const accountId = await rig.account({ funds });
      let most = 0;
      const store = beforeWrites(() => {
        most = Math.max(most, rig.count("messages"));
      });
      const outcome = await accept(accountId, recipientsOf(2000, 0), { store });
      expect(outcome).toMatchObject({
        ok: false,
        refusal: {
          code: "INSUFFICIENT_FUNDS",
          detail: phrase("refusal.INSUFFICIENT_FUNDS", {
            cost: phrase("message.batch.costs_at_least", { amount: (written + MESSAGES_A_RUN) * PRICE }),
          }),
        },
      });
      expect(most).toBe(written);
      expect(tables()).toEqual([0, 0, 0]);
    }
  });

  test("is told its whole price when it was too much only at the end", async () => {
    const accountId = await rig.account({ funds: 500 * PRICE });
    const store = beforeWrites(async (write) => {
      if (write !== 1 + 500 / MESSAGES_A_RUN) return;
      await rig.store.write((tx) =>
        tx.run("UPDATE wallets SET funds = funds - 1 WHERE account_id = ?", accountId),
      );
    });
    const outcome = await accept(accountId, recipientsOf(500, 0), { store });
    const cost = phrase("message.batch.costs", { amount: 500 * PRICE });
    expect(outcome).toMatchObject({ refusal: { detail: phrase("refusal.INSUFFICIENT_FUNDS", { cost }) } });
  });
});

describe("while a large batch is staged", () => {
  // Keeps: behaviour 4.36, 4.53
  test("its recipients are spoken for, and free again once it could not be paid", async () => {
    const accountId = await rig.account({ funds: 2 * MESSAGES_A_RUN * PRICE });
    const recipientsPerDay = 2 * MESSAGES_A_RUN + 1;
    await rig.store.write((tx) => changeAccount(tx, accountId, { recipientsPerDay }));
    const small: (Promise<unknown> | undefined)[] = [];
    const others = [
      ...recipientsOf(1, 0),
      { msisdn: "70900001", attributes: null },
      { msisdn: "70900002", attributes: null },
    ];
    const store = beforeWrites((write) => {
      // Two runs are written, the third is about to be refused.
      if (write === 3) small.push(accept(accountId, others));
    });
    const large = await accept(accountId, recipientsOf(600, 0), { store });
    expect(large).toMatchObject({ ok: false, refusal: { code: "INSUFFICIENT_FUNDS" } });
    expect(await small[0]).toMatchObject({
      value: {
        sums: { accepted: 1, rejected: 2 },
        rejections: [{ reason: "DUPLICATE_RECENT_BODY" }, { reason: "RATE_LIMIT_PER_DAY" }],
      },
    });
    const again = await accept(accountId, others);
    expect(again).toMatchObject({ value: { sums: { accepted: 2, rejected: 1 } } });
  });

  test("its recipients are free from its refusal on, also while its rows are still being dropped", async () => {
    const accountId = await rig.account();
    const seen: { readonly rows: number; readonly counting: string }[] = [];
    const store = beforeWrites(async (write) => {
      seen.push({ rows: rig.count("messages"), counting: rig.stages.counting() });
      if (write === 10) await suspend(accountId);
    });
    expect((await accept(accountId, recipientsOf(2000, 0), { store })).ok).toBe(false);
    const dropping = seen.filter(({ rows }, write) => rows < (seen[write - 1]?.rows ?? 0));
    expect(dropping.length).toBeGreaterThan(5);
    for (const { counting } of dropping) expect(counting).toBe("[]");
  });

  // Keeps: behaviour 5.3
  test("nobody can send from it or pays for it, and then everything is there at once", async () => {
    const accountId = await rig.account();
    const seen: string[] = [];
    const store = beforeWrites(() => {
      for (const { status } of rig.store.read.all<{ status: string }>("SELECT status FROM batches")) {
        seen.push(`${status} ${rig.wallet(accountId).reserved}`);
      }
    });
    let answered = 0;
    await accept(accountId, recipientsOf(600, 300), {
      store,
      onAccepted: () => {
        answered += 1;
        // Read beside the transaction: not committed yet.
        expect(rig.batch(1).status).toBe("STAGING");
      },
    });
    expect(seen.length).toBeGreaterThanOrEqual(5);
    expect(new Set(seen)).toEqual(new Set(["STAGING 0"]));
    expect(answered).toBe(1);
    expect(rig.batch(1).status).toBe("QUEUED");
  });

  test("a crash leaves rows that the next start finds and takes back", async () => {
    const accountId = await rig.account();
    const store = beforeWrites((write) => {
      if (write > 500 / MESSAGES_A_RUN) throw new Error("the process ends here");
    });
    await accept(accountId, recipientsOf(600, 300), { store }).catch(() => {});
    expect(stagedBatches(rig.store.read)).toHaveLength(1);
    expect(rig.count("messages")).toBe(500);
    await dropAbandonedStaging(rig);
    expect(tables()).toEqual([0, 0, 0]);
    expect(rig.count("recipient_counts")).toBe(0);
  });

  // Keeps: behaviour 3.47, 4.36
  test("what a crash left of it counts for no guard, nor stands in the way of the same batch", async () => {
    const accountId = await rig.account();
    const scheduledAt = rig.clock.nowMs() + 3_600_000;
    const store = beforeWrites((write) => {
      if (write > 500 / MESSAGES_A_RUN) throw new Error("the process ends here");
    });
    await accept(accountId, recipientsOf(600, 0), { store, scheduledAt }).catch(() => {});
    expect(rememberedSends(rig.store.read)).toBe(500);
    const outcome = await accept(accountId, recipientsOf(600, 0), { scheduledAt });
    expect(outcome.ok && outcome.value.sums.accepted).toBe(600);
    await dropAbandonedStaging(rig);
    expect(tables()).toEqual([1, 600, 0]);
    expect(rememberedSends(rig.store.read)).toBe(600);
  });

  // Keeps: behaviour 5.2
  test("its rows need not be on the disk before the transaction that pays for it is", async () => {
    const accountId = await rig.account();
    const synced: unknown[] = [];
    const store: Store = {
      ...rig.store,
      write: (job, durable) =>
        rig.store.write((tx) => {
          synced.push(tx.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous);
          return job(tx);
        }, durable),
    };
    await accept(accountId, recipientsOf(2 * MESSAGES_A_RUN, 200), { store });
    const [FULL, NORMAL] = [2, 1];
    expect(synced).toEqual([FULL, NORMAL, NORMAL, NORMAL, FULL]);
  });

  test("the ids of its messages are not given to a batch that is accepted meanwhile", async () => {
    const accountId = await rig.account();
    const ids = messageIds(rig.store.read);
    const first = ids.take(600);
    expect(ids.take(1)).toBe(first + 600);
    await accept(accountId, recipientsOf(300, 0));
    expect(messageIds(rig.store.read).take(1)).toBe(301);
  });
});
