import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
let scratch: string;
beforeEach(() => {
  fixture = cliFixture();
  scratch = mkdtempSync(join(tmpdir(), "bendre-completion-"));
});
afterEach(() => {
  fixture.close();
  rmSync(scratch, { recursive: true });
});

/** A file with the script of a shell. */
async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await fixture.run("completion", shell);
  expect(code).toBe(0);
  const path = join(scratch, `bendre.${shell}`);
  writeFileSync(path, out);
  return path;
}

/** What bash offers for the last of these words. */
function offered(script: string, ...words: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bendre; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = Bun.spawnSync(["bash", "-c", program, "bash", script, "bendre", ...words], { cwd: scratch });
  expect(done.stderr.toString()).toBe("");
  return done.stdout.toString().split("\n").filter(Boolean);
}

test("bash completes every command, verb and flag, and the values that a flag may have", async () => {
  const script = await scriptFor("bash");
  expect(offered(script, "acc")).toEqual(["account"]);
  for (const command of COMMANDS) {
    const { name, flags } = command;
    const words = name.split(" ");
    expect(offered(script, ...words)).toContain(words.at(-1) ?? "");
    if ("takesAll" in command && command.takesAll) continue;
    const found = offered(script, ...words, "--");
    expect([name, flags.map((flag) => `--${flag.name}`).filter((flag) => !found.includes(flag))]).toEqual([
      name,
      [],
    ]);
  }
  expect(offered(script, "account", "create", "--billing", "p")).toEqual(["prepaid", "postpaid"]);
  expect(offered(script, "account", "create", "--name", "")).toEqual([]);
});

test("bash completes paths where a command takes one", async () => {
  const script = await scriptFor("bash");
  writeFileSync(join(scratch, "copy one.db"), "");
  expect(offered(script, "backup", "verify", "co")).toEqual(["copy one.db"]);
  expect(offered(script, "serve", "--config", "copy")).toEqual(["copy one.db"]);
});

test.each(["bash", "zsh", "fish"])(
  "%s reads its script without a fault, where it is there",
  async (shell) => {
    const script = await scriptFor(shell);
    const said = Bun.which(shell) === null ? "" : Bun.spawnSync([shell, "-n", script]).stderr.toString();
    expect(said).toBe("");
  },
);

test.each(["zsh", "fish"])("the script for %s names every command with all its flags", async (shell) => {
  const { out } = await fixture.run("completion", shell);
  for (const { name, flags } of COMMANDS) {
    const lines = shell === "zsh" ? out.split(/^ {4}(?=')/m) : out.split("\n");
    const own = lines
      .filter((line) => line.startsWith(`'${name}')`) || line.includes(`__bendre_in ${name}'`))
      .join("\n");
    expect(out).toContain(name.split(" ").at(-1) ?? "");
    const missing = flags.filter(
      (flag) => !own.includes(shell === "zsh" ? `--${flag.name}` : `-l ${flag.name} `),
    );
    expect([name, missing.map((flag) => flag.name)]).toEqual([name, []]);
  }
});
