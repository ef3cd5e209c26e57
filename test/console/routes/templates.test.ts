import { afterEach, beforeEach, expect, test } from "vitest";
import { saveTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import type { ReadTemplate } from "../../../src/channels/whatsapp/template-text.ts";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { configOf, document } from "../../config/sample.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type Browser, type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  const main = { phone_number_id: "1", waba_id: "2", token: "t", price: { TRANSACTIONAL: 5 } };
  const whatsapp = { app_secret: "S", verify_token: "V", numbers: { main } };
  Object.assign(place.context, { config: configOf(document({ whatsapp })) });
  const template = (name: string, status: string, whyNot: Phrase | null): ReadTemplate => ({
    name,
    language: "fr",
    status,
    category: "UTILITY",
    body: "Bonjour",
    parameters: [],
    format: "NAMED",
    copiesCode: false,
    quality: null,
    ttlSeconds: null,
    whyNot,
  });
  await place.context.store.write((tx) => {
    const all = [
      template("dear", "APPROVED", null),
      template("good", "APPROVED", null),
      template("held", "PAUSED", phrase("template.paused")),
    ];
    saveTemplates(tx, "2", all, { beganMs: 1, nowMs: 1 });
    tx.run(
      "UPDATE whatsapp_templates SET mispriced = 2, priced_as = 'MARKETING', price_stopped_at = 3 WHERE name = 'dear'",
    );
  });
});
afterEach(() => place.close());

test("what Meta thinks of a template, and a move that it has announced, stand beside it", async () => {
  await place.context.store.write((tx) =>
    tx.run(
      "UPDATE whatsapp_templates SET quality = 'RED', moves_to = 'MARKETING', moves_at = 0 WHERE name = 'good'",
    ),
  );
  const browser = await signedIn("OPERATIONS");
  const { json } = await browser.get("/api/templates");
  expect(json.templates).toMatchObject([
    { name: "dear", quality: null, moves_to: null, moves_at: null },
    { name: "good", quality: "RED", moves_to: "MARKETING", moves_at: "1970-01-01T00:00:00.000Z" },
    { name: "held", moves_to: null },
  ]);
});

const signedIn = async (role: "OPERATIONS") => place.entered(`${role.toLowerCase()}@example.bf`, role);
const listed = async (browser: Browser) => {
  const { json } = await browser.get("/api/templates");
  return (json.templates as { name: string; why_not: string | null; waits_for_release: boolean }[]).map(
    ({ name, why_not, waits_for_release }) => [
      name,
      why_not?.replaceAll(/[\u00A0\u202F]/g, " ") ?? null,
      waits_for_release,
    ],
  );
};

test("templates are listed with why one cannot be sent, in the reader's language, and one that its price stopped is let go on, once", async () => {
  const browser = await signedIn("OPERATIONS");
  expect(await listed(browser)).toEqual([
    ["dear", "Meta le facture comme MARKETING : il est arrêté jusqu’à vérification", true],
    ["good", null, false],
    ["held", "il est en pause", false],
  ]);
  const dear = { name: "dear", language: "fr" };
  expect((await browser.post("/templates/release", dear)).status).toBe(200);
  expect((await listed(browser))[0]).toEqual(["dear", null, false]);
  const again = await browser.post("/templates/release", dear);
  expect(again.json.code).toBe("NOTHING_TO_CHANGE");
  expect(place.audits().filter(({ action }) => action === "whatsapp release")).toHaveLength(1);
});
