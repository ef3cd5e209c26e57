import { expect, test } from "vitest";
import { operatorDraft } from "../../src/operations/operator-draft.ts";
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
