import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
