import { expect, test } from "vitest";
import { operatorDraft } from "../../src/operations/operator-draft.ts";
import { configOf, document } from "../config/sample.ts";
import { adminFixture, granted, noConfiguration } from "./fixture.ts";

test("prefixes as people say them get the country code, and those that have it stay", async () => {
  const fixture = adminFixture();
  const { config, server } = fixture.context;
  const inForce = () => ({ config }) as ReturnType<typeof noConfiguration.inForce>;
  const context = {
    ...fixture.context,
    server: server && { ...server, configuration: { ...noConfiguration, inForce } },
  };
  const { text } = granted(
    await operatorDraft(context, {
      ...{ code: "moov2", name: "Moov", host: "127.0.0.1", port: 2775, system_id: "us", price: 12 },
      prefixes: ["01", "60", "22651", "226", "3361"],
    }),
  );
  expect(text).toContain(`prefixes = ["22601", "22660", "22651", "226", "3361"]`);
  await fixture.close();
});

test("a draft without a price leaves its place to the owner, and is an operator that the configuration takes", async () => {
  const fixture = adminFixture();
  const { config, server } = fixture.context;
  const inForce = () => ({ config }) as ReturnType<typeof noConfiguration.inForce>;
  const context = {
    ...fixture.context,
    server: server && { ...server, configuration: { ...noConfiguration, inForce } },
  };
  const { text } = granted(
    await operatorDraft(context, {
      ...{ code: "moov2", name: "Moov", host: "127.0.0.1", port: 2775, system_id: "us", price: null },
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
