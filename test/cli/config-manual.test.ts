import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { parseToml } from "../../src/config/toml.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeAll(() => {
  // It needs no configuration: a broken one is what it helps with.
  fixture = cliFixture("listen = 127.0.0.1:8080\n");
});
afterAll(() => fixture.close());

describe("config manual", () => {
  test("prints what can stand in any configuration, in the language of its reader", async () => {
    const [en, fr] = [
      await fixture.run("config", "manual"),
      await fixture.run("config", "manual", "--language", "fr"),
    ];
    for (const { code, out } of [en, fr]) {
      expect(code).toBe(0);
      const toml = parseToml(out);
      expect(toml.ok && parseConfig(toml.document, {}).ok).toBe(true);
      expect(out.match(/^#[\w.]+ = /gm)?.length).toBeGreaterThan(SETTINGS.length - 1);
    }
    expect(fr.out).not.toBe(en.out);
  });

  test("prints the part of a key or a table", async () => {
    const { code, out } = await fixture.run("config", "manual", "operators.orange.connections[0].window");
    expect([code, out.split("\n").filter((line) => /^#\S/.test(line))]).toEqual([
      0,
      ["#[[operators.orange.connections]]", "#window = 10"],
    ]);
    const table = await fixture.run("config", "manual", "billing", "--language", "fr");
    expect(table.out.split("\n").filter((line) => /^#\S/.test(line))).toEqual([
      "#[billing]",
      '#charge_on = "accepted"',
    ]);
  });

  test("answers scripts with the same in English", async () => {
    const asked = ["config", "manual", "server.listen"];
    const document = await fixture.json(...asked, "--language", "fr");
    expect(document).toEqual(await fixture.json(...asked));
    expect(document.data).toEqual({
      settings: [
        {
          key: "server.listen",
          means: expect.any(String),
          takes: expect.any(String),
          default: "127.0.0.1:8080",
        },
      ],
    });
    const all = await fixture.json("config", "manual");
    expect(all.data?.settings).toHaveLength(SETTINGS.length);
  });

  test("says of another name what was probably meant", async () => {
    const near = await fixture.json("config", "manual", "server.lisen");
    expect(near.error).toMatchObject({ code: "SETTING_UNKNOWN", params: { meant: "server.listen" } });
    const far = await fixture.json("config", "manual", "quidditch.broom");
    expect(far.error).toMatchObject({ code: "SETTING_UNKNOWN", params: { key: "quidditch.broom" } });
  });
});
