/** The table [whatsapp]: its defaults, what a number needs, and that none of it is shown or waits for a restart. */
import { describe, expect, test } from "vitest";
import { configChanges, listSettings } from "../../src/config/changes.ts";
import { NO_PEMS } from "../../src/config/files.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { configOf, document, faultsOf } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const number = (changes: Table = {}) => ({
  phone_number_id: "1",
  waba_id: "2",
  token: "t0ken",
  price: { OTP: 6 },
  ...changes,
});
const whatsapp = (changes: Table = {}, numbers: Table = { main: number() }) =>
  document({ whatsapp: { app_secret: "s3cret", verify_token: "w0rd", numbers, ...changes } });
/** The key of each fault. */
const keysOf = (input: unknown) => faultsOf(input).map((line) => line.replace(/: .*/, ""));

describe("defaults", () => {
  test("without the table there is no number, and Meta's own address", () => {
    expect(configOf(document()).whatsapp).toEqual({
      app_secret: "",
      verify_token: "",
      api: "https://graph.facebook.com",
      version: "v23.0",
      ca_file: "",
      response_timeout_seconds: 20,
      sync_minutes: 15,
      receipt_timeout_hours: 24,
      free_is_free: true,
      numbers: {},
    });
  });

  test("a number has a pace, and no price for a class that was left out", () => {
    expect(configOf(whatsapp()).whatsapp.numbers.main).toEqual({
      ...number(),
      throughput: 80,
      recipients_per_day: 0,
      portfolio: "",
      direct_send: false,
      countries: [],
      enabled: true,
    });
  });
});

describe("faults", () => {
  test("a number needs the secret that is signed with and the word of the webhook", () => {
    expect(keysOf(whatsapp({ app_secret: "", verify_token: "" }))).toEqual([
      "whatsapp.app_secret",
      "whatsapp.verify_token",
    ]);
    expect(keysOf(whatsapp({ app_secret: "", verify_token: "" }, {}))).toEqual([]);
  });

  test("a number says what it is to Meta", () => {
    const main = "whatsapp.numbers.main";
    expect(keysOf(whatsapp({}, { main: {} })).sort()).toEqual([
      `${main}.phone_number_id`,
      `${main}.token`,
      `${main}.waba_id`,
    ]);
    expect(keysOf(whatsapp({}, { main: number({ phone_number_id: "+226 70" }) }))).toEqual([
      `${main}.phone_number_id`,
    ]);
    expect(keysOf(whatsapp({}, { main: number({ countries: ["0226"] }) }))).toEqual([`${main}.countries[0]`]);
    expect(keysOf(whatsapp({}, { main: number({ price: { SERVICE: 1 } }) }))).toEqual([
      `${main}.price.SERVICE`,
    ]);
  });

  test("a code is short enough to stand behind whatsapp: and one number has one code", () => {
    expect(keysOf(whatsapp({}, { "a:b": number() }))).toEqual(['whatsapp.numbers."a:b"']);
    expect(faultsOf(whatsapp({}, { main: number(), other: number() }))).toEqual([
      'whatsapp.numbers.other.phone_number_id: "1", free_number(whatsapp.numbers.main.phone_number_id)',
    ]);
  });

  test.each([
    ["https://graph.facebook.com", true],
    ["https://10.0.0.1:8443", true],
    ["http://127.0.0.1:9000", true],
    ["http://[::1]:9000", true],
    ["http://localhost:9000", true],
    ["http://graph.facebook.com", false],
    ["http://127.example.net", false],
    ["https://graph.facebook.com/v23.0", false],
    ["https://user@graph.facebook.com", false],
    ["graph.facebook.com", false],
  ])("api = %s is right: %s", (api, isRight) => {
    expect(keysOf(whatsapp({ api }))).toEqual(isRight ? [] : ["whatsapp.api"]);
  });
});

describe("secrets", () => {
  const SECRETS = ["s3cret", "w0rd", "t0ken"];
  const isTold = (text: string) => SECRETS.filter((secret) => text.includes(secret));

  test("are shown nowhere, neither in settings nor in what a reload changes", () => {
    const config = configOf(whatsapp());
    const shown = listSettings(config).filter(({ path }) => path.startsWith("whatsapp."));
    expect(isTold(JSON.stringify(shown))).toEqual([]);
    expect(shown.filter(({ value }) => value === "(hidden)").map(({ path }) => path)).toEqual([
      "whatsapp.app_secret",
      "whatsapp.verify_token",
      "whatsapp.numbers.main.token",
    ]);
    const from = { config: configOf(document()), pems: NO_PEMS };
    const changes = configChanges(from, { config, pems: NO_PEMS });
    expect(changes.map(({ path }) => path)).toEqual([
      "whatsapp.app_secret",
      "whatsapp.verify_token",
      "whatsapp.numbers.main",
    ]);
    expect(isTold(JSON.stringify(changes))).toEqual([]);
  });

  test("are not repeated in a fault", () => {
    const told = faultsOf(whatsapp({}, { main: number({ token: "t0ken with a space" }) })).join("\n");
    expect(told).toBe("whatsapp.numbers.main.token: hidden(text), token");
    expect(isTold(told)).toEqual([]);
  });
});

test("all of it is in force at once", () => {
  const holder = settingsHolder(configOf(document()));
  const next = configOf(
    whatsapp({ api: "http://127.0.0.1:1", version: "v24.0", sync_minutes: 1, free_is_free: false }),
  );
  expect(holder.replace(next)).toEqual([]);
  expect(holder.now()).toEqual(next);
});
