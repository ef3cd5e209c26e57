import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainSecret, renderConsoleFile, sealSecrets } from "../../src/config/console-file.ts";
import { sealWith } from "../../src/db/data-keys.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let cli: CliFixture;
beforeEach(() => {
  cli = cliFixture();
});
afterEach(() => cli.close());

describe("backup create, verify, list and drill", () => {
  test("work without a server, and tell what scripts rely on", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    const { data: made } = await cli.json("backup", "create");
    expect(Object.keys(made ?? {})).toEqual(
      expect.arrayContaining(["file", "made_at", "bytes", "schema", "verified_at"]),
    );
    const file = String(made?.file);
    expect([file.startsWith(join(cli.data, "backups")), existsSync(file)]).toEqual([true, true]);
    const { data: verified } = await cli.json("backup", "verify", file);
    expect(verified).toMatchObject({ file, verified_at: expect.any(String) });
    expect((await cli.json("backup", "drill")).data).toMatchObject({ file });
    const { data: listed } = await cli.json("backup", "list");
    expect(listed).toMatchObject({ backups: [{ file }] });
    expect((await cli.run("backup", "list")).out).toContain("VERIFIED AT");
  });

  test("say of passwords that the console sealed whether the copy's keys open them", async () => {
    writeFileSync(cli.configPath, `${readFileSync(cli.configPath, "utf8")}\n[backup]\npassphrase = "p"\n`);
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    const seal = sealWith(join(cli.data, "console-passwords.key"), seededChance(1));
    const document = { alerts: { smtp: { user: "us", password: plainSecret("hunter2") } } };
    writeFileSync(join(cli.data, "console.toml"), renderConsoleFile(sealSecrets(document, seal.close)));
    const file = String((await cli.json("backup", "create")).data?.file);
    expect((await cli.json("backup", "verify", file)).data).toMatchObject({ file });
    expect((await cli.json("backup", "drill")).data).toMatchObject({ file });
    // The copy is made with another key than the passwords were sealed with.
    writeFileSync(join(cli.data, "console-passwords.key"), Buffer.alloc(32, 1));
    const other = String((await cli.json("backup", "create", join(cli.data, "other.db"))).data?.file);
    expect((await cli.json("backup", "verify", other)).error?.code).toBe("BACKUP_UNSOUND");
  });

  test("without the keys of those passwords warn of them, and a restore says what must come before the start", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    const key = join(cli.data, "console-passwords.key");
    const seal = sealWith(key, seededChance(1));
    const document = { alerts: { smtp: { user: "us", password: plainSecret("hunter2") } } };
    writeFileSync(join(cli.data, "console.toml"), renderConsoleFile(sealSecrets(document, seal.close)));
    const { data: made } = await cli.json("backup", "create");
    expect(String(made?.warnings)).toContain("passwords of operators");
    const keys = join(cli.data, "..", "console-passwords.key");
    copyFileSync(key, keys);
    const restore = ["backup", "restore", String(made?.file), "--replace"];
    const next = async (...more: string[]) => {
      const { data } = await cli.json(...restore, ...more);
      rmSync(String(data?.replaced), { recursive: true });
      return String(data?.next);
    };
    expect(await next()).toMatch(/^1 password\(s\) .*will not start.*--keys.*then start the server/);
    expect((await cli.json("config", "check")).error?.code).toBe("CONFIG_INVALID");
    expect(await next("--keys", keys)).toMatch(/^start the server/);
    expect((await cli.json("config", "check")).error).toBeUndefined();
  });

  test("a damaged file of the console keeps nobody from restoring", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    writeFileSync(join(cli.data, "console.toml"), '[seller]\nname = "Kept"\n');
    const file = String((await cli.json("backup", "create")).data?.file);
    writeFileSync(join(cli.data, "console.toml"), "[seller\n");
    expect((await cli.json("account", "list")).error?.code).toBe("CONFIG_INVALID");
    const { data } = await cli.json("backup", "restore", file, "--replace");
    expect(data).toMatchObject({ file });
    expect(readFileSync(join(cli.data, "console.toml"), "utf8")).toBe('[seller]\nname = "Kept"\n');
    expect((await cli.json("config", "show")).data).toMatchObject({
      settings: expect.arrayContaining([
        { path: "seller.name", value: "Kept", is_default: false, written_in: "console" },
      ]),
    });
  });

  test("a path is seen from where it was typed", async () => {
    const { data } = await cli.json("backup", "create", join("..", "bendre-typed-here", "one.db"));
    expect(data).toMatchObject({ file: join(process.cwd(), "..", "bendre-typed-here", "one.db") });
    const { error } = await cli.json("backup", "create", join("..", "bendre-typed-here", "one.db"));
    expect(error?.code).toBe("FILE_UNWRITABLE");
    await Bun.$`rm -r ../bendre-typed-here`;
  });

  test("a file that is none exits 1 and says what is wrong", async () => {
    const { code, err } = await cli.run("backup", "verify", "package.json");
    expect([code, err]).toEqual([1, expect.stringContaining("is not sound: ")]);
  });
});

describe("backup restore and resume", () => {
  test("put a copy in the place of the data, and say what to do next", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    const { data: made } = await cli.json("backup", "create");
    await cli.json("account", "create", "--name", "Made after it", "--billing", "prepaid");
    const refused = await cli.json("backup", "restore", String(made?.file));
    expect(refused.error?.code).toBe("DATA_PRESENT");
    const { data: restored } = await cli.json("backup", "restore", String(made?.file), "--replace");
    expect(Object.keys(restored ?? {})).toEqual(
      expect.arrayContaining(["file", "made_at", "bytes", "schema", "verified_at", "replaced", "next"]),
    );
    expect(existsSync(join(String(restored?.replaced), "bendre.db"))).toBe(true);
    expect(existsSync(String(made?.file))).toBe(true);
    const { data: accounts } = await cli.json("account", "list");
    expect(JSON.stringify(accounts)).not.toContain("Made after it");
    const { data: held } = await cli.json("backup", "resume", "--list");
    expect(held).toMatchObject({ counts: [], resumed_at: null, last_topup: null });
    const { data: resumed } = await cli.json("backup", "resume", "--waiting", "policy");
    expect(resumed).toMatchObject({ counts: [], decided: [], resumed_at: expect.any(String) });
  });
});
