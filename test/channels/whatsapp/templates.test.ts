import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cloudClient } from "../../../src/channels/whatsapp/cloud-api.ts";
import { readSyncStates, readTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import { readTemplate } from "../../../src/channels/whatsapp/template-text.ts";
import { type TemplateSync, templateSync } from "../../../src/channels/whatsapp/template-updates.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { startWhatsappSim, type WhatsappSim } from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { BUILT_IN_TEMPLATES, type SimTemplate } from "../../../src/simulator/whatsapp/templates.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const [, ready] = BUILT_IN_TEMPLATES;
const named = (name: string, changes: Partial<SimTemplate> = {}): SimTemplate => ({
  ...(ready as SimTemplate),
  name,
  ...changes,
});

describe("templates read from the Cloud API", () => {
  let base: Tenants;
  let sim: WhatsappSim;
  let sync: TemplateSync;
  let holder: ReturnType<typeof settingsHolder>;
  const config = (changes: object = {}) =>
    configOf(
      document({
        operators: { orange: operator({ prefixes: ["22670"], price: 15 }) },
        whatsapp: {
          app_secret: "S",
          verify_token: "V",
          api: `http://127.0.0.1:${sim.port}`,
          ...changes,
          numbers: {
            main: { phone_number_id: "42", waba_id: "7", token: "t0ken", price: { OTP: 5 } },
            second: { phone_number_id: "43", waba_id: "7", token: "other", price: { OTP: 5 } },
          },
        },
      }),
    );
  beforeEach(() => {
    base = tenants(
      configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })),
    );
    const { clock, store } = base;
    sim = startWhatsappSim({ clock, settings: { ...SIM_DEFAULTS, port: 0 } });
    holder = settingsHolder(config());
    const client = cloudClient({ settings: holder, clock, https: systemHttps, readPem: () => null });
    sync = templateSync({ settings: holder, store, clock, client, accountWasRead: async () => {} });
  });
  afterEach(async () => {
    await sim.stop();
    await base.close();
  });
  const names = () => readTemplates(base.store.read, "7").map(({ name, status }) => `${name} ${status}`);

  test("page by page, once for an account that has two numbers", async () => {
    sim.setTemplates(Array.from({ length: 230 }, (_, at) => named(`t${String(at).padStart(3, "0")}`)));
    expect(await sync.now()).toEqual([{ wabaId: "7", templates: 230, error: null }]);
    expect(names().length).toBe(230);
    expect(readTemplates(base.store.read, "7")[0]).toMatchObject({
      name: "t000",
      language: "fr",
      status: "APPROVED",
      category: "UTILITY",
      format: "NAMED",
      parameters: ["nom", "commande"],
      quality: "GREEN",
      whyNot: null,
    });
  });

  test("one that is not listed any more is deleted, one that changed is what it is now, first seen when it was", async () => {
    sim.setTemplates([named("stays"), named("goes")]);
    await sync.now();
    const [before] = readTemplates(base.store.read, "7").filter(({ name }) => name === "stays");
    await base.clock.advance(60_000);
    sim.setTemplates([named("stays", { status: "PAUSED" })]);
    await sync.now();
    expect(names()).toEqual(["goes DELETED", "stays PAUSED"]);
    const [gone, stays] = readTemplates(base.store.read, "7");
    expect([gone?.whyNot, stays?.whyNot]).toEqual([phrase("template.deleted"), phrase("template.paused")]);
    expect(stays?.firstSeenMs).toBe(Number(before?.firstSeenMs));
  });

  test("what cannot be read changes nothing, is told with Meta's code, and never with the token", async () => {
    await sync.now();
    const known = names();
    await sim.stop();
    const [outcome] = await sync.now();
    expect(outcome?.error).not.toBeNull();
    expect(JSON.stringify(outcome)).not.toContain("t0ken");
    expect(names()).toEqual(known);
    const [state] = readSyncStates(base.store.read);
    expect(state).toMatchObject({ wabaId: "7", error: outcome?.error });
    expect(state?.syncedMs).not.toBeNull();
  });

  test("by itself every sync_minutes, and at once where the numbers are others", async () => {
    let asked = 0;
    const counting = templateSync({
      settings: holder,
      store: base.store,
      clock: base.clock,
      accountWasRead: async () => {},
      client: {
        get: () => {
          asked += 1;
          return Promise.resolve({ status: 200, retryAfter: null, error: null, answer: '{"data":[]}' });
        },
      },
    });
    await counting.due();
    await counting.due();
    expect(asked).toBe(1);
    await base.clock.advance(15 * 60_000);
    await counting.due();
    expect(asked).toBe(2);
  });
});

describe("a list of templates that goes on", () => {
  const PLACE = "/v23.0/7/message_templates";
  /** What stands at each address that is asked, by `after` or else `page`; "" first. */
  let pages: Readonly<Record<string, object>>;
  let asked: string[];
  let base: Tenants;
  let server: Server;
  let api: string;
  let sync: TemplateSync;
  const page = (names: readonly string[], paging?: object) => ({
    data: names.map((name) => named(name)),
    ...(paging ? { paging } : {}),
  });
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
      const at = searchParams.get("after") ?? searchParams.get("page") ?? "";
      asked.push(`${pathname} ${at} ${request.headers.authorization}`);
      const found = pages[at];
      response.statusCode = found ? 200 : 404;
      response.end(JSON.stringify(found ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    base = tenants(configOf(document({})));
    const { clock, store } = base;
    const numbers = { main: { phone_number_id: "42", waba_id: "7", token: "t0ken", price: { OTP: 5 } } };
    const whatsapp = { app_secret: "S", verify_token: "V", api, numbers };
    const settings = settingsHolder(configOf(document({ whatsapp })));
    const client = cloudClient({ settings, clock, https: systemHttps, readPem: () => null });
    sync = templateSync({ settings, store, clock, client, accountWasRead: async () => {} });
  });
  afterEach(async () => {
    server.close();
    await base.close();
  });
  const read = async () => {
    const [outcome] = await sync.now();
    const known = readTemplates(base.store.read, "7").map(({ name, status }) => `${name} ${status}`);
    return { error: (outcome?.error && english(outcome.error)) ?? null, known };
  };
  const BOTH = { error: null, known: ["a APPROVED", "b APPROVED"] };

  test("by the address of its next page alone is read to its end, with the token", async () => {
    pages = { "": page(["a"], { next: `${api}${PLACE}?page=2` }), 2: page(["b"]) };
    expect(await read()).toEqual(BOTH);
    expect(asked).toEqual([`${PLACE}  Bearer t0ken`, `${PLACE} 2 Bearer t0ken`]);
  });

  test("by an address with a cursor in it is read on at our own address, whoever's it names", async () => {
    pages = {
      "": page(["a"], { next: "https://graph.facebook.com/v19.0/7/message_templates?after=x" }),
      x: page(["b"]),
    };
    expect(await read()).toEqual(BOTH);
  });

  test("by a cursor alone is read until a page is empty, or says the same again", async () => {
    pages = {
      "": page(["a"], { cursors: { after: "x" } }),
      x: page(["b"], { cursors: { after: "y" } }),
      y: page([]),
    };
    expect(await read()).toEqual(BOTH);
    pages = { "": page(["a"], { cursors: { after: "x" } }), x: page(["b"], { cursors: { after: "x" } }) };
    expect(await read()).toEqual(BOTH);
  });

  test.each<readonly [why: string, paging: (api: string) => object, error: string]>([
    ["at another server", () => ({ next: "https://evil.example/list?page=2" }), "another server"],
    ["at another port", () => ({ next: "http://127.0.0.1:1/list?page=2" }), "another server"],
    ["nowhere", () => ({ next: "http://" }), "at an invalid address"],
    ["at what is no text", () => ({ next: 7 }), "at an invalid address"],
    [
      "where it has been read",
      (own) => ({ next: `${own}${PLACE}?after=x`, cursors: { after: "x" } }),
      "already",
    ],
    ["at a page that is not there", (own) => ({ next: `${own}${PLACE}?page=9` }), "404"],
  ])("%s changes nothing", async (_, paging, error) => {
    pages = { "": page(["a"], { cursors: { after: "x" }, next: `${api}${PLACE}?after=x` }), x: page(["b"]) };
    await read();
    asked = [];
    pages = { "": page(["a"], { cursors: { after: "x" }, next: "more" }), x: page([], paging(api)) };
    const after = await read();
    expect(after.error).toContain(error);
    expect(after.known).toEqual(BOTH.known);
    expect(asked.every((one) => one.startsWith(PLACE))).toBe(true);
  });
});

describe("a template can be sent", () => {
  const why = (changes: object): Phrase | null =>
    readTemplate({ ...named("one"), ...changes })?.whyNot ?? null;
  const body = { type: "BODY", text: "Bonjour {{1}}" };

  test("with text in its body, a fixed header and footer, and fixed buttons", () => {
    expect(why({})).toBeNull();
    const header = { type: "HEADER", format: "TEXT", text: "Faso Shop" };
    const buttons = { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "STOP" }] };
    expect(why({ components: [header, body, { type: "FOOTER", text: "Merci" }, buttons] })).toBeNull();
  });

  test.each([
    [phrase("template.no_text"), [{ type: "FOOTER", text: "Merci" }]],
    [phrase("template.header.kind", { kind: "IMAGE" }), [{ type: "HEADER", format: "IMAGE" }, body]],
    [phrase("template.header.parameter"), [{ type: "HEADER", format: "TEXT", text: "Pour {{1}}" }, body]],
    [phrase("template.part", { kind: "CAROUSEL" }), [body, { type: "CAROUSEL" }]],
    [
      phrase("template.button.kind", { kind: "FLOW" }),
      [body, { type: "BUTTONS", buttons: [{ type: "FLOW" }] }],
    ],
    [
      phrase("template.button.parameter"),
      [body, { type: "BUTTONS", buttons: [{ type: "URL", url: "https://faso.example/{{1}}" }] }],
    ],
  ])("not where $code", (cause, components) => {
    expect(why({ components })).toEqual(cause);
  });

  test("with the one button that copies the code, where it is of authentication", () => {
    const [code] = BUILT_IN_TEMPLATES;
    expect(readTemplate(code)).toMatchObject({ copiesCode: true, whyNot: null, ttlSeconds: 600 });
  });

  test("not before Meta approved it, nor after; and what is no template is none", () => {
    expect(why({ status: "PENDING" })).toEqual(phrase("template.pending"));
    expect(why({ status: "LOCKED" })).toEqual(phrase("template.status", { status: "LOCKED" }));
    expect([readTemplate(null), readTemplate({ name: "x" }), readTemplate([])]).toEqual([null, null, null]);
  });
});
