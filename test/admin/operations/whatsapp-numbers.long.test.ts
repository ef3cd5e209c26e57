import { afterEach, beforeEach, expect, test } from "vitest";
import { OPERATOR_CODE_OPERATIONS } from "../../../src/admin/operations/operator-codes.ts";
import {
  operatorStatus,
  PAUSE_EVERY_OPERATOR,
  PAUSE_OPERATIONS,
} from "../../../src/admin/operations/operators.ts";
import { priceList, priceSet } from "../../../src/admin/operations/prices.ts";
import { WHATSAPP_OPERATIONS, whatsappTemplates } from "../../../src/admin/operations/whatsapp.ts";
import { moveDirectPrices, noteDirectPrice } from "../../../src/channels/whatsapp/category-prices.ts";
import { readNumberStops, saveNumberStop } from "../../../src/channels/whatsapp/number-stops.ts";
import { saveTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import { operatorCodes } from "../../../src/config/config.ts";
import { recordOperatorRetired } from "../../../src/domain/messages/operator-codes.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { configOf, document } from "../../config/sample.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let context: AdminFixture["context"];
beforeEach(() => {
  fixture = adminFixture();
  const number = { phone_number_id: "1", waba_id: "2", token: "t0ken", price: { OTP: 6 } };
  const whatsapp = { app_secret: "S", verify_token: "V", numbers: { main: number } };
  context = { ...fixture.context, config: configOf(document({ whatsapp })) };
});
afterEach(() => fixture.close());

const stopped = () => readNumberStops(context.store.read).map(({ number }) => number);

test("a number is paused and resumed by its operator code, and has no connections", async () => {
  expect(
    granted(
      await run(PAUSE_OPERATIONS["operator pause"], context, {
        code: "whatsapp:main",
        connection: null,
        reason: "tariff",
      }),
    ).paused,
  ).toMatchObject([{ connection: null, reason: "tariff", by: "awa" }]);
  expect(
    codeOf(
      await run(PAUSE_OPERATIONS["operator pause"], context, {
        code: "whatsapp:main",
        connection: "1",
        reason: "tariff",
      }),
    ),
  ).toBe("CONNECTION_UNKNOWN");
  expect(
    codeOf(
      await run(PAUSE_OPERATIONS["operator reconnect"], context, { code: "whatsapp:main", connection: null }),
    ),
  ).toBe("CONNECTION_UNKNOWN");
  expect(
    codeOf(
      await run(PAUSE_OPERATIONS["operator pause"], context, {
        code: "whatsapp:mian",
        connection: null,
        reason: "tariff",
      }),
    ),
  ).toBe("OPERATOR_UNKNOWN");
  expect(
    granted(
      await run(PAUSE_OPERATIONS["operator resume"], context, { code: "whatsapp:main", connection: null }),
    ).paused,
  ).toEqual([]);
  expect(fixture.audited()).toEqual(["awa: operator pause", "awa: operator resume"]);
  expect(fixture.told()).toEqual(["pauses", "pauses"]);
});

test("everything is paused as each operator and number is, what was paused before keeps its reason", async () => {
  const codes = operatorCodes(context.config);
  const [first = ""] = codes;
  granted(
    await run(PAUSE_OPERATIONS["operator pause"], context, {
      code: first,
      connection: null,
      reason: "maintenance",
    }),
  );
  const { operators } = granted(await run(PAUSE_EVERY_OPERATOR, context, { reason: "an incident" }));
  expect(operators.map(({ operator, paused }) => [operator, paused.map(({ reason }) => reason)])).toEqual(
    codes.map((code) => [code, [code === first ? "maintenance" : "an incident"]]),
  );
  expect(codes).toContain("whatsapp:main");
  expect(codes.length).toBeGreaterThan(1);
  expect(fixture.audited()).toEqual(codes.map(() => "awa: operator pause"));
});

test("a number that Meta stopped goes on by operator resume, once, and that is recorded", async () => {
  const stop = { number: "main", code: 190, tokenDigest: "d", atMs: 5 };
  await context.store.write((tx) => void saveNumberStop(tx, stop));
  await run(PAUSE_OPERATIONS["operator resume"], context, { code: "whatsapp:main", connection: null });
  expect(stopped()).toEqual([]);
  await run(PAUSE_OPERATIONS["operator resume"], context, { code: "whatsapp:main", connection: null });
  expect(fixture.audited()).toEqual(["awa: operator resume"]);
});

test("a number that Meta stopped stays stopped under another code, by the first reason, and the server is told", async () => {
  const stops = () => readNumberStops(context.store.read).map(({ number, code }) => [number, code]);
  const rename = () =>
    run(OPERATOR_CODE_OPERATIONS["operator rename"], context, { from: "whatsapp:old", to: "whatsapp:main" });
  const stop = { number: "old", code: 190, tokenDigest: "d", atMs: 5 };
  await context.store.write((tx) => {
    recordOperatorRetired(tx, "whatsapp:old", 1);
    saveNumberStop(tx, stop);
  });
  granted(await rename());
  expect(stops()).toEqual([["main", 190]]);
  expect(fixture.told()).toContain("pauses");
  await context.store.write((tx) => void saveNumberStop(tx, { ...stop, code: 131042 }));
  granted(await rename());
  expect(stops()).toEqual([["main", 190]]);
});

test("operator status shows each number with its pace and its users of the day", async () => {
  const { server } = context;
  const numberStatus = () => [
    {
      operator: "whatsapp:main",
      phoneNumberId: "1",
      wabaId: "2",
      isEnabled: true,
      throughput: 80,
      granted: 40,
      lastSecond: 12,
      open: 3,
      mostOpen: 80,
      usersOfDay: 7,
      recipientsPerDay: 250,
      throttled: 2,
      refusedCountries: [],
      state: "STOPPED",
      lastError: phrase("link.stopped_by_meta", { code: 190 }),
      downSinceMs: 5,
      paused: null,
    },
  ];
  const view = granted(await operatorStatus({ ...context, server: server && { ...server, numberStatus } }));
  expect(view.numbers).toEqual([
    {
      operator: "whatsapp:main",
      phone_number_id: "1",
      waba_id: "2",
      state: "STOPPED",
      since: "1970-01-01T00:00:00.005Z",
      in_flight: 3,
      window: 80,
      throughput: 80,
      rate: 40,
      sent_last_second: 12,
      throttled: 2,
      recipients_of_day: 7,
      recipients_per_day: 250,
      paused: null,
      last_error: phrase("link.stopped_by_meta", { code: 190 }),
    },
  ]);
  expect(view.queues).toContainEqual(
    expect.objectContaining({ operator: "whatsapp:main", is_configured: true }),
  );
});

test("what waits for a number is handed to no operator of SMS, and the other way round", async () => {
  for (const [from, to] of [
    ["whatsapp:gone", "orange"],
    ["gone", "whatsapp:main"],
  ] as const) {
    expect(codeOf(await run(OPERATOR_CODE_OPERATIONS["operator rename"], context, { from, to }))).toBe(
      "OPERATOR_UNKNOWN",
    );
  }
  expect(
    codeOf(await run(OPERATOR_CODE_OPERATIONS["operator retire"], context, { code: "whatsapp:main" })),
  ).toBe("OPERATOR_CONFIGURED");
});

test("an account has a price of its own by a number, before the number's", async () => {
  const account = await fixture.account();
  await priceSet(context, account, { operator: "whatsapp:main", messageClass: "OTP", amount: 4 });
  const ofNumber = granted(priceList(context, account)).prices.filter(
    ({ operator }) => operator === "whatsapp:main",
  );
  expect(ofNumber.map(({ amount, source }) => [amount, source])).toEqual([
    [4, "account"],
    [6, "operator"],
  ]);
});

test("text without a template that its price has stopped is shown, released once, and stays stopped under another code", async () => {
  const { store } = context;
  const text = { operator: "whatsapp:old", messageClass: "OTP" } as const;
  await store.write((tx) => {
    for (const postedMs of [1, 2]) noteDirectPrice(tx, text, { priced: "MARKETING", postedMs, most: 2 }, 5);
    moveDirectPrices(tx, "whatsapp:old", "whatsapp:main");
  });
  expect(granted(whatsappTemplates(context)).stopped_texts).toMatchObject([
    {
      operator: "whatsapp:main",
      message_class: "OTP",
      why: phrase("template.billed", { category: "MARKETING" }),
    },
  ]);
  expect(
    granted(
      await run(WHATSAPP_OPERATIONS["whatsapp release"], context, { name: "whatsapp:main", language: "OTP" }),
    ),
  ).toMatchObject({ language: "OTP" });
  expect(
    codeOf(
      await run(WHATSAPP_OPERATIONS["whatsapp release"], context, { name: "whatsapp:main", language: "OTP" }),
    ),
  ).toBe("NOTHING_TO_CHANGE");
  expect(granted(whatsappTemplates(context)).stopped_texts).toEqual([]);
});

test("a template that its price has stopped is released once, and that is recorded", async () => {
  const { store } = context;
  const kept = { name: "rappel", language: "fr", status: "APPROVED", category: "UTILITY", body: "Bonjour" };
  const how = {
    parameters: [],
    format: "NAMED",
    copiesCode: false,
    quality: null,
    ttlSeconds: null,
  } as const;
  await store.write((tx) => {
    saveTemplates(tx, "2", [{ ...kept, ...how, whyNot: null }], { beganMs: 1, nowMs: 1 });
    tx.run("UPDATE whatsapp_templates SET mispriced = 2, priced_as = 'MARKETING', price_stopped_at = 3");
  });
  const [before] = granted(whatsappTemplates(context)).templates;
  expect(before).toMatchObject({
    is_usable: false,
    why_not: phrase("template.billed", { category: "MARKETING" }),
  });
  expect(
    granted(await run(WHATSAPP_OPERATIONS["whatsapp release"], context, { name: "rappel", language: "fr" })),
  ).toEqual({
    template: "rappel",
    language: "fr",
  });
  expect(granted(whatsappTemplates(context)).templates[0]).toMatchObject({ is_usable: true, why_not: null });
  expect(
    codeOf(await run(WHATSAPP_OPERATIONS["whatsapp release"], context, { name: "rappel", language: "fr" })),
  ).toBe("NOTHING_TO_CHANGE");
  expect(fixture.audited()).toEqual(["awa: whatsapp release"]);
});
