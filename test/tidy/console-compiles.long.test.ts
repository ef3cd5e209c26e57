import { describe, expect, test } from "vitest";
import { ROOT } from "./source.ts";

describe("the console's front end", () => {
  test("compiles with the types of browsers, which the server's own settings do not have", () => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      [process.execPath, "check", "--no-script", "-p", "src/console/ui"],
      { cwd: ROOT },
    );
    expect([exitCode, exitCode === 0 ? "" : `${stdout}${stderr}`]).toEqual([0, ""]);
  }, 60_000);
});
