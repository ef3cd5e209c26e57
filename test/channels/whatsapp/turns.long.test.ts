/** Which message leaves next by a number, and what those wait for that may not leave yet. */
import { afterEach, describe, expect, test } from "vitest";
import { createPostSelector } from "../../../src/channels/whatsapp/number-worker.ts";
import { createUserSpacing } from "../../../src/channels/whatsapp/pacing.ts";
import type { Candidate } from "../../../src/dispatch/batch-scheduler.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type RigOptions, type WhatsappRig, whatsappRig } from "./rig.ts";

const rigs: WhatsappRig[] = [];
async function rigWith(options: RigOptions = {}) {
  const rig = await whatsappRig({ fate: () => DELIVERED, ...options });
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const DELIVERED: PostFate = fated([{ status: "sent" }, { status: "delivered" }]);
const AWA = "70000001";
const sending = (
  rig: WhatsappRig,
  to: string | readonly string[],
  messageClass: MessageClass,
  body = "Awa",
) => rig.send(typeof to === "string" ? [to] : to, "whatsapp:main", body, messageClass);
/** To whom posts were made, in their order. */
const users = (rig: WhatsappRig) => rig.posts.map(({ to }) => to.replace("226", ""));

describe("a message whose user was written to a moment ago", () => {
  test("is looked for when its time comes, though it came between two looks at the clock", () => {
    const turns = createUserSpacing();
    const message = { id: 1, msisdn: AWA };
    const waiting = { batch: { messageClass: "OTP" }, message } as Candidate;
    turns.note(AWA, 0);
    turns.keep(waiting, 6250);
    const queue = { take: () => null, settled: () => {}, requeued: () => {} };
    const room = { has: () => true, letIn: () => {}, nextMs: () => null } as never;
    const next = createPostSelector({
      clock: { nowMs: () => 0 },
      queue,
      recorder: { enter: () => {} },
      users: turns,
      room,
    });
    expect([next.take(6249.9), next.againMs(6249.9)]).toEqual([null, 6250]);
    expect([next.take(6250), next.againMs(6250)]).toEqual([waiting, null]);
  });

  test("leaves so late that Meta has it six seconds after the one before, however long that one was on its way", async () => {
    let posts = 0;
    const rig = await rigWith({
      sim: { webhook: null },
      onTheWay: (clock) =>
        new Promise((resolve) => {
          posts += 1;
          if (posts === 1) clock.after(1500, resolve);
          else resolve();
        }),
    });
    for (const body of ["one", "two", "three"]) await sending(rig, AWA, "TRANSACTIONAL", body);
    await rig.until(() => rig.posts.length === 3);
    expect(rig.posts.map(({ code }) => code)).toEqual([null, null, null]);
  });

  test("goes before others to the same user that are less urgent", async () => {
    const rig = await rigWith();
    const batches: number[] = [];
    for (const body of ["one", "two"]) batches.push(await sending(rig, AWA, "MARKETING", body));
    await rig.until(() => rig.posts.length === 1);
    batches.push(await sending(rig, AWA, "OTP", "code"));
    await rig.until(() => batches.every((batch) => rig.statuses(batch)[0] === "DELIVERED"), 50);
    const order = rig.posts.map(({ opaque }) => opaque?.split(".")[0]);
    const ulidOf = (batch?: number) =>
      rig.store.read.get<{ ulid: string }>("SELECT ulid FROM messages WHERE batch_id = ?", batch ?? 0)?.ulid;
    expect(order).toEqual([ulidOf(batches[0]), ulidOf(batches[2]), ulidOf(batches[1])]);
  });

  test("waits for its user over a restart too, and holds up nobody else", async () => {
    const rig = await rigWith();
    await sending(rig, [AWA, "70000002"], "TRANSACTIONAL", "one");
    await rig.until(() => rig.posts.length === 2);
    await rig.pass(2000);
    const second = await sending(rig, AWA, "TRANSACTIONAL", "two");
    const old = await rig.crash();
    await Promise.all([old.stop(0), rig.pass(1000)]);
    const other = await sending(rig, "70000003", "TRANSACTIONAL", "two");
    await rig.pass(2000);
    expect([users(rig).slice(2), rig.statuses(second), rig.statuses(other)]).toEqual([
      ["70000003"],
      ["QUEUED"],
      ["DELIVERED"],
    ]);
    await rig.until(() => rig.statuses(second)[0] === "DELIVERED");
    expect(users(rig)).toEqual([AWA, "70000002", "70000003", AWA]);
  });

  test("holds up nobody else, however many wait for the same user, and those leave one after the other", async () => {
    const rig = await rigWith();
    const batches: number[] = [];
    for (let at = 0; at < 530; at++) batches.push(await sending(rig, AWA, "TRANSACTIONAL", `text ${at}`));
    await rig.until(() => rig.posts.length === 1);
    const other = await sending(rig, "70000002", "MARKETING");
    await rig.until(() => rig.statuses(other)[0] === "DELIVERED", 20);
    await rig.until(() => users(rig).filter((user) => user === AWA).length >= 45, 1250);
    const times = rig.store.read
      .all<{ claimedMs: number }>(
        "SELECT submitted_at AS claimedMs FROM messages WHERE msisdn LIKE ? AND submitted_at IS NOT NULL ORDER BY 1",
        `%${AWA}`,
      )
      .map(({ claimedMs }) => claimedMs);
    expect(times.length).toBeGreaterThanOrEqual(45);
    expect(Math.min(...times.slice(1).map((at, place) => at - (times[place] ?? 0)))).toBeGreaterThanOrEqual(
      6000,
    );
    expect(new Set(rig.posts.map(({ opaque }) => opaque)).size).toBe(rig.posts.length);
  });
});

describe("a number whose day is used up", () => {
  test("writes to whoever was written to today, and to nobody else", async () => {
    const rig = await rigWith({ number: { recipients_per_day: 3 } });
    const campaign = await sending(
      rig,
      ["70000001", "70000002", "70000003", "70000004", "70000005"],
      "MARKETING",
    );
    await rig.until(() => rig.posts.length === 3);
    await rig.pass(7000, 500);
    const again = await sending(rig, "70000002", "OTP", "code");
    await rig.until(() => rig.statuses(again)[0] === "DELIVERED");
    await rig.pass(5000, 500);
    expect(users(rig)).toEqual(["70000001", "70000002", "70000003", "70000002"]);
    expect(rig.statuses(campaign).slice(3)).toEqual(["QUEUED", "QUEUED"]);
  });

  test("writes to the most urgent first when there is room, and to all when the limit is another", async () => {
    const rig = await rigWith({ number: { recipients_per_day: 1 } });
    await sending(rig, "70000001", "MARKETING");
    await rig.until(() => rig.posts.length === 1);
    await rig.pass(3_600_000, 600_000);
    const campaign = await sending(rig, ["70000002", "70000003"], "MARKETING");
    const code = await sending(rig, "70000004", "TRANSACTIONAL");
    await rig.pass(5000, 500);
    expect(rig.posts).toHaveLength(1);
    await rig.pass(84_000_000, 600_000);
    expect(users(rig)).toEqual(["70000001", "70000004"]);
    expect(rig.statuses(code)).toEqual(["DELIVERED"]);
    rig.settings.replace(rig.config({}, { recipients_per_day: 0 }));
    await rig.until(() => rig.statuses(campaign).every((status) => status === "DELIVERED"));
  });
});
