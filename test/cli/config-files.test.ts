/** Commands over a configuration by hand and what the console keeps beside it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainSecret, renderConsoleFile, sealSecrets } from "../../src/config/console-file.ts";
import { sealWith } from "../../src/db/data-keys.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let cli: CliFixture;
beforeEach(() => {
  cli = cliFixture();
  mkdirSync(cli.data, { mode: 0o700 });
});
afterEach(() => cli.close());

const path = () => join(cli.data, "console.toml");

function keep(document: object): void {
  const seal = sealWith(join(cli.data, "console-passwords.key"), seededChance(1));
  writeFileSync(path(), renderConsoleFile(sealSecrets({ ...document }, seal.close)), { mode: 0o600 });
}

const MOOV = {
  prefixes: ["22660"],
  connections: [{ host: "127.0.0.1", port: 1, system_id: "us", password: plainSecret("hunter2") }],
};

type Warnings = { readonly warnings: readonly { readonly code: string; readonly detail: string }[] };

describe("a key in both files", () => {
  test("counts as the file by hand has it, and config check and doctor warn of it with both lines", async () => {
    keep({ operators: { orange: MOOV, moov: MOOV } });
    const { data } = await cli.json("config", "check");
    const { warnings } = data as unknown as Warnings;
    expect(data).toMatchObject({ console_file: path(), operators: ["orange", "moov"] });
    const [warning, ...others] = warnings;
    expect([warning?.code, others]).toEqual(["CONSOLE_KEY_SHADOWED", []]);
    expect(warning?.detail).toContain(`${cli.configPath}:2`);
    expect(warning?.detail).toContain(`${path()}:3`);
    expect((await cli.json("config", "check", "--strict")).error?.code).toBe("CONFIG_WARNINGS");
    const { checks } = (await cli.json("doctor")).data as { checks: Record<string, string>[] };
    expect(checks.find(({ name }) => name === "configuration")).toMatchObject({ status: "warning" });
  });
});

describe("a password of the console without its key", () => {
  test("is told by config check and doctor, as the start is refused", async () => {
    keep({ operators: { moov: MOOV } });
    rmSync(join(cli.data, "console-passwords.key"));
    expect((await cli.json("config", "check")).error?.code).toBe("CONFIG_INVALID");
    const { data } = await cli.json("config", "check", "--no-secrets");
    const [warning] = (data as unknown as Warnings).warnings;
    expect(warning?.code).toBe("CONSOLE_PASSWORD_UNREADABLE");
    expect(warning?.detail).toContain("operators.moov.connections[0].password");
    const { checks } = (await cli.json("doctor")).data as { checks: Record<string, string>[] };
    const found = checks.find(({ name }) => name === "configuration");
    expect(found).toMatchObject({ status: "error" });
    expect(found?.action).toContain("backup restore --keys");
  });
});

describe("config show and diff", () => {
  test("say where a setting stands, and read what the console keeps", async () => {
    keep({ operators: { moov: MOOV }, seller: { name: "Faso SMS" } });
    const { settings } = (await cli.json("config", "show")).data as { settings: Record<string, unknown>[] };
    const at = (key: string) => settings.find((one) => one.path === key)?.written_in;
    expect(["seller.name", "operators.moov.prefixes", "operators.orange.price", "api.burst"].map(at)).toEqual(
      ["console", "console", "file", null],
    );
    expect(JSON.stringify(settings)).not.toContain("hunter2");
    await cli.json("account", "list");
    const { changes } = (await cli.json("config", "diff")).data as { changes: { path: string }[] };
    expect(changes.map((one) => one.path)).toContain("operators.moov");
  });
});

describe("a damaged file of the console", () => {
  test("is told by its own name and line, by every command", async () => {
    writeFileSync(path(), "[operators.moov]\nprefixes = [\n");
    for (const words of [
      ["config", "check"],
      ["account", "list"],
    ]) {
      const { error } = await cli.json(...words);
      expect(error?.code).toBe("CONFIG_INVALID");
      expect(error?.detail).toContain(`${path()}:`);
    }
    const { checks } = (await cli.json("doctor")).data as { checks: Record<string, string>[] };
    expect(checks.find(({ name }) => name === "configuration")).toMatchObject({ status: "error" });
    writeFileSync(path(), "[storage]\ndirectory = 'elsewhere'\n");
    expect((await cli.json("config", "check")).error?.detail).toContain(`${path()}:2: storage.directory`);
    expect(readFileSync(path(), "utf8")).toContain("elsewhere");
  });
});
