/**
 * A client and an administrator who try to make money: requests at the same moment, replays, cancellations against
 * receipts, price and limit changes in between, and a crash after any commit. Afterwards the books must balance, and
 * what the feed says was charged must be what the wallet lost.
 */
import { cpSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyLedger } from "../../src/admin/reports/ledger-verification.ts";
import { readInSnapshots } from "../../src/db/connections.ts";
import { openStore } from "../../src/db/store.ts";
import { changeAccount } from "../../src/domain/accounts/accounts.ts";
import { setPrice } from "../../src/domain/accounts/prices.ts";
import { adjust, topUp } from "../../src/domain/ledger/funding.ts";
import { readWallet } from "../../src/domain/ledger/wallet.ts";
import { applyFacts } from "../../src/domain/messages/apply-facts.ts";
import { findUnpostedBatches, postBatchMovements } from "../../src/domain/messages/batch-totals.ts";
import { cancelQueuedMessages, requestCancellation } from "../../src/domain/messages/cancellation.ts";
import { stages } from "../../src/domain/messages/staged-recipients.ts";
import { dropAbandonedStaging } from "../../src/domain/submission/staging.ts";
import { type HttpFixture, httpFixture, submission, submitTo, type Tenant } from "../ingress/api/fixture.ts";
import { ownDirectory } from "../kit/books.ts";
import * as facts from "../kit/facts.ts";
import { seeded, seeds } from "../kit/seeds.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
  await emptyWallet();
});
afterEach(() => fixture.close());

const nowMs = () => fixture.clock.nowMs();
const wallet = () => readWallet(fixture.store.read, tenant.accountId);
const differences = () => readInSnapshots(fixture.store.directory, verifyLedger).differences;

let references = 0;
const pay = (amount: number) =>
  fixture.store.write((tx) => {
    references += 1;
    const reference = `R${references}`;
    topUp(tx, { accountId: tenant.accountId, accountUlid: "A", amount, reference, atMs: nowMs() });
  });

/** The fixture's money was never paid in: these tests look at the entries. */
const emptyWallet = () => fixture.store.write((tx) => tx.run("UPDATE wallets SET funds = 0"));

const statuses = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort();

/** A submission of its own for each `n` and text: the same text to the same number would be rejected. */
const toNumber = (n: number, body = "Bonjour") =>
  submission({ recipients: [{ msisdn: `70${100_000 + n}` }], body });

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: `70${String(100_000 + index)}` }));

describe("requests at the same moment", () => {
  test("never spend a franc twice: twenty batches of 15 XOF against 100 XOF are six batches", async () => {
    await pay(100);
    const answers = Array.from({ length: 20 }, (_, n) => submitTo(fixture, tenant, `k${n}`, toNumber(n)));
    expect(await statuses(answers)).toEqual([...Array(6).fill(202), ...Array(14).fill(402)]);
    expect(wallet()).toMatchObject({ funds: 10, reserved: 90 });
    expect(differences()).toEqual([]);
  });

  test("under one key are one batch, paid once", async () => {
    await pay(1000);
    const got = await statuses(Array.from({ length: 20 }, () => submitTo(fixture, tenant, "same")));
    expect(got.filter((status) => status !== 202).every((status) => status === 409)).toBe(true);
    expect(wallet()).toMatchObject({ funds: 985, reserved: 15 });
  });

  test("of a postpaid account stop at its credit limit, and a new limit counts at once", async () => {
    await fixture.store.write((tx) => {
      tx.run("UPDATE accounts SET billing_mode = 'POSTPAID' WHERE id = ?", tenant.accountId);
      changeAccount(tx, tenant.accountId, { creditLimit: 31 });
    });
    const ten = (name: string) =>
      Array.from({ length: 10 }, (_, n) => submitTo(fixture, tenant, `${name}${n}`, toNumber(n, name)));
    expect(await statuses(ten("a"))).toEqual([202, 202, ...Array(8).fill(402)]);
    await fixture.store.write((tx) => changeAccount(tx, tenant.accountId, { creditLimit: 60 }));
    expect(await statuses(ten("b"))).toEqual([202, 202, ...Array(8).fill(402)]);
    await fixture.store.write((tx) => changeAccount(tx, tenant.accountId, { creditLimit: 0 }));
    expect(await statuses(ten("c"))).toEqual(Array(10).fill(402));
    expect(wallet()).toMatchObject({ funds: -60, reserved: 60 });
    expect(differences()).toEqual([]);
  });
});

test("a running batch keeps the price it was accepted at", async () => {
  await pay(1000);
  const setTo = (amount: number) =>
    fixture.store.write((tx) =>
      setPrice(tx, tenant.accountId, { operator: "orange", messageClass: null, amount }, nowMs()),
    );
  await setTo(10);
  await submitTo(fixture, tenant, "first", submission({ recipients: numbers(3) }));
  await setTo(100);
  const ids = messages();
  await fixture.store.write((tx) =>
    applyFacts(
      tx,
      ids.flatMap((id) => [facts.claimed(id), facts.partAccepted(id, 1)]),
      nowMs(),
    ),
  );
  expect(wallet()).toMatchObject({ funds: 970, reserved: 0 });
  await submitTo(fixture, tenant, "second", submission({ recipients: numbers(3), body: "Bonsoir" }));
  expect(wallet()).toMatchObject({ funds: 670, reserved: 300 });
  expect(differences()).toEqual([]);
});

const messages = (status = "QUEUED") =>
  fixture.store.read
    .all<{ id: number }>("SELECT id FROM messages WHERE status = ? ORDER BY id", status)
    .map(({ id }) => id);

/** What is on disk now, as a process that was killed leaves it, started again: the books must balance there too. */
async function surviveACrash(): Promise<void> {
  const copy = ownDirectory();
  for (const file of ["bendre.db", "bendre.db-wal"]) {
    cpSync(`${fixture.store.directory}/${file}`, `${copy.path}/${file}`);
  }
  const store = openStore(copy.path, fixture.clock);
  await dropAbandonedStaging({ store, stages: stages() });
  expect(readInSnapshots(copy.path, verifyLedger).differences).toEqual([]);
  await store.close();
  copy.remove();
}

describe("everything at once", () => {
  test.each(seeds(3))(
    "the books balance after every commit, and the wallet lost what the feed says was charged (seed %d)",
    seeded(async (chance) => {
      const below = (limit: number) => Math.floor(chance.fraction() * limit);
      const some = <T>(of: readonly T[]) => of.slice(below(of.length), below(of.length) + 3);
      let paid = 5000;
      await pay(paid);
      let sent = 0;
      const moves: readonly (() => Promise<unknown>)[] = [
        () => {
          sent += 1;
          const key = `k${below(sent) + (below(3) ? sent : 0)}`;
          const body = submission({ recipients: numbers(1 + below(300)), body: `Bonjour ${key}` });
          return submitTo(fixture, tenant, key, body);
        },
        () => {
          const ids = some(messages());
          return fixture.store.write((tx) =>
            applyFacts(
              tx,
              ids.map((id) => facts.claimed(id)),
              nowMs(),
            ),
          );
        },
        () => {
          const ids = some(messages("SUBMITTED"));
          const answer = below(3) ? facts.partAccepted : facts.refusedForGood;
          return fixture.store.write((tx) =>
            applyFacts(
              tx,
              ids.map((id) => answer(id, 1)),
              nowMs(),
            ),
          );
        },
        () => {
          const ids = some(messages("SENT"));
          const receipt = below(2) ? facts.delivered : facts.undelivered;
          return fixture.store.write((tx) =>
            applyFacts(
              tx,
              ids.map((id) => receipt(id, 1)),
              nowMs(),
            ),
          );
        },
        () =>
          fixture.store.write((tx) => {
            const batch = tx.get<{ id: number }>(
              "SELECT id FROM batches WHERE status IN ('QUEUED', 'SENDING') ORDER BY id DESC LIMIT 1 OFFSET ?",
              below(4),
            );
            if (!batch || !requestCancellation(tx, batch.id, "CANCELLED", null, nowMs())) return;
            cancelQueuedMessages(tx, { id: batch.id, reason: "CANCELLED" }, nowMs(), 50);
          }),
        () =>
          fixture.store.write((tx) => {
            for (const id of findUnpostedBatches(tx, 10)) postBatchMovements(tx, id, nowMs());
          }),
        () =>
          fixture.store.write((tx) => {
            const price = { operator: "orange", messageClass: null, amount: below(40) };
            setPrice(tx, tenant.accountId, price, nowMs());
          }),
        () => {
          const amount = below(600) - 300 || 1;
          paid += amount;
          references += 1;
          const id = `adjustment ${references}`;
          return fixture.store.write((tx) =>
            adjust(tx, { accountId: tenant.accountId, amount, reason: "x", id, atMs: nowMs() }),
          );
        },
      ];
      // Whatever the seed does, something was charged.
      await submitTo(fixture, tenant, "first", submission({ recipients: numbers(20), body: "Bonjour" }));
      const first = messages();
      for (const fact of [facts.claimed, (id: number) => facts.partAccepted(id, 1)]) {
        await fixture.store.write((tx) => applyFacts(tx, first.map(fact), nowMs()));
      }
      for (let round = 0; round < 40; round++) {
        await Promise.all(Array.from({ length: 1 + below(6) }, () => moves[below(moves.length)]?.()));
        expect(differences()).toEqual([]);
        if (round % 4 === 0) await surviveACrash();
        const { funds, reserved } = wallet();
        const { charged, held } = await inTheFeed();
        expect({ funds, reserved }).toEqual({ funds: paid - charged - held, reserved: held });
      }
      expect((await inTheFeed()).charged).toBeGreaterThan(0);
    }),
  );
});

/** What a client can add up from the feed: what was charged, and what is still set aside. */
async function inTheFeed(): Promise<{ charged: number; held: number }> {
  type Page = {
    readonly messages: readonly { amount: number; reserved_amount: number; status: string }[];
    readonly next_status_changed_since: string;
    readonly has_more: boolean;
  };
  let charged = 0;
  let held = 0;
  let since = "2026-01-01T00:00:00Z";
  for (let hasMore = true; hasMore; ) {
    const query = new URLSearchParams({ status_changed_since: since, limit: "500" });
    const answer = await fetch(`${fixture.http.url}/public/v1/messages?${query}`, {
      headers: { authorization: `Bearer ${tenant.apiKey}` },
    });
    const { data } = (await answer.json()) as { data: Page };
    for (const message of data.messages) {
      charged += message.amount;
      if (["QUEUED", "SUBMITTED"].includes(message.status)) held += message.reserved_amount;
    }
    since = data.next_status_changed_since;
    hasMore = data.has_more;
  }
  return { charged, held };
}
