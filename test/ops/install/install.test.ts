import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderExample, renderManual } from "../../../src/config/manual.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { parseToml } from "../../../src/config/toml.ts";
import { english } from "../../../src/i18n/text.ts";
import { type InstallOptions, install, uninstall } from "../../../src/ops/install/install.ts";
import { layoutBelow } from "../../../src/ops/install/layout.ts";
import type { InstallSystem } from "../../../src/ops/install/system.ts";

const EXAMPLE = readFileSync(join(import.meta.dir, "../../../config.example.toml"), "utf8");

let root: string;
let ran: string[];
let system: InstallSystem;
let umask: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bendre-install-"));
  writeFileSync(join(root, "built"), "version 1");
  ran = [];
  system = {
    isRoot: () => false,
    idsOf: () => null,
    hasSystemd: () => true,
    run: (...words) => {
      ran.push(words.join(" "));
      return null;
    },
  };
  umask = process.umask(0o077);
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true });
});

const asked = (more: Partial<InstallOptions> = {}): InstallOptions => ({
  root,
  user: "bendre",
  executable: join(root, "built"),
  config: EXAMPLE,
  ...more,
});
const at = () => layoutBelow(root);
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const textOf = (path: string): string => readFileSync(path, "utf8");

/** What became of each file, by its path below the root. */
function installed(more: Partial<InstallOptions> = {}): Record<string, string> {
  const answer = install(asked(more), system);
  if (!answer.ok) throw new Error(english(answer.refusal.detail));
  return Object.fromEntries(answer.value.files.map(({ path, done }) => [path.slice(root.length), done]));
}

test("an installation has its files where the system looks for them, with the modes that keep secrets", () => {
  expect(new Set(Object.values(installed()))).toEqual(new Set(["created"]));
  const { executable, unit, sysusers, configDirectory, config, environment, data } = at();
  expect([executable, unit, sysusers, configDirectory, config, environment, data].map(modeOf)).toEqual([
    "755",
    "644",
    "644",
    "755",
    "640",
    "600",
    "700",
  ]);
  expect(modeOf(dirname(executable))).toBe("755");
  expect(textOf(executable)).toBe("version 1");
});

test("below another root no user is made and nothing is started", () => {
  installed();
  expect(ran).toEqual([]);
  expect(textOf(at().sysusers)).toMatch(/^u bendre - /);
});

test("the configuration is the example, with the data where the unit may write", () => {
  installed();
  const toml = parseToml(textOf(at().config));
  if (!toml.ok) throw new Error(toml.problem);
  const variables = [...EXAMPLE.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => [name, "secret99"]);
  const parsed = parseConfig(toml.document, Object.fromEntries(variables));
  expect(parsed.ok && parsed.config.storage.directory).toBe("/var/lib/bendre");
});

test("the configuration is written in the language of whoever installs", () => {
  installed({ config: renderExample("fr") });
  const text = textOf(at().config);
  const toml = parseToml(text);
  const parsed = toml.ok ? parseConfig(toml.document, {}) : null;
  expect(parsed?.ok && parsed.config.storage.directory).toBe("/var/lib/bendre");
  expect(text).toContain(renderManual("fr"));
});

test("said again with nothing new, it changes nothing", () => {
  installed();
  const again = Object.values(installed());
  expect(new Set(again)).toEqual(new Set(["unchanged", "kept"]));
});

test("said again, it brings the executable and an unedited unit up to date, and keeps what a person may have changed", () => {
  installed({ user: "formerly" });
  for (const path of [at().config, at().environment]) appendFileSync(path, "# mine\n");
  writeFileSync(join(root, "built"), "version 2");
  expect(installed()).toEqual({
    "/usr/local/bin/bendre": "updated",
    "/etc/systemd/system/bendre.service": "updated",
    "/etc/sysusers.d/bendre.conf": "updated",
    "/etc/bendre": "kept",
    "/etc/bendre/config.toml": "kept",
    "/etc/bendre/environment": "kept",
    "/var/lib/bendre": "kept",
  });
  expect(textOf(at().executable)).toBe("version 2");
  expect(textOf(at().unit)).toContain("\nUser=bendre\n");
  for (const path of [at().config, at().environment]) expect(textOf(path)).toMatch(/# mine\n$/);
});

test("an edited unit stays as it is", () => {
  installed({ user: "formerly" });
  writeFileSync(at().unit, textOf(at().unit).replace("WatchdogSec=60", "WatchdogSec=90"));
  expect(installed()["/etc/systemd/system/bendre.service"]).toBe("kept");
  expect(textOf(at().unit)).toContain("User=formerly");
});

test("the next three commands are named", () => {
  const answer = install(asked(), system);
  expect(answer.ok && answer.value.next.length).toBe(3);
});

test("taken back, only configuration and data are left", () => {
  installed();
  const answer = uninstall(root, system);
  const { executable, unit, sysusers, configDirectory, config, environment, data } = at();
  expect(answer.ok && answer.value).toEqual({
    removed: [unit, sysusers, executable],
    kept: [configDirectory, data],
  });
  expect([executable, unit, sysusers].filter(existsSync)).toEqual([]);
  expect([config, environment, data].every((path) => existsSync(path))).toBe(true);
  expect(ran).toEqual([]);
});

test("only root installs on the machine itself, and only a name that a user may have", () => {
  const notRoot = install(asked({ root: null }), system);
  expect(!notRoot.ok && english(notRoot.refusal.detail)).toContain("only root can install");
  const wrong = install(asked({ user: "a b" }), system);
  expect(!wrong.ok && wrong.refusal.code).toBe("INVALID_NAME");
  expect(existsSync(at().executable)).toBe(false);
});

test("what a package brought is the package's to change", () => {
  mkdirSync(dirname(at().packagedUnit), { recursive: true });
  writeFileSync(at().packagedUnit, "");
  for (const answer of [install(asked(), system), uninstall(root, system)]) {
    expect(!answer.ok && english(answer.refusal.detail)).toContain("apt or dpkg");
  }
  expect(existsSync(at().executable)).toBe(false);
});

test("what cannot be put in its place is said, and nothing of it is left half written", () => {
  mkdirSync(at().unit, { recursive: true });
  const answer = install(asked(), system);
  expect(!answer.ok && answer.refusal.code).toBe("NOT_INSTALLED");
  expect(existsSync(`${at().unit}.new`)).toBe(false);
});

test("the unit has what the service stands on, and is kept from all it does not need", () => {
  installed();
  const lines = new Set(textOf(at().unit).split("\n"));
  const needed = [
    "Type=notify",
    "User=bendre",
    "ExecReload=/usr/local/bin/bendre config reload --config /etc/bendre/config.toml",
    "LimitNOFILE=65536",
    "LimitCORE=0",
    "WatchdogSec=60",
    "UMask=0077",
    "RestartPreventExitStatus=3",
    "StandardOutput=null",
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
  ];
  expect(needed.filter((line) => !lines.has(line))).toEqual([]);
  expect([...lines].filter((line) => line.startsWith("MemoryDenyWriteExecute"))).toEqual([]);
});

test.skipIf(Bun.which("systemd-analyze") === null)("systemd finds no fault in the unit", () => {
  installed({ user: userInfo().username });
  // The tool looks whether the executable is there.
  const unit = join(root, "bendre.service");
  writeFileSync(unit, textOf(at().unit).replaceAll("/usr/local/bin/bendre", "/bin/true"));
  const said = execFileSync("systemd-analyze", ["verify", "--man=no", unit], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(said).toBe("");
});
