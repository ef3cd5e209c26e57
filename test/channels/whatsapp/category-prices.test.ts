import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  readStoppedTexts,
  releaseDirect,
  releaseTemplate,
} from "../../../src/channels/whatsapp/category-prices.ts";
import { readStoppedTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type WhatsappRig, whatsappRig } from "./rig.ts";

const WHY = phrase("template.billed", { category: "MARKETING" });

let rig: WhatsappRig;
let orders: number;
beforeEach(async () => {
  orders = 0;
  rig = await whatsappRig({ wording: "templates", number: { direct_send: true }, fate: () => fated([]) });
  await rig.account();
  await rig.sync();
});
afterEach(() => rig.stop());

const order = async (body = "Bonjour {nom}, votre commande {commande} est prête.") => {
  orders += 1;
  const answer = await rig.submit({
    body,
    recipients: [{ msisdn: `7000000${orders}`, attributes: { nom: "Awa", commande: orders } }],
  });
  if (answer.kind !== "accepted") return null;
  const { id } = answer.batch;
  return { id, status: () => rig.statuses(id)[0] };
};
/** An order that left, and how Meta tells what became of it. */
const sent = async (body?: string) => {
  const one = await order(body);
  await rig.until(() => one?.status() === "SENT");
  const { wamid, opaque } = rig.posts.at(-1)!;
  return async (category: string, { status = "delivered", billable = true } = {}) => {
    const pricing = { billable, category, pricing_model: "PMP", type: "regular" };
    const told = { id: wamid, status, biz_opaque_callback_data: opaque, pricing };
    const changes = [{ field: "messages", value: { statuses: [told] } }];
    const body = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "7", changes }] });
    const signature = `sha256=${createHmac("sha256", "S").update(body).digest("hex")}`;
    await fetch(rig.webhookAt, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hub-signature-256": signature },
      body,
    });
  };
};
const stopped = () =>
  readStoppedTemplates(rig.store.read, rig.clock.nowMs()).map(({ name, why }) => [name, why]);
const release = () => rig.store.write((tx) => releaseTemplate(tx, "commande_prete", "fr", rig.clock.nowMs()));

test("one delivery that Meta priced as another category stops nothing, the second one does, over readings too", async () => {
  const [first, second] = [await sent(), await sent()];
  await first("marketing");
  await first("marketing");
  await first("marketing", { status: "read" });
  expect(stopped()).toEqual([]);
  await second("marketing", { status: "read" });
  expect(stopped()).toEqual([["commande_prete", WHY]]);
  expect(await order()).toBeNull();
  await rig.clock.advance(60_000);
  await rig.sync();
  expect(stopped()).toEqual([["commande_prete", WHY]]);
});

test("deliveries that are free, or priced by no template's category, or as their class, count for nothing", async () => {
  for (const [category, billable] of [
    ["utility", true],
    ["UTILITY", true],
    ["marketing", false],
    ["service", true],
    ["referral_conversion", true],
  ] as const) {
    const tell = await sent();
    await tell(category, { billable });
  }
  expect(rig.rows("whatsapp_templates").map(({ mispriced }) => mispriced)).toEqual([0, 0, 0]);
});

test("what waits is held, and goes on when a person releases the template; what was posted before stops it no more", async () => {
  const tells = [await sent(), await sent(), await sent()];
  rig.settings.replace(rig.config({}, { enabled: false }));
  const waits = await order();
  for (const tell of tells.slice(0, 2)) await tell("marketing");
  rig.settings.replace(rig.config());
  await rig.pass(3000);
  expect(waits?.status()).toBe("QUEUED");
  expect(await release()).toBe(1);
  expect(await release()).toBe(0);
  await rig.until(() => waits?.status() === "SENT");
  await tells[2]!("marketing");
  expect(rig.rows("whatsapp_templates").every(({ mispriced }) => mispriced === 0)).toBe(true);
  const again = [await sent(), await sent()];
  for (const tell of again) await tell("marketing");
  expect(stopped()).toHaveLength(1);
});

const FREE = "Votre colis {commande} est là.";
const texts = () =>
  readStoppedTexts(rig.store.read).map(({ operator, messageClass, pricedAs }) => [
    operator,
    messageClass,
    pricedAs,
  ]);
const releaseText = () =>
  rig.store.write((tx) => releaseDirect(tx, "whatsapp:main", "TRANSACTIONAL", rig.clock.nowMs()));

test("text without a template that Meta priced so twice stops by its number and class until a person releases it", async () => {
  const [first, second, third] = [await sent(FREE), await sent(FREE), await sent(FREE)];
  rig.settings.replace(rig.config({}, { enabled: false }));
  const waits = await order(FREE);
  await first("utility");
  await second("marketing");
  await second("marketing", { status: "read" });
  expect(texts()).toEqual([]);
  await third("marketing");
  expect(texts()).toEqual([["whatsapp:main", "TRANSACTIONAL", "MARKETING"]]);
  expect(
    rig.log.lines.filter(({ message }) => message === "text without a template has stopped"),
  ).toHaveLength(1);
  rig.settings.replace(rig.config());
  await rig.pass(3000);
  expect(waits?.status()).toBe("QUEUED");
  expect(await order(FREE)).toBeNull();
  expect(await order()).not.toBeNull();
  expect(await releaseText()).toBe(true);
  expect(await releaseText()).toBe(false);
  await rig.until(() => waits?.status() === "SENT");
  expect(await order(FREE)).not.toBeNull();
});
