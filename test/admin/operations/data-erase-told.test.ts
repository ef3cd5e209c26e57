/** Erasing a number while endpoints are being told of it, with a real dispatcher. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { dataErase } from "../../../src/admin/operations/erasure/number-data.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { PostEnd } from "../../../src/https/post.ts";
import { english } from "../../../src/i18n/text.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { answered, type Rig, taken, webhookRig } from "../../webhooks/rig.ts";
import { adminConfig } from "./fixture.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

const numberOf = (messageId: number) => {
  const { read } = rig.books.store;
  return read.get<{ msisdn: string }>("SELECT msisdn FROM messages WHERE id = ?", messageId)!.msisdn;
};
const kept = () => {
  const { read } = rig.books.store;
  return read.all<{ body: string }>("SELECT body FROM webhook_retries").map(({ body }) => body);
};

async function erase(msisdn: string) {
  const { store, newId, clock } = rig.books;
  const context = {
    store,
    newId,
    clock,
    config: adminConfig(store.directory),
    chance: seededChance(9),
    actor: "test",
    server: null,
    machine: systemPlatform,
  };
  let isDone = false;
  const asked = { msisdn, isCancelling: false, isWithNewKey: false, listRetainedCopies: () => [] };
  const erasing = dataErase(context, asked).finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(20);
  const outcome = await erasing;
  if (!outcome.ok) throw new Error(english(outcome.refusal.detail));
  return outcome.value;
}

test("an attempt that is under way and fails afterwards leaves no row with the number: it is told anew by its name", async () => {
  await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
  const { promise, resolve } = Promise.withResolvers<PostEnd>();
  rig.answer(() => promise);
  rig.start();
  const [message = 0] = await rig.batch(1);
  const msisdn = numberOf(message);
  await rig.deliver(message);
  await rig.pass(1);
  expect(rig.posts.map(({ body }) => body.includes(msisdn))).toEqual([true]);
  const { number } = await erase(msisdn);
  rig.answer(() => answered(500));
  resolve(answered(500));
  await rig.pass(1);
  expect(kept().map((body) => [body.includes(msisdn), body.includes(number)])).toEqual([[false, true]]);
  rig.answer(() => taken);
  await rig.pass(20);
  const last = rig.posts.at(-1)!;
  expect([last.body.includes(msisdn), last.eventId]).toEqual([false, rig.posts[0]!.eventId]);
  expect(kept()).toEqual([]);
});

test("a retry that is under way is told by its name from then on", async () => {
  await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
  rig.answer(() => answered(500));
  rig.start();
  const [message = 0] = await rig.batch(1);
  const msisdn = numberOf(message);
  await rig.deliver(message);
  await rig.pass(1);
  const { promise, resolve } = Promise.withResolvers<PostEnd>();
  rig.answer(() => promise);
  await rig.pass(7);
  expect(rig.posts.length).toBe(2);
  expect((await erase(msisdn)).erased).toMatchObject({ messages: 1, waiting_events: 1 });
  rig.answer(() => answered(500));
  resolve(answered(500));
  await rig.pass(60);
  expect(rig.posts.length).toBeGreaterThan(2);
  expect(rig.posts.slice(2).filter(({ body }) => body.includes(msisdn))).toEqual([]);
  expect(kept().filter((body) => body.includes(msisdn))).toEqual([]);
});
