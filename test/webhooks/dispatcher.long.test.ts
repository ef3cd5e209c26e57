import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordEvent } from "../../src/domain/events/outbox.ts";
import { feedPage } from "../../src/domain/messages/feed.ts";
import { findMessage, messageObject } from "../../src/domain/messages/message-view.ts";
import type { PostEnd } from "../../src/https/post.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { rewindEndpoint } from "../../src/webhooks/endpoints.ts";
import * as facts from "../kit/facts.ts";
import { answered, DELAYS, type Posted, type Rig, taken, webhookRig } from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

const by = () => ({ accountId: rig.account.id, actor: "test" });
const told = (path: string) => rig.posts.filter((posted) => posted.path === path);
const ids = (posts: readonly Posted[]) => posts.map(({ eventId }) => eventId);
const types = (posts: readonly Posted[]) => posts.map(({ type }) => type);
const different = (posts: readonly Posted[]) => new Set(ids(posts)).size;
/** An answer that comes when the test says so. */
function held() {
  const waiting: ((end: PostEnd) => void)[] = [];
  return {
    reply: () => new Promise<PostEnd>((resolve) => waiting.push(resolve)),
    waiting: () => waiting.length,
    release: (end: PostEnd) => {
      for (const resolve of waiting.splice(0)) resolve(end);
    },
  };
}

describe("what an endpoint is told", () => {
  // Keeps: behaviour 8.1, 8.5, 8.6, 8.7, 8.10, 8.11
  test("is each final message and its settled batch, once, with the message as the API shows it", async () => {
    const { secret } = await rig.endpoint("a");
    rig.start();
    const [first, second] = (await rig.batch(2)) as [number, number];
    await rig.deliver(first);
    await rig.books.apply(facts.givenUp(second));
    await rig.pass(1);
    expect(types(rig.posts).sort()).toEqual(["BATCH_SETTLED", "MESSAGE_TERMINAL", "MESSAGE_TERMINAL"]);
    const posted = rig.posts.find(({ type }) => type === "MESSAGE_TERMINAL")!;
    const { ulid } = rig.books.messageRow(first);
    const row = findMessage(rig.books.store.read, rig.account.id, ulid)!;
    expect(JSON.parse(posted.body)).toEqual({
      type: "MESSAGE_TERMINAL",
      timestamp: messageObject(row).finalized_at,
      event_id: posted.eventId,
      account_id: rig.account.ulid,
      is_sandbox: false,
      data: messageObject(row),
    });
    expect(posted.headers["content-type"]).toBe("application/json");
    const seconds = Number(posted.headers["webhook-timestamp"]);
    expect(seconds).toBe(Math.floor(rig.nowMs() / 1000) - 1);
    expect(posted.headers["webhook-signature"]).toBe(
      new Webhook(secret).sign(posted.eventId, new Date(seconds * 1000), posted.body),
    );
    await rig.pass(60);
    expect(rig.posts.length).toBe(3);
  });

  // Keeps: behaviour 8.8, 8.9
  test("of a batch are its figures and its rejections by reason, never one by one", async () => {
    await rig.endpoint("a", ["BATCH_SETTLED"]);
    rig.start();
    const [id] = (await rig.batch(1)) as [number];
    await rig.books.store.write((tx) => {
      const batchId = rig.books.messageRow(id).batch_id;
      for (const [position, reason] of ["SUPPRESSED", "INVALID_MSISDN", "SUPPRESSED"].entries()) {
        tx.run("INSERT INTO rejections VALUES (?, ?, NULL, ?, NULL)", batchId, position + 1, reason);
      }
    });
    await rig.deliver(id);
    await rig.pass(1);
    const { data } = JSON.parse(rig.posts[0]!.body) as { data: Record<string, unknown> };
    expect(data).toMatchObject({
      status: "SETTLED",
      accepted: 1,
      charged_amount: 1,
      released_amount: 0,
      counts: { total: 1, delivered: 1 },
      rejections_by_reason: { SUPPRESSED: 2, INVALID_MSISDN: 1 },
    });
    expect(data).not.toHaveProperty("rejections");
  });

  // Keeps: public-api 6.6
  test("is only what it subscribed to", async () => {
    await rig.endpoint("settled", ["BATCH_SETTLED"]);
    await rig.endpoint("messages", ["MESSAGE_TERMINAL"]);
    await rig.endpoint("wallet", ["WALLET_LOW", "BATCH_FAILED"]);
    rig.start();
    await rig.deliver(...(await rig.batch(3)));
    const figures = { spendable: 12, low_balance: 100 };
    await rig.books.store.write((tx) =>
      recordEvent(tx, { type: "WALLET_LOW", accountId: rig.account.id, atMs: 9, figures }),
    );
    await rig.pass(1);
    expect(types(told("settled"))).toEqual(["BATCH_SETTLED"]);
    expect(types(told("messages"))).toEqual(Array.from({ length: 3 }, () => "MESSAGE_TERMINAL"));
    expect(types(told("wallet"))).toEqual(["WALLET_LOW"]);
    expect(JSON.parse(told("wallet")[0]!.body)).toMatchObject({ data: figures });
  });

  // Keeps: behaviour 8.15
  test("is its own account's alone, and two endpoints of it get the same event under one id", async () => {
    const other = await rig.books.account();
    await rig.endpoint("a");
    await rig.endpoint("b");
    await rig.endpoint("other", undefined, other);
    rig.start();
    await rig.deliver(...(await rig.batch(4)));
    await rig.pass(1);
    expect(told("a").length).toBe(5);
    expect(ids(told("b")).sort()).toEqual(ids(told("a")).sort());
    expect(told("other")).toEqual([]);
  });

  test("begins when it is registered: nothing of before", async () => {
    rig.start();
    await rig.deliver(...(await rig.batch(2)));
    await rig.endpoint("late");
    await rig.pass(1);
    expect(rig.posts).toEqual([]);
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(types(rig.posts).sort()).toEqual(["BATCH_SETTLED", "MESSAGE_TERMINAL"]);
  });

  // Keeps: behaviour 8.15
  test("passes over messages on their way and comes back to each when it is final", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.start();
    const messages = await rig.batch(600);
    await rig.books.apply(...messages.map((id) => facts.claimed(id)));
    await rig.pass(1);
    expect(rig.posts).toEqual([]);
    await rig.books.apply(...messages.flatMap((id) => [facts.partAccepted(id), facts.delivered(id)]));
    await rig.pass(1);
    expect([rig.posts.length, different(rig.posts)]).toEqual([600, 600]);
  });
});

describe("an endpoint that is disabled", () => {
  // Keeps: public-api 3.3.2, 6.11
  // Keeps: behaviour 8.16
  test("is told nothing, and after it is enabled nothing of what happened in between", async () => {
    const { id } = await rig.endpoint("a");
    rig.start();
    await rig.registration.disable(by(), id);
    await rig.deliver(...(await rig.batch(2)));
    await rig.pass(5);
    await rig.registration.enable(by(), id);
    await rig.pass(5);
    expect(rig.posts).toEqual([]);
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(rig.posts.length).toBe(2);
  });

  // Keeps: public-api 6.12
  test("finds what it missed in the feed, from its last success on", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    const since = rig.row(id).lastSuccessAt!;
    await rig.registration.disable(by(), id);
    const missed = await rig.batch(3);
    await rig.deliver(...missed);
    await rig.registration.enable(by(), id);
    await rig.pass(1);
    expect(rig.posts.length).toBe(1);
    const query = { accountId: rig.account.id, sinceUs: since * 1000, limit: 100, batchUlid: null };
    const found = feedPage(rig.books.store.read, query)?.messages.map(({ message_id }) => message_id);
    for (const message of missed) expect(found).toContain(rig.books.messageRow(message).ulid);
  });

  // Keeps: behaviour 8.17
  test("loses what waited, and an attempt under way counts no more", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(rig.count("webhook_retries")).toBe(1);
    const late = held();
    rig.answer(late.reply);
    await rig.pass(7);
    expect(late.waiting()).toBe(1);
    await rig.registration.disable(by(), id);
    expect(rig.count("webhook_retries")).toBe(0);
    late.release(answered(500));
    await rig.pass(1);
    expect(rig.row(id)).toMatchObject({ status: "DISABLED_BY_USER", consecutiveFailures: 1 });
    expect(rig.count("webhook_retries")).toBe(0);
  });
});

describe("an event that is not taken", () => {
  // Keeps: behaviour 8.6, 8.23, 8.24
  test("is attempted again by the list, ±20 %, under the same id and with the same body; then given up", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    const [message] = (await rig.batch(1)) as [number];
    await rig.deliver(message);
    await rig.pass(1);
    const dueAt = () =>
      rig.books.store.read.get<{ dueAt: number }>("SELECT due_at AS dueAt FROM webhook_retries")?.dueAt;
    for (let due = dueAt(); due !== undefined; due = dueAt())
      await rig.leapTo(Math.max(due, rig.row(id).notBefore));
    await rig.leap(1_000_000);
    expect(rig.posts.length).toBe(10);
    expect(different(rig.posts)).toBe(1);
    expect(new Set(rig.posts.map(({ body }) => body)).size).toBe(1);
    const gaps = rig.posts.slice(1).map(({ at }, index) => at - rig.posts[index]!.at);
    for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(seconds * 0.8);
      expect(gaps[index]).toBeLessThanOrEqual(seconds * 1.2 + 0.4);
    }
    expect(rig.count("webhook_retries")).toBe(0);
    expect(rig.row(id)).toMatchObject({ status: "ENABLED", consecutiveFailures: 10 });
    expect(rig.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "webhook event given up", attempts: 10 }),
    );
    const query = { accountId: rig.account.id, sinceUs: 0, limit: 100, batchUlid: null };
    const found = feedPage(rig.books.store.read, query)?.messages.map(({ message_id }) => message_id);
    expect(found).toEqual([rig.books.messageRow(message).ulid]);
  });

  test("goes by the delays that are in force when an attempt has failed", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    const [message] = (await rig.batch(1)) as [number];
    await rig.deliver(message);
    await rig.pass(1);
    expect(rig.count("webhook_retries")).toBe(1);
    rig.setDelays({ retry_seconds: [5], probe_seconds: [10] });
    await rig.leap(10);
    expect([rig.posts.length, rig.count("webhook_retries")]).toEqual([2, 0]);
  });

  test("waits no longer than the longest delay where a clock dated it that was set back since, nor do the others", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(429, "3600"));
    rig.start();
    const [first, second] = (await rig.batch(2)) as [number, number];
    rig.books.clock.setBy(3 * 86_400_000);
    await rig.deliver(first);
    await rig.pass(1);
    rig.books.clock.setBy(-3 * 86_400_000);
    rig.answer(() => taken);
    const failed = rig.posts.length;
    await rig.deliver(second);
    await rig.pass(2);
    expect([failed, rig.posts.length, rig.count("webhook_retries")]).toEqual([1, 3, 0]);
    expect(new Set(rig.posts.map(({ eventId }) => eventId)).size).toBe(2);
  });

  test("carries the time of each attempt", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(10);
    const stamps = rig.posts.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(stamps.length).toBe(2);
    expect(stamps[1]! - stamps[0]!).toBeGreaterThanOrEqual(4);
  });

  // Keeps: behaviour 8.20
  test("because it is gone for good ends at once, as one failure", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(410));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.leap(4000);
    expect(rig.posts.length).toBe(1);
    expect(rig.row(id).consecutiveFailures).toBe(1);
  });

  // Keeps: behaviour 8.21
  test("for a while waits as long as the receiver asked, and so do the others", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(429, "600"));
    rig.start();
    const messages = await rig.batch(3);
    await rig.deliver(messages[0]!);
    await rig.pass(1);
    rig.answer(() => taken);
    await rig.deliver(messages[1]!, messages[2]!);
    await rig.leap(597);
    expect(rig.posts.length).toBe(1);
    await rig.pass(3);
    expect(different(rig.posts)).toBe(3);
  });

  test("does not keep the others from going", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const [poison, ...others] = (await rig.batch(50)) as [number, ...number[]];
    const { ulid } = rig.books.messageRow(poison);
    rig.answer(({ body }) => (body.includes(ulid) ? answered(500) : taken));
    rig.start();
    await rig.deliver(poison, ...others);
    await rig.pass(2);
    expect(different(rig.posts)).toBe(50);
    await rig.pass(10);
    expect(rig.posts.length).toBe(51);
    expect(rig.count("webhook_retries")).toBe(1);
  });
});

describe("an endpoint that fails", () => {
  // Keeps: behaviour 8.26, 8.27
  test("is probed after three failures in a row: one attempt at a time, each with another event", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    await rig.deliver(...(await rig.batch(40)));
    rig.start();
    await rig.pass(1);
    const atOnce = rig.posts.length;
    // Four in flight when the first failed count as one, then two more one by one.
    expect(atOnce).toBe(6);
    expect(rig.row(id).consecutiveFailures).toBe(3);
    await rig.pass(9);
    await rig.pass(1);
    expect(rig.posts.length).toBe(atOnce + 1);
    await rig.pass(30);
    expect(rig.posts.length).toBe(atOnce + 2);
    await rig.pass(60);
    expect(rig.posts.length).toBe(atOnce + 3);
    expect(different(rig.posts)).toBe(rig.posts.length);
    expect(rig.row(id).consecutiveFailures).toBe(6);
  });

  // Keeps: public-api 2.7.6, 3.3.3, 6.9, 6.10, 8.14
  // Keeps: behaviour 8.17, 8.28
  test("is disabled at exactly twenty, and never enabled by itself", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    await rig.deliver(...(await rig.batch(60)));
    rig.start();
    await rig.pass(1);
    while (rig.row(id).status === "ENABLED") {
      const { consecutiveFailures, notBefore } = rig.row(id);
      await rig.leapTo(notBefore);
      expect(rig.row(id).consecutiveFailures).toBe(consecutiveFailures + 1);
    }
    const seen = rig.posts.length;
    expect(rig.row(id)).toMatchObject({
      status: "DISABLED_AFTER_FAILURES",
      consecutiveFailures: 20,
      disabledReason: phrase("webhook.disabled.failures", { failures: 20 }),
    });
    expect(seen).toBe(20 + 3);
    expect(rig.count("webhook_retries")).toBe(0);
    rig.answer(() => taken);
    await rig.leap(100_000);
    expect(rig.posts.length).toBe(seen);
    expect(rig.row(id).status).toBe("DISABLED_AFTER_FAILURES");
    await rig.registration.enable(by(), id);
    expect(rig.row(id)).toMatchObject({ status: "ENABLED", consecutiveFailures: 0, disabledReason: null });
    await rig.pass(10);
    expect(rig.posts.length).toBe(seen);
  });

  test("gets all that waits at once when its owner says that it is back, and each once", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    await rig.deliver(...(await rig.batch(12)));
    await rig.leap(300);
    const failing = rig.posts.length;
    expect(rig.count("webhook_retries")).toBeGreaterThan(1);
    rig.answer(() => taken);
    await rig.registration.enable(by(), id);
    await rig.pass(2);
    expect(rig.row(id).status).toBe("ENABLED");
    expect([different(rig.posts.slice(failing)), rig.posts.length - failing]).toEqual([12, 12]);
    expect(rig.count("webhook_retries")).toBe(0);
  });

  test("survives an hour of 500s, and then gets everything soon", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    const messages = await rig.batch(120);
    for (const message of messages) {
      await rig.deliver(message);
      await rig.leap(29.7);
    }
    expect(rig.row(id).status).toBe("ENABLED");
    const failing = rig.posts.length;
    rig.answer(() => taken);
    await rig.leap(1900);
    await rig.pass(1);
    expect(different(rig.posts.slice(failing))).toBe(120);
    expect(rig.row(id)).toMatchObject({ consecutiveFailures: 0, notBefore: 0 });
    expect(rig.count("webhook_retries")).toBe(0);
  });

  // Keeps: public-api 2.7.8, 2.7.9
  // Keeps: behaviour 8.25
  test("is well again with one success", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(rig.row(id)).toMatchObject({ consecutiveFailures: 1, lastSuccessAt: null });
    rig.answer(() => taken);
    await rig.pass(10);
    expect(rig.row(id).consecutiveFailures).toBe(0);
    expect(rig.row(id).lastSuccessAt).toBeGreaterThan(rig.row(id).lastFailureAt!);
  });
});

describe("attempts at once", () => {
  test("are bounded for each endpoint, few at first", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const slow = held();
    rig.answer(slow.reply);
    await rig.deliver(...(await rig.batch(300)));
    rig.start();
    let most = 0;
    await rig.pass(1);
    expect(slow.waiting()).toBe(4);
    for (let round = 0; round < 20; round++) {
      slow.release(taken);
      await rig.pass(1);
      most = Math.max(most, slow.waiting());
    }
    expect(most).toBe(32);
    slow.release(taken);
  });

  test("of endpoints that never answer delay no other", async () => {
    for (let number = 0; number < 12; number++) await rig.endpoint(`slow${number}`, ["MESSAGE_TERMINAL"]);
    const stuck = held();
    rig.answer(({ path }) => (path.startsWith("slow") ? stuck.reply() : taken));
    rig.start();
    await rig.deliver(...(await rig.batch(60)));
    await rig.pass(1);
    await rig.endpoint("quick", ["MESSAGE_TERMINAL"]);
    await rig.deliver(...(await rig.batch(100)));
    await rig.pass(1);
    expect(different(told("quick"))).toBe(100);
    expect(stuck.waiting()).toBe(12 * 4);
    stuck.release(taken);
  });

  test("are bounded over all endpoints, and there is always room for one that has none", async () => {
    const many = 20;
    for (let number = 0; number < many; number++) await rig.endpoint(`e${number}`, ["MESSAGE_TERMINAL"]);
    await rig.deliver(...(await rig.batch(200)));
    rig.start();
    // All are well first, so that each may have 32 at once.
    await rig.pass(1);
    expect(rig.posts.length).toBe(many * 200);
    const stuck = held();
    rig.answer(({ path }) => (path.startsWith("e") ? stuck.reply() : taken));
    await rig.deliver(...(await rig.batch(100)));
    await rig.pass(1);
    expect(stuck.waiting()).toBeLessThan(240);
    for (let number = 0; number < many; number++) {
      expect(told(`e${number}`).length).toBeGreaterThanOrEqual(200 + 2);
    }
    await rig.endpoint("late", ["MESSAGE_TERMINAL"]);
    await rig.deliver(...(await rig.batch(100)));
    await rig.pass(1);
    expect(different(told("late"))).toBe(100);
    stuck.release(taken);
  });

  test("of one account with many endpoints that never answer take no more than half of them all", async () => {
    const other = await rig.books.account();
    for (let number = 0; number < 100; number++) await rig.endpoint(`slow${number}`, ["MESSAGE_TERMINAL"]);
    await rig.endpoint("quick", ["MESSAGE_TERMINAL"], other);
    const stuck = held();
    rig.answer(({ path }) => (path.startsWith("slow") ? stuck.reply() : taken));
    rig.start();
    await rig.deliver(...(await rig.batch(10)));
    await rig.pass(1);
    expect(stuck.waiting()).toBeLessThanOrEqual(120);
    await rig.deliver(...(await rig.batch(100, other)));
    await rig.pass(1);
    expect(different(told("quick"))).toBe(100);
    stuck.release(taken);
  });
});

/** What webhooks came to is refused from now on. */
const fillDisk = () =>
  rig.books.store.write((tx) =>
    tx.run(
      "CREATE TRIGGER full BEFORE UPDATE OF feed_cursor_us ON webhook_endpoints BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    ),
  );

const freeDisk = () => rig.books.store.write((tx) => tx.run("DROP TRIGGER full"));

describe("a crash", () => {
  test("loses no event, and what is told again is told under the same id", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    await rig.deliver(...(await rig.batch(100)));
    const first = rig.start();
    let count = 0;
    const never = held();
    rig.answer(() => (++count > 37 ? never.reply() : taken));
    // As far as it gets before anything of it is written.
    for (let turn = 0; turn < 30; turn++) await rig.pass(0);
    expect(rig.posts.length).toBeGreaterThanOrEqual(37);
    const before = new Set(ids(rig.posts));
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect(different(rig.posts)).toBe(100);
    for (const id of before) expect(ids(told("a"))).toContain(id);
    never.release(taken);
    void first.stop(0);
  });

  test("loses none whose attempt was under way while later ones were told and written down", async () => {
    await rig.endpoint("a");
    const [early] = (await rig.batch(1)) as [number];
    const later = await rig.batch(3);
    const never = held();
    let first = "";
    rig.answer(({ eventId, type }) => {
      if (type === "BATCH_SETTLED" && first === "") first = eventId;
      return eventId === first ? never.reply() : taken;
    });
    rig.start();
    await rig.deliver(early);
    await rig.pass(1);
    await rig.deliver(...later);
    await rig.pass(1);
    expect(different(rig.posts)).toBe(6);
    const posted = rig.posts.length;
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect(ids(rig.posts.slice(posted))).toContain(first);
    never.release(taken);
  });

  test("after what was told was written down tells nothing again", async () => {
    await rig.endpoint("a");
    await rig.deliver(...(await rig.batch(20)));
    await rig.start().stop(0);
    const first = rig.start();
    await rig.pass(1);
    expect(rig.posts.length).toBe(21);
    await first.stop(0);
    rig.start();
    await rig.pass(10);
    expect(rig.posts.length).toBe(21);
  });

  test("keeps retries, their count of attempts and the endpoint's failures", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    const first = rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(10);
    expect(rig.posts.length).toBe(2);
    await first.stop(0);
    rig.start();
    await rig.leap(400);
    expect(rig.posts.length).toBe(3);
    expect(different(rig.posts)).toBe(1);
    expect(rig.row(id).consecutiveFailures).toBe(3);
    expect(rig.books.store.read.get("SELECT attempts FROM webhook_retries")).toEqual({ attempts: 3 });
  });

  test("tells what failed once and at its own time, though an event before it was still under way", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const never = held();
    rig.answer(() => (rig.posts.length === 1 ? never.reply() : answered(500)));
    const first = rig.start();
    await rig.deliver(...(await rig.batch(2)));
    await rig.pass(2);
    const [slow, failed] = ids(rig.posts);
    const stopped = first.stop(1000);
    await rig.pass(1);
    await stopped;
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect(ids(rig.posts.slice(2))).toEqual([slow]);
    await rig.pass(10);
    expect(ids(rig.posts.slice(2))).toEqual([slow, failed]);
  });

  test("of a write tells nobody again: it is written when the disk takes it, and nothing new is begun until then", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.start();
    await rig.pass(1);
    await fillDisk();
    await rig.deliver(...(await rig.batch(3)));
    await rig.pass(2);
    await rig.deliver(...(await rig.batch(2)));
    await rig.pass(10);
    expect(rig.posts.length).toBe(3);
    // It backs off: a line now and then, and not ten a second.
    expect(rig.lines.filter(({ level }) => level === "error").length).toBeLessThan(12);
    await freeDisk();
    await rig.pass(10);
    expect([rig.posts.length, different(rig.posts)]).toEqual([5, 5]);
    rig.start();
    await rig.pass(1);
    expect(rig.posts.length).toBe(5);
  });

  test("of a write until a retry was due has it told once, however late it is heard that it was written", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const slow = held();
    rig.answer(() => (rig.posts.length === 1 ? answered(500) : slow.reply()));
    let heardAfterMs = 2000;
    rig.start(() => heardAfterMs);
    await rig.pass(3);
    await fillDisk();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(20);
    expect(rig.posts.length).toBe(1);
    await freeDisk();
    await rig.pass(10);
    expect(rig.posts.length).toBe(2);
    // Whatever else is written lets it look again.
    await rig.batch(1);
    await rig.pass(1);
    expect(rig.posts.length).toBe(2);
    slow.release(taken);
    heardAfterMs = 0;
    await rig.pass(5);
  });
});

describe("what changes while events are on their way", () => {
  // Keeps: public-api 4.9.4, 4.9.5, 6.8, 8.15
  // Keeps: behaviour 8.3
  test("a new secret signs from then on, before the previous one", async () => {
    const { id, secret } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    const rotated = await rig.registration.rotate(by(), id);
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    const [one, two] = rig.posts as [Posted, Posted];
    const count = ({ headers }: Posted) => headers["webhook-signature"]!.split(" ").length;
    expect([count(one), count(two)]).toEqual([1, 2]);
    const signatures = [rotated.ok ? rotated.value.secret : "", secret].map((each) =>
      new Webhook(each).sign(
        two.eventId,
        new Date(Number(two.headers["webhook-timestamp"]) * 1000),
        two.body,
      ),
    );
    expect(two.headers["webhook-signature"]).toBe(signatures.join(" "));
    await rig.leap(24 * 3600);
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(count(rig.posts[2]!)).toBe(1);
  });

  test("an endpoint that is removed is told no more, and nothing of it stays", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(() => answered(500));
    rig.start();
    await rig.deliver(...(await rig.batch(2)));
    const late = held();
    await rig.pass(1);
    rig.answer(late.reply);
    await rig.pass(7);
    await rig.books.store.write((tx) => tx.run("DELETE FROM webhook_endpoints WHERE ulid = ?", id));
    late.release(taken);
    await rig.pass(0.2);
    const posted = rig.posts.length;
    await rig.leap(1000);
    expect(rig.posts.length).toBe(posted);
    for (const table of ["webhook_secrets", "webhook_retries", "webhook_attempts"]) {
      expect([table, rig.count(table)]).toEqual([table, 0]);
    }
  });

  test("an endpoint that is wound back is told again, under the same ids", async () => {
    const { id } = await rig.endpoint("a");
    rig.start();
    await rig.deliver(...(await rig.batch(3)));
    await rig.pass(1);
    const sinceMs = rig.books.clock.nowMs();
    await rig.deliver(...(await rig.batch(2)));
    await rig.pass(1);
    const first = rig.posts.slice(4);
    await rig.books.store.write((tx) => rewindEndpoint(tx, rig.row(id), sinceMs));
    // What became final at that very moment is told as well.
    expect(rig.row(id).feedCursorUs).toBe(sinceMs * 1000 - 1);
    await rig.pass(1);
    expect(ids(rig.posts.slice(7)).sort()).toEqual(ids(first).sort());
  });

  test("an endpoint that is wound back is told at once of what waits for a retry, and once", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.setDelays({ ...DELAYS, retry_seconds: [3600, 3600] });
    rig.answer(() => answered(500));
    rig.start();
    const sinceMs = rig.books.clock.nowMs();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    rig.answer(() => taken);
    await rig.books.store.write((tx) => rewindEndpoint(tx, rig.row(id), sinceMs));
    await rig.pass(5);
    expect([rig.posts.length, different(rig.posts), rig.count("webhook_retries")]).toEqual([2, 1, 0]);
  });

  test("secrets that do not open leave nothing to sign with: nothing is told, and the log says so, once", async () => {
    const { id } = await rig.endpoint("a");
    await rig.books.store.write((tx) => tx.run("UPDATE webhook_secrets SET sealed = x'00'"));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    expect(rig.posts).toEqual([]);
    const said = rig.lines.filter(({ level }) => level === "error");
    expect(said.map(({ webhook_id }) => webhook_id)).toEqual([id]);
  });

  test("a new secret signs at once where the previous one does not open any more", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    await rig.books.store.write((tx) => tx.run("UPDATE webhook_secrets SET sealed = x'00'"));
    rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    const rotated = await rig.registration.rotate(by(), id);
    await rig.pass(1);
    expect(rig.posts.length).toBe(1);
    const [{ eventId, body, headers }] = rig.posts as [Posted];
    const signedAt = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const webhook = new Webhook(rotated.ok ? rotated.value.secret : "");
    expect(headers["webhook-signature"]).toBe(webhook.sign(eventId, signedAt, body));
  });
});

describe("stopping", () => {
  test("waits for attempts under way and writes what came of them", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const slow = held();
    rig.answer(slow.reply);
    const dispatcher = rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    let isStopped = false;
    const stopped = dispatcher.stop(1000).then(() => {
      isStopped = true;
    });
    await rig.pass(0.5);
    expect(isStopped).toBe(false);
    slow.release(taken);
    await stopped;
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect(rig.posts.length).toBe(1);
  });

  test("does not wait for longer than it may; what was under way is told after the next start", async () => {
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    rig.answer(held().reply);
    const dispatcher = rig.start();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(1);
    const stopped = dispatcher.stop(1000);
    await rig.pass(1);
    await stopped;
    expect(rig.row(id).consecutiveFailures).toBe(0);
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect([rig.posts.length, different(rig.posts)]).toEqual([2, 1]);
  });

  test("has nothing told again that was answered, though an event before it had no answer yet", async () => {
    await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const never = held();
    rig.answer(() => (rig.posts.length === 1 ? never.reply() : taken));
    const dispatcher = rig.start();
    await rig.deliver(...(await rig.batch(9)));
    await rig.pass(1);
    const [slow] = ids(rig.posts);
    expect(rig.posts.length).toBe(9);
    const stopped = dispatcher.stop(1000);
    await rig.pass(1);
    await stopped;
    rig.answer(() => taken);
    rig.start();
    await rig.pass(1);
    expect(ids(rig.posts.slice(9))).toEqual([slow]);
    expect(rig.posts[9]?.body).toBe(rig.posts[0]?.body);
    expect(rig.count("webhook_retries")).toBe(0);
  });
});
