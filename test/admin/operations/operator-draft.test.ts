import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operatorDraft } from "../../../src/admin/operations/operator-draft.ts";
import { loadConfig, type Proposal } from "../../../src/config/load-config.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { configOf, document } from "../../config/sample.ts";
import { adminFixture, granted, noConfiguration } from "./fixture.ts";

const SHEET = { bind: "transceiver", window: 10, throughput: 30, receipts: true } as const;

/** An administration whose configuration is in force as it stands. */
function inForceHere() {
  const fixture = adminFixture();
  const { config, server } = fixture.context;
  const inForce = () => ({ config }) as ReturnType<typeof noConfiguration.inForce>;
  const context = {
    ...fixture.context,
    server: server && { ...server, configuration: { ...noConfiguration, inForce } },
  };
  return { fixture, config, context };
}

test("what an operator's sheet grants stands in the text, and two binds where it has them apart", async () => {
  const { fixture, context } = inForceHere();
  // In capitals, as operators write themselves.
  const draft = {
    code: "MOOV2",
    name: "Moov",
    host: "127.0.0.1",
    port: 2775,
    system_id: "us",
    price: 12,
    receipts: true,
  };
  const operatorOf = async (bind: "transceiver" | "separate") => {
    const asked = { ...draft, bind, window: 20, throughput: 50, prefixes: ["60"] };
    const { text } = granted(await operatorDraft(context, asked));
    const added = Bun.TOML.parse(text) as { operators: Record<string, unknown> };
    return configOf(document(added), { MOOV2_SMPP_PASSWORD: "secret" }).operators.moov2;
  };
  const granting = { window: 20, throughput: 50 };
  expect((await operatorOf("transceiver"))?.connections).toMatchObject([
    { ...granting, bind: "transceiver" },
  ]);
  expect((await operatorOf("separate"))?.connections).toMatchObject([
    { ...granting, bind: "transmitter" },
    { ...granting, bind: "receiver" },
  ]);
  await fixture.close();
});

test("prefixes as people say them get the country code, and those that have it stay", async () => {
  const { fixture, context } = inForceHere();
  const { text } = granted(
    await operatorDraft(context, {
      code: "moov2",
      name: "Moov",
      host: "127.0.0.1",
      port: 2775,
      system_id: "us",
      price: 12,
      ...SHEET,
      prefixes: ["01", "60", "22651", "226", "3361"],
    }),
  );
  expect(text).toContain(`prefixes = ["22601", "22660", "22651", "226", "3361"]`);
  await fixture.close();
});

test("a draft without a price leaves its place to the owner, and is an operator that the configuration takes", async () => {
  const { fixture, context } = inForceHere();
  const { text } = granted(
    await operatorDraft(context, {
      code: "moov2",
      name: "Moov",
      host: "127.0.0.1",
      port: 2775,
      system_id: "us",
      price: null,
      ...SHEET,
      prefixes: ["60"],
    }),
  );
  expect(text).toMatch(/^# price =$/m);
  const added = Bun.TOML.parse(text) as { operators: Record<string, unknown> };
  const { operators } = configOf(document(added), { MOOV2_SMPP_PASSWORD: "secret" });
  expect(operators.moov2).toMatchObject({ name: "Moov", prefixes: ["22660"] });
  expect(operators.moov2?.price ?? null).toBeNull();
  await fixture.close();
});

test("an operator without receipts has that in the text, and what another operator has is told by its name", async () => {
  const { fixture, config, context } = inForceHere();
  const [[other, { name, prefixes }] = ["", { name: "", prefixes: [] }]] = Object.entries(config.operators);
  const draft = { code: "moov2", name: "Moov", host: "127.0.0.1", port: 2775, system_id: "us", price: 12 };
  const silent = granted(
    await operatorDraft(context, { ...draft, ...SHEET, receipts: false, prefixes: ["60"] }),
  );
  const added = Bun.TOML.parse(silent.text) as { operators: Record<string, unknown> };
  expect(configOf(document(added), { MOOV2_SMPP_PASSWORD: "x" }).operators.moov2?.receipts).toBe(false);
  const taken = prefixes.slice(0, 2);
  const { faults } = granted(
    await operatorDraft(context, { ...draft, ...SHEET, prefixes: ["60", ...taken] }),
  );
  expect(faults).toEqual([
    phrase("config.draft.prefixes_taken", { name, code: other, prefixes: taken.join(", ") }),
  ]);
  await fixture.close();
});

test("a text that stands in the file already, and is not in force, is to be reloaded and not put there twice", async () => {
  const fixture = adminFixture();
  const { config, server } = fixture.context;
  const [operator] = Object.values(config.operators);
  const inFile = { ...config, operators: { ...config.operators, ...(operator && { moov2: operator }) } };
  const inForce = () => ({ config }) as ReturnType<typeof noConfiguration.inForce>;
  const read = () =>
    Promise.resolve({ ok: true, config: inFile, unset: [], path: "c.toml" } as unknown as Awaited<
      ReturnType<typeof noConfiguration.read>
    >);
  const context = {
    ...fixture.context,
    server: server && { ...server, configuration: { ...noConfiguration, inForce, read } },
  };
  const draft = { code: "moov2", name: "Moov", host: "127.0.0.1", port: 2775, system_id: "us", price: 12 };
  const { faults } = granted(await operatorDraft(context, { ...draft, ...SHEET, prefixes: ["60"] }));
  expect(faults).toEqual([phrase("config.draft.in_file", { code: "moov2" })]);
  await fixture.close();
});

test("where the server was started without a file, the draft says that its text is to be the first of one", async () => {
  const directory = mkdtempSync(join(tmpdir(), "bendre-draft-"));
  const path = join(directory, "config.toml");
  const { fixture, context } = inForceHere();
  const read = (proposal: Proposal = {}) => loadConfig(path, {}, "a warning", proposal, "an empty file");
  const here = {
    ...context,
    server: context.server && {
      ...context.server,
      configuration: { ...context.server.configuration, read },
    },
  };
  const draft = { code: "moov2", name: "Moov", host: "127.0.0.1", port: 2775, system_id: "us", price: 12 };
  const drafted = async () => granted(await operatorDraft(here, { ...draft, ...SHEET, prefixes: ["60"] }));
  const first = await drafted();
  expect(first).toMatchObject({ file: path, is_new_file: true, faults: [], is_set: false });
  writeFileSync(path, first.text);
  expect((await drafted()).faults).toEqual([phrase("config.draft.in_file", { code: "moov2" })]);
  writeFileSync(path, "[api]\nburst = 7\n");
  expect(await drafted()).toMatchObject({ file: path, is_new_file: false });
  rmSync(directory, { recursive: true });
  await fixture.close();
});
