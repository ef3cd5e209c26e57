import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { priceSet } from "../../src/admin/operations/prices.ts";
import { senderRegister, senderRequest } from "../../src/admin/operations/senders.ts";
import { saveTemplates } from "../../src/channels/whatsapp/template-rows.ts";
import type { ReadTemplate } from "../../src/channels/whatsapp/template-text.ts";
import { type Phrase, phrase, said } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import { surveyConfig } from "../../src/ops/config-survey.ts";
import { surveyDirectory } from "../../src/ops/directory-survey.ts";
import { plantBatch } from "../admin/operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../admin/operations/fixture.ts";
import { configOf, document } from "../config/sample.ts";

let fixture: AdminFixture;
let directory: string;
beforeEach(() => {
  fixture = adminFixture();
  ({ directory } = fixture.context.store);
  chmodSync(directory, 0o700);
});
afterEach(() => fixture.close());

const survey = async (changes = {}) => {
  const { config } = fixture.context;
  return surveyConfig({ ...config, ...changes }, fixture.clock);
};
const codes = () => surveyDirectory(directory).warnings.map(({ code }) => code);

describe("a data directory", () => {
  test("that is as it should be gives no warning", async () => {
    expect(granted(await survey())).toMatchObject({
      directory,
      directory_state: "looked at",
      warnings: [],
    });
  });

  test("that others may enter is warned of, with the files that they could read", () => {
    chmodSync(directory, 0o755);
    chmodSync(join(directory, "bendre.db"), 0o644);
    expect(codes()).toEqual(["DIRECTORY_MODE", "FILE_MODE"]);
    const [mode, files] = surveyDirectory(directory).warnings;
    expect(mode?.detail).toEqual(phrase("config.warning.open_directory", { directory, mode: "0755" }));
    expect(files?.detail).toEqual(phrase("config.warning.open_files", { files: said("bendre.db") }));
    const ofConsole = ["console-passwords.key", "console.toml"];
    for (const name of ofConsole) {
      writeFileSync(join(directory, name), "");
      chmodSync(join(directory, name), 0o644);
    }
    const told = String(surveyDirectory(directory).warnings.map(({ detail }) => english(detail)));
    for (const name of ofConsole) expect(told).toContain(name);
  });

  test("that does not exist is fine where it can be created, and is not created", async () => {
    const absent = join(directory, "deep", "data");
    expect(surveyDirectory(absent)).toEqual({ state: "not there yet", warnings: [] });
    expect(existsSync(join(directory, "deep"))).toBe(false);
    expect(granted(await survey({ storage: { directory: absent } })).database).toBe(null);
  });

  test("that cannot be is told", () => {
    writeFileSync(join(directory, "file"), "");
    expect(surveyDirectory(join(directory, "file", "data")).state).toBe("cannot be read");
  });
});

describe("a database", () => {
  test("of a newer bendre, of a schema between, or of another program, is refused as at the start", async () => {
    for (const schema of [9999, 40]) {
      await fixture.context.store.write((tx) => tx.run(`PRAGMA user_version = ${schema}`));
      expect(codeOf(await survey())).toBe("STORE_UNAVAILABLE");
    }
    await fixture.context.store.write((tx) => tx.run("PRAGMA application_id = 5"));
    expect(codeOf(await survey())).toBe("STORE_UNAVAILABLE");
  });

  test("that is damaged is refused as at the start, and one that is still empty is not", async () => {
    const elsewhere = join(directory, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(
      join(elsewhere, "bendre.db"),
      "not what SQLite writes, but as long as a header is ".repeat(40),
    );
    const refused = await survey({ storage: { directory: elsewhere } });
    expect(codeOf(refused)).toBe("STORE_UNAVAILABLE");
    writeFileSync(join(elsewhere, "bendre.db"), "");
    expect(granted(await survey({ storage: { directory: elsewhere } })).database?.schema).toBe(0);
  });

  test("is told of by its schema, and nothing is made or changed by looking", async () => {
    const before = readdirSync(directory);
    const { database } = granted(await survey());
    expect(database?.schema).toBeGreaterThan(8);
    expect(database?.becomes).toBe(database?.schema);
    expect(readdirSync(directory)).toEqual(before);
    expect(fixture.audited()).toEqual([]);
  });
});

test("what waits or stands under the code of an operator that left is warned of, with how many", async () => {
  const account = await fixture.account();
  granted(await senderRequest(fixture.context, account, "SHOP"));
  granted(await senderRegister(fixture.context, account, "SHOP", "orange"));
  granted(await priceSet(fixture.context, account, { operator: "orange", messageClass: null, amount: 5 }));
  await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED", "QUEUED", "SENT"] });
  expect(granted(await survey()).warnings).toEqual([]);
  const { moov } = fixture.context.config.operators;
  const { warnings } = granted(await survey({ operators: { moov } }));
  expect(warnings.map(({ code, operator, messages }) => [code, operator, messages])).toEqual([
    ["MESSAGES_WAIT", "orange", 2],
    ["REGISTRATIONS_UNUSED", "orange", 0],
    ["PRICES_UNUSED", "orange", 0],
  ]);
});

test("templates that Meta tries longer with than their statuses are waited for are warned of, once a number", async () => {
  const number = (waba_id: string, phone_number_id: string) => ({
    phone_number_id,
    waba_id,
    token: "t",
    price: {},
  });
  const { whatsapp } = configOf(
    document({
      whatsapp: {
        app_secret: "S",
        verify_token: "V",
        receipt_timeout_hours: 6,
        numbers: { main: number("1", "11"), other: number("2", "12") },
      },
    }),
  );
  const template = (name: string, ttlSeconds: number | null, whyNot: Phrase | null = null): ReadTemplate => ({
    name,
    language: "fr",
    status: "APPROVED",
    category: "UTILITY",
    body: "Bonjour",
    parameters: [],
    format: "NAMED",
    copiesCode: false,
    quality: null,
    ttlSeconds,
    whyNot,
  });
  const short = template("short", 6 * 3600);
  const at = { beganMs: 1, nowMs: 1 };
  await fixture.context.store.write((tx) => {
    saveTemplates(
      tx,
      "1",
      [short, template("long", 7 * 3600), template("gone", 99_999, phrase("template.paused"))],
      at,
    );
    saveTemplates(tx, "2", [short, template("untold", null)], at);
  });
  expect(granted(await survey({ whatsapp })).warnings).toEqual([
    {
      code: "TEMPLATES_OUTLIVE_RECEIPTS",
      operator: "whatsapp:main",
      messages: null,
      detail: phrase("config.warning.templates_outlive", {
        hours: 7,
        templates: 1,
        operator: "whatsapp:main",
        waited: 6,
      }),
    },
  ]);
});

test("a period shorter than what is kept all the same is warned of, and refused nowhere", async () => {
  const { config } = fixture.context;
  const details = async (retention: Partial<typeof config.retention>, hours = 24) => {
    const changes = {
      retention: { ...config.retention, ...retention },
      api: { ...config.api, max_lookback_hours: hours },
    };
    const { warnings } = granted(await survey(changes));
    expect(new Set(warnings.map(({ code }) => code)).difference(new Set(["KEPT_LONGER"]))).toEqual(new Set());
    return warnings.map(({ detail }) => detail);
  };
  expect(await details({ text_days: 2, message_days: 2 })).toEqual([
    phrase("config.warning.messages_kept.all", { days: 2, marketing: 31, others: 8 }),
  ]);
  expect(await details({ text_days: 2, message_days: 8 })).toEqual([
    phrase("config.warning.messages_kept", { days: 8, marketing: 31 }),
  ]);
  expect(await details({ message_days: 31 })).toEqual([]);
  expect(await details({ message_days: 0, event_days: 0 })).toEqual([]);
  expect(await details({ event_days: 6 })).toEqual([
    phrase("config.warning.events_kept", { days: 6, least: 7 }),
  ]);
  expect(await details({ event_days: 29 }, 720)).toEqual([
    phrase("config.warning.events_kept", { days: 29, least: 30 }),
  ]);
  // Where there is no database yet, too.
  const absent = { storage: { directory: join(directory, "none") } };
  const survey2 = await survey({ ...absent, retention: { ...config.retention, message_days: 2 } });
  expect(granted(survey2).warnings.map(({ code }) => code)).toEqual(["KEPT_LONGER"]);
});
