/** Names that every object has already: whoever calls an attribute, an operator or a column so gets what they wrote, and nothing else. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderLabel, renderValue } from "../../src/cli/labels.ts";
import { operatorNames } from "../../src/config/config.ts";
import { toLocalOrigin } from "../../src/config/listen.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { validator } from "../../src/domain/submission/staging.ts";
import { renderIn } from "../../src/i18n/text.ts";
import { readXmlArguments } from "../../src/ingress/compat/kannel-xml.ts";
import { decodeCharset } from "../../src/ingress/compat/request.ts";
import { renderAlert } from "../../src/ops/alerts/alert-texts.ts";
import { cliFixture } from "../cli/fixture.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  submission,
  submitTo,
  type Tenant,
} from "../ingress/api/fixture.ts";
import { quoteOf } from "../kit/quote-trials.ts";

const NAMES = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "isPrototypeOf"];
const BODY = NAMES.map((name) => `{${name}}`).join(" ");
/** As JSON has it: a literal would change what it stands in. */
const ATTRIBUTES = `{${NAMES.map((name, place) => `"${name}": "v${place}"`).join(",")}}`;
const FILLED = NAMES.map((_, place) => `v${place}`).join(" ");

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

const attributes: Readonly<Record<string, unknown>> = JSON.parse(ATTRIBUTES);
const texts = (batch: string) =>
  fixture.store.read
    .all<{ text: string }>(
      "SELECT coalesce(m.text, b.body) AS text FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ?",
      batch,
    )
    .map(({ text }) => text);

type Told = { readonly batch_id: string; readonly warnings: readonly { tag: string; recipients: number }[] };

describe("attributes called as what every object has", () => {
  test("fill in their tags, and are missing where they are not there", async () => {
    const recipients = [
      { msisdn: "70000001", attributes },
      { msisdn: "70000002", attributes: { other: 1 } },
      { msisdn: "70000003", attributes: null },
    ];
    const body = submission({ body: BODY, missing_attributes: "reject", recipients });
    const quoted = await quoteOf(fixture, tenant, body);
    expect(quoted.body.data).toMatchObject({
      accepted: 1,
      rejected: 2,
      rejections_by_reason: { MISSING_ATTRIBUTE: 2 },
    });
    const response = await submitTo(fixture, tenant, "own", body);
    const { data } = (await response.json()) as { data: Told };
    expect(texts(data.batch_id)).toEqual([FILLED]);
    const missing = new Set(
      data.warnings.filter(({ recipients: count }) => count === 2).map(({ tag }) => tag),
    );
    expect(missing).toEqual(new Set(NAMES));
    const fetched = await (await getFrom(fixture, tenant, `/batches/${data.batch_id}`)).json();
    expect((fetched as { data: Told }).data.warnings).toEqual(data.warnings);
  });

  test("do so in a batch that is validated after its 202 too", async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => ({ msisdn: String(71_000_000 + at) }));
    const recipients = [...many.slice(1), { msisdn: "70000004", attributes }];
    const body = submission({ body: `Late ${BODY} { toString }`, recipients });
    const { data } = (await (await submitTo(fixture, tenant, "large", body)).json()) as { data: Told };
    await validator(fixture.intake).next();
    expect(texts(data.batch_id)).toEqual([`Late ${FILLED} v1`]);
  });

  test("stand in the columns of a file, for whom nothing else does", async () => {
    const cli = cliFixture();
    try {
      for (const words of [
        ["account", "create", "--name", "Faso", "--billing", "prepaid", "--short-name", "faso"],
        ["sender", "request", "faso", "SHOP"],
        ["sender", "approve", "faso", "SHOP"],
        ["wallet", "topup", "faso", "1000", "--reference", "constructor"],
      ])
        await cli.run(...words);
      const path = join(dirname(cli.data), "own.csv");
      const cells = NAMES.map((_, place) => `v${place}`);
      writeFileSync(
        path,
        `tel;${NAMES.join(";")}\n05123456;${cells.join(";")}\n05123457${";".repeat(NAMES.length)}\n`,
      );
      const words = ["--recipients", path, "--sender", "SHOP", "--class", "otp", "--body", BODY];
      const { data } = await cli.json("batch", "send", "faso", ...words, "--missing-attributes", "reject");
      expect(data).toMatchObject({
        accepted: 1,
        rejected: 1,
        rejections: [{ reason_code: "MISSING_ATTRIBUTE" }],
      });
      const shown = await cli.runIn({ LANG: "fr_FR.UTF-8" }, "batch", "show", String(data?.batch_id));
      expect([shown.code, shown.err]).toEqual([0, ""]);
      const asked = await cli.json("operator", "pause", "constructor", "--reason", "x");
      expect(asked.error?.code).toBe("OPERATOR_UNKNOWN");
    } finally {
      cli.close();
    }
  });
});

describe("settings called so", () => {
  test.each(NAMES)("%s is no key that is known", (name) => {
    const parsed = parseConfig(JSON.parse(`{"${name}": {"x": 1}, "api": {"${name}": 2}}`), {});
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.faults.map(({ key }) => key)).toContain(`api.${name}`);
  });

  test("are variables only where the environment has them", () => {
    const parsed = parseConfig({ server: { public_url: "$" + "{constructor}" } }, {});
    expect(parsed.ok).toBe(false);
  });

  test("may be operators, and those alone are known by such a code", () => {
    const connections = [{ host: "127.0.0.1", system_id: "bendre", password: "secret99" }];
    const operators = { constructor: { prefixes: ["22605"], price: 15, connections } };
    const parsed = parseConfig({ operators }, {});
    const none = parseConfig({ operators: { orange: operators.constructor } }, {});
    if (!parsed.ok || !none.ok) throw new Error("a fault");
    const code: string = "constructor";
    expect(parsed.config.operators[code]?.price).toBe(15);
    expect(operatorNames(parsed.config)[code]).toBe("constructor");
    for (const name of NAMES) {
      expect(none.config.operators[name]).toBeUndefined();
      expect(none.config.whatsapp.numbers[name]).toBeUndefined();
      expect(operatorNames(none.config)[name]).toBeUndefined();
    }
  });
});

describe("words of others called so", () => {
  test.each(NAMES)("%s stays what it is", async (name) => {
    expect(toLocalOrigin(`http://${name.toLowerCase().replaceAll("_", "x")}:8080`)).toContain("8080");
    expect(decodeCharset(Buffer.from("a"), name)).toBeNull();
    const xml = `<message><submit><ud>&${name};</ud></submit></message>`;
    expect(Buffer.from(readXmlArguments(Buffer.from(xml)).get("text") ?? "").toString()).toContain(
      `&${name};`,
    );
    expect([renderLabel(name, "fr").replaceAll(" ", "_"), renderValue(name, name, "fr")]).toEqual([
      name,
      name,
    ]);
    expect(renderIn("fr", renderAlert("clock", { kind: name }).detail)).toContain(name);
    const query = `status_changed_since=2026-03-02T08:00:00Z&${name}=1`;
    expect((await getFrom(fixture, tenant, `/messages?${query}`)).status).toBe(200);
    expect((await getFrom(fixture, tenant, `/batches?${name}=1`)).status).toBe(422);
    const told = await submitTo(fixture, tenant, `own ${name}`, JSON.parse(`{"${name}": 1}`));
    expect(told.status).toBe(422);
  });
});
