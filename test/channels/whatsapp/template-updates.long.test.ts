import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readMovingTemplates, readStoppedTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import { phrase, readPhrase } from "../../../src/i18n/phrase.ts";
import type { SimTemplate } from "../../../src/simulator/whatsapp/templates.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type WhatsappRig, whatsappRig } from "./rig.ts";

const MIN = 60_000;
const READY = "Bonjour {nom}, votre commande {commande} est prête.";
const ORDER = "commande_prete";

let rig: WhatsappRig;
beforeEach(async () => {
  rig = await whatsappRig({ wording: "templates", fate: () => fated([{ status: "delivered" }]) });
  await rig.account();
  await rig.sync();
  // Nothing that is told is of before the reading.
  await rig.clock.advance(3 * MIN);
});
afterEach(() => rig.stop());

const call = (changes: readonly object[], { waba = "7", secret = "S", atMs = rig.clock.nowMs() } = {}) => {
  const entry = [{ id: waba, time: Math.floor(atMs / 1000), changes }];
  const body = JSON.stringify({ object: "whatsapp_business_account", entry });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
  return fetch(rig.webhookAt, { method: "POST", headers, body });
};
const which = (name: string) => ({
  message_template_id: 900000000000002,
  message_template_language: "fr",
  message_template_name: name,
});
const event = (word: string, name = ORDER) => ({
  field: "message_template_status_update",
  value: { event: word, ...which(name), reason: "NONE" },
});
const category = (value: object, name = ORDER) => ({
  field: "template_category_update",
  value: { ...which(name), ...value },
});
const row = (name = ORDER) => rig.rows("whatsapp_templates").find((each) => each.name === name)!;
const stands = () => {
  const { status, why_not: whyNot } = row();
  return [status, typeof whyNot === "string" ? readPhrase(whyNot) : whyNot];
};
const atMeta = (changes: Partial<SimTemplate>) =>
  rig.sim.setTemplates(
    rig.sim.templates().map((each) => (each.name === ORDER ? { ...each, ...changes } : each)),
  );
const order = (seconds = 1) =>
  rig.submit({
    body: READY,
    recipients: [{ msisdn: `7000000${seconds}`, attributes: { nom: "Awa", commande: seconds } }],
  });
const statusOf = (answer: Awaited<ReturnType<typeof order>>) => {
  if (answer.kind !== "accepted") throw new Error("not accepted");
  const { id } = answer.batch;
  return () => rig.statuses(id)[0];
};
const notUnderstood = () =>
  rig.store.tally
    .counters("bendre_whatsapp_not_understood_total")
    .all()
    .map(({ labels: [field], value }) => [field, value]);
/** Nothing leaves by the number, or everything may. */
const lets = (enabled: boolean) => rig.settings.replace(rig.config({}, { enabled }));
/** Lets so much time pass that what was asked for is read. */
const readSoon = async () => {
  await rig.pass(6000);
  await rig.due();
};

describe("news of a template that stops it", () => {
  test.each([
    ["PAUSED", phrase("template.paused")],
    ["DISABLED", phrase("template.disabled")],
    ["REJECTED", phrase("template.rejected")],
    ["PENDING_DELETION", phrase("template.deleted")],
    ["ARCHIVED", phrase("template.status", { status: "ARCHIVED" })],
  ])("%s: nothing more is taken for it from the answer on", async (word, why) => {
    expect((await call([event(word)])).status).toBe(200);
    expect(stands()).toEqual([word, why]);
    const refused = await order();
    expect(refused.kind).not.toBe("accepted");
  });

  test("counts only with the right signature", async () => {
    expect((await call([event("PAUSED")], { secret: "other" })).status).toBe(401);
    expect(stands()).toEqual(["APPROVED", null]);
  });

  test("holds what waits, which goes on when it was read that it is back", async () => {
    lets(false);
    const waits = statusOf(await order());
    atMeta({ status: "PAUSED" });
    await call([event("PAUSED")]);
    lets(true);
    await rig.pass(3000);
    expect([waits(), rig.posts.length]).toEqual(["QUEUED", 0]);
    atMeta({ status: "APPROVED" });
    await rig.clock.advance(1000);
    await call([event("APPROVED")]);
    expect(stands()).toEqual(["PAUSED", phrase("template.paused")]);
    await readSoon();
    expect(stands()).toEqual(["APPROVED", null]);
    await rig.until(() => waits() === "DELIVERED");
  });

  test("ends what waits where the template is disabled, and the money comes back", async () => {
    lets(false);
    const waiting = statusOf(await order());
    await call([event("DISABLED")]);
    lets(true);
    await rig.until(() => waiting() === "FAILED");
    expect(rig.rows("messages")[0]).toMatchObject({ error_code: "TEMPLATE_UNAVAILABLE", amount: 0 });
    expect(rig.posts).toEqual([]);
  });

  test("told again is nothing new: not after a reading, and not after other news", async () => {
    const atMs = rig.clock.nowMs();
    await call([event("PAUSED")], { atMs });
    await call([event("PAUSED")], { atMs });
    expect(stands()[0]).toBe("PAUSED");
    await rig.clock.advance(3 * MIN);
    await rig.sync();
    expect(stands()[0]).toBe("APPROVED");
    await call([event("PAUSED")], { atMs });
    expect(stands()[0]).toBe("APPROVED");

    const later = rig.clock.nowMs();
    await call([event("REINSTATED")], { atMs: later });
    await call([event("DISABLED")], { atMs: later - 1000 });
    expect(stands()[0]).toBe("APPROVED");
  });

  test("of before the last reading changes nothing, and has the list read once more", async () => {
    await rig.sync();
    atMeta({ status: "PAUSED" });
    await call([event("PAUSED")], { atMs: rig.clock.nowMs() - 3 * MIN });
    expect(stands()[0]).toBe("APPROVED");
    await readSoon();
    expect(stands()[0]).toBe("PAUSED");
  });

  test("is not undone by a reading that had begun before", async () => {
    const release = Promise.withResolvers<void>();
    const { get } = rig.line().whatsapp.client;
    const slow = rig.readingWith(async (...asked) => {
      const answer = await get(...asked);
      await release.promise;
      return answer;
    });
    await rig.clock.advance(1000);
    await call([event("PAUSED"), category({ previous_category: "UTILITY", new_category: "MARKETING" })]);
    release.resolve();
    await slow;
    expect([...stands(), row().category]).toEqual(["PAUSED", phrase("template.paused"), "MARKETING"]);
    await rig.sync();
    expect([...stands(), row().category]).toEqual(["PAUSED", phrase("template.paused"), "MARKETING"]);
    await rig.clock.advance(1000);
    await rig.sync();
    expect([...stands(), row().category]).toEqual(["APPROVED", null, "UTILITY"]);
  });
});

describe("news of a template's category", () => {
  test("of a move that was made ends what waits", async () => {
    lets(false);
    const waiting = statusOf(await order());
    await call([category({ previous_category: "UTILITY", new_category: "MARKETING" })]);
    lets(true);
    expect(row().category).toBe("MARKETING");
    await rig.until(() => waiting() === "FAILED");
  });

  const announced = (movesAtMs: number | null, to = "MARKETING") =>
    category({
      correct_category: to,
      new_category: "UTILITY",
      ...(movesAtMs !== null && { category_update_timestamp: Math.floor(movesAtMs / 1000) }),
    });
  const told = () =>
    rig.log.lines.filter(({ message }) => message === "Meta will move a template to another category").length;
  const moves = () => [row().category, row().moves_to, row().moves_at];
  const DAY = 86_400_000;
  /** Whole seconds, as Meta tells times. */
  const soon = () => Math.floor(rig.clock.nowMs() / 1000) * 1000 + DAY;

  test("of a move that is announced moves nothing yet, and says when it will", async () => {
    const at = soon();
    await call([announced(at)]);
    expect(moves()).toEqual(["UTILITY", "MARKETING", at]);
    expect(readMovingTemplates(rig.store.read)).toMatchObject([
      { name: ORDER, language: "fr", category: "MARKETING", movesAtMs: at },
    ]);
    expect([told(), notUnderstood()]).toEqual([1, []]);
    await rig.clock.advance(3 * MIN);
    await rig.sync();
    expect(moves()).toEqual(["UTILITY", "MARKETING", at]);
    const sent = statusOf(await order());
    await rig.until(() => sent() === "DELIVERED");
  });

  test("of a move that is announced without a time is for a day after it was told", async () => {
    const atMs = Math.floor(rig.clock.nowMs() / 1000) * 1000;
    await call([announced(null)], { atMs });
    expect(moves()).toEqual(["UTILITY", "MARKETING", atMs + DAY]);
    await call([announced(atMs * 1000)], { atMs: atMs + 1000 });
    expect(moves()).toEqual(["UTILITY", "MARKETING", atMs + 1000 + DAY]);
  });

  test("of a move that is announced again, or that was made since, is nothing new", async () => {
    const atMs = rig.clock.nowMs();
    await call([announced(soon())], { atMs });
    await call([announced(soon())], { atMs });
    expect(told()).toBe(1);
    const moved = category({ previous_category: "UTILITY", new_category: "MARKETING" });
    await call([moved], { atMs: atMs + 2000 });
    expect(moves()).toEqual(["MARKETING", null, null]);
    await call([announced(soon(), "AUTHENTICATION")], { atMs: atMs + 1000 });
    await call([announced(soon())], { atMs: atMs + 3000 });
    expect([...moves(), told()]).toEqual(["MARKETING", null, null, 1]);
  });

  test("of a move is over when a reading shows it, when the template is gone, or a day after its time", async () => {
    atMeta({ category: "MARKETING" });
    await call([announced(soon())]);
    await rig.sync();
    expect(moves()).toEqual(["MARKETING", null, null]);
    atMeta({ category: "UTILITY" });
    await rig.clock.advance(3 * MIN);
    await rig.sync();

    await call([announced(soon())]);
    await rig.clock.advance(2 * DAY - 5 * MIN);
    await rig.sync();
    expect(row().moves_to).toBe("MARKETING");
    await rig.clock.advance(10 * MIN);
    await rig.sync();
    expect(moves()).toEqual(["UTILITY", null, null]);
    await call([announced(rig.clock.nowMs() - DAY - MIN)]);
    expect(moves()).toEqual(["UTILITY", null, null]);

    await call([announced(soon())]);
    rig.sim.setTemplates(rig.sim.templates().filter(({ name }) => name !== ORDER));
    await rig.clock.advance(3 * MIN);
    await rig.sync();
    expect([row().status, row().moves_to]).toEqual(["DELETED", null]);
  });
});

describe("news of a template's quality", () => {
  const quality = (word: string) => ({
    field: "message_template_quality_update",
    value: { ...which(ORDER), previous_quality_score: "GREEN", new_quality_score: word },
  });

  test("count at once, the newest, and no reading is made for them", async () => {
    const atMs = rig.clock.nowMs();
    await call([quality("YELLOW")], { atMs });
    expect(row().quality).toBe("YELLOW");
    await call([quality("RED")], { atMs: atMs - 1000 });
    expect(row().quality).toBe("YELLOW");
    await readSoon();
    expect([row().quality, notUnderstood()]).toEqual(["YELLOW", []]);
  });

  test("are not undone by a reading that had begun before, and are by the next", async () => {
    const release = Promise.withResolvers<void>();
    const { get } = rig.line().whatsapp.client;
    const slow = rig.readingWith(async (...asked) => {
      const answer = await get(...asked);
      await release.promise;
      return answer;
    });
    await rig.clock.advance(1000);
    await call([quality("RED")]);
    release.resolve();
    await slow;
    expect(row().quality).toBe("RED");
    await rig.clock.advance(3 * MIN);
    await rig.sync();
    expect(row().quality).toBe("GREEN");
    await call([quality("RED")], { atMs: rig.clock.nowMs() - 3 * MIN });
    expect(row().quality).toBe("GREEN");
  });
});

describe("news of what is not known", () => {
  test("is answered and counted, and a template of our account is looked for", async () => {
    expect((await call([event("PAUSED", "unheard_of")])).status).toBe(200);
    expect((await call([event("PAUSED")], { waba: "999" })).status).toBe(200);
    for (const field of ["template_category_update", "message_template_quality_update"]) {
      expect((await call([{ field, value: {} }])).status).toBe(200);
    }
    expect(notUnderstood()).toEqual([
      ["message_template_status_update", 2],
      ["template_category_update", 1],
      ["message_template_quality_update", 1],
    ]);
    expect(stands()[0]).toBe("APPROVED");
    rig.sim.setTemplates([...rig.sim.templates(), { ...rig.sim.templates()[1]!, name: "unheard_of" }]);
    await readSoon();
    expect(row("unheard_of").status).toBe("APPROVED");
  });
});

describe("an answer that speaks of the template", () => {
  test.each([
    [132015, "PAUSED"],
    [132016, "DISABLED"],
  ])("%d marks it, until it was read again", async (code, status) => {
    await rig.stop();
    rig = await whatsappRig({
      wording: "templates",
      fate: (_, nth) => (nth === 1 ? { ...fated([]), answer: code, isTaken: false } : fated([])),
    });
    await rig.account();
    await rig.sync();
    await rig.clock.advance(3 * MIN);
    const first = statusOf(await order());
    await rig.until(() => first() === "FAILED");
    expect(row().status).toBe(status);
    expect(readStoppedTemplates(rig.store.read, rig.clock.nowMs())).toMatchObject([
      { name: ORDER, language: "fr" },
    ]);
    await readSoon();
    expect(stands()).toEqual(["APPROVED", null]);
    expect(readStoppedTemplates(rig.store.read, rig.clock.nowMs())).toEqual([]);
  });

  test("as a status counts from when Meta says that it happened", async () => {
    await rig.stop();
    rig = await whatsappRig({ wording: "templates", fate: () => fated([]) });
    await rig.account();
    await rig.sync();
    await rig.clock.advance(3 * MIN);
    const fails = async (place: number, atMs: number) => {
      const sent = statusOf(await order(place));
      await rig.until(() => sent() === "SENT");
      const { wamid, opaque } = rig.posts.at(-1)!;
      const timestamp = String(Math.floor(atMs / 1000));
      const errors = [{ code: 132015 }];
      const status = { id: wamid, status: "failed", biz_opaque_callback_data: opaque, timestamp, errors };
      await call([{ field: "messages", value: { statuses: [status] } }]);
      expect(sent()).toBe("FAILED");
    };
    await fails(1, rig.clock.nowMs() - 10 * MIN);
    expect(stands()[0]).toBe("APPROVED");
    await fails(2, rig.clock.nowMs());
    expect(stands()[0]).toBe("PAUSED");
  });
});

test("a country that Meta lets the number write to nobody in is known for a quarter of an hour", async () => {
  await rig.stop();
  rig = await whatsappRig({
    wording: "templates",
    fate: () => ({ ...fated([]), answer: 130497, isTaken: false }),
  });
  await rig.account();
  await rig.sync();
  const refused = statusOf(await order());
  await rig.until(() => refused() === "FAILED");
  const countries = () =>
    rig
      .line()
      .whatsapp.numbers()[0]
      ?.refusedCountries.map(({ country }) => country);
  expect(countries()).toEqual(["226"]);
  await rig.clock.advance(15 * MIN);
  expect(countries()).toEqual([]);
});
