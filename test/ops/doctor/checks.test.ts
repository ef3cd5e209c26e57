import { describe, expect, test } from "vitest";
import { areasOf } from "../../../scripts/phrases/phrase-types.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { versionLine } from "../../../src/core/version.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { english, hasText } from "../../../src/i18n/text.ts";
import {
  backupCheck,
  backupKeysCheck,
  booksCheck,
  configurationCheck,
  configurationFileCheck,
  databaseCheck,
  drillCheck,
  erasedNumbersCheck,
  filesCheck,
  spaceCheck,
  waitingCheck,
} from "../../../src/ops/doctor/doctor.ts";
import {
  addressCheck,
  certificatesCheck,
  clockCheck,
  type DoctorCheck,
  limitsCheck,
  memoryCheck,
  operatorCheck,
  parseAvailableMemory,
  readOpenFilesLimit,
  resolverCheck,
  serviceCheck,
} from "../../../src/ops/doctor/environment-checks.ts";
import { inForceCheck, serverCheck } from "../../../src/ops/doctor/server-checks.ts";

const NOW = Date.UTC(2026, 2, 2, 9, 0, 0);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MB = 1024 * 1024;

const BACKUP = {
  file: "/data/backups/a.backup",
  madeAtMs: NOW - HOUR,
  bytes: 1,
  schema: 1,
  verifiedAtMs: NOW,
  drilledAtMs: NOW,
  failure: null,
};
const BOOKS = {
  checkedAtMs: NOW - HOUR,
  entries: 1,
  batches: 1,
  messages: 1,
  differences: 0,
  detail: "",
  failure: null,
};
const CLOCK = { nowMs: NOW, markMs: NOW - HOUR, doubt: null, isKept: true };
const SERVICE = {
  hasSystemd: true,
  unit: "/etc/systemd/system/bendre.service",
  enabled: "enabled",
  isRunning: true,
};
const UP = { isUp: true, lastError: null, pause: null };
const DOWN = { isUp: false, lastError: said("nothing listens there"), pause: null };
const spaceOf = (megabytes: number) => () => ({ freeBytes: megabytes * MB, totalBytes: 10_000 * MB });
const LOADED = { ok: true, path: "c.toml", unset: [] } as const;
const CONFIG = { operators: { orange: {} } } as never;
const FILE = { ...LOADED, config: CONFIG, pems: new Map(), given: new Set<string>() };
const KEPT = {
  path: "/data/console.toml",
  text: "",
  document: {},
  lines: new Map(),
  byHand: new Map(),
  handText: "",
  shadowed: [],
  unopened: [],
} as const;
const certificate = (days: number | null) => ({
  key: "server.tls_certificate",
  path: "/c.pem",
  endsAtMs: days === null ? null : NOW + days * DAY,
});
const survey = (code: "FILE_MODE" | "DIRECTORY_NOT_WRITABLE") => ({
  state: "looked at" as const,
  warnings: [{ code, detail: phrase("config.warning.open_directory", { directory: "/data", mode: "0755" }) }],
});

type Cases = Readonly<Record<DoctorCheck["status"], readonly DoctorCheck[]>>;

/** What each check makes of facts: by its name. */
const CASES: Readonly<Record<string, Cases>> = {
  configuration: {
    ok: [configurationCheck("c.toml", FILE)],
    warning: [
      configurationCheck("c.toml", { ...FILE, unset: [{ key: "a.password", variable: "ORANGE_PASSWORD" }] }),
      configurationCheck("c.toml", { ...FILE, console: { ...KEPT, isUnseen: true } }),
      configurationCheck("c.toml", {
        ...FILE,
        console: { ...KEPT, shadowed: [{ key: "seller.name", line: 2, consoleLine: null }] },
      }),
    ],
    error: [
      configurationCheck("c.toml", { ...FILE, console: { ...KEPT, unopened: ["alerts.smtp.password"] } }),
      configurationCheck("c.toml", { ok: false, faults: [said("c.toml:3: server.port: unknown key")] }),
    ],
  },
  "configuration file": {
    ok: [configurationFileCheck("c.toml", 0o100640)],
    warning: [configurationFileCheck("c.toml", 0o100644)],
    error: [configurationFileCheck("c.toml", 0o100666), configurationFileCheck("c.toml", null)],
  },
  files: {
    ok: [
      filesCheck("/data", { state: "looked at", warnings: [] }),
      filesCheck("/data", { state: "not there yet", warnings: [] }),
    ],
    warning: [filesCheck("/data", survey("FILE_MODE"))],
    error: [filesCheck("/data", survey("DIRECTORY_NOT_WRITABLE"))],
  },
  space: {
    ok: [spaceCheck("/data", spaceOf(5000), 256)],
    warning: [spaceCheck("/data", spaceOf(300), 256)],
    error: [
      spaceCheck("/data", spaceOf(200), 256),
      spaceCheck("/data", spaceOf(20), 256),
      spaceCheck(
        "/data",
        () => {
          throw new Error("EIO");
        },
        256,
      ),
    ],
  },
  limits: {
    ok: [limitsCheck(65_536), limitsCheck(null)],
    warning: [limitsCheck(1024)],
    error: [],
  },
  memory: {
    ok: [memoryCheck(2000 * MB), memoryCheck(null)],
    warning: [memoryCheck(200 * MB)],
    error: [memoryCheck(20 * MB)],
  },
  clock: {
    ok: [clockCheck(CLOCK), clockCheck({ ...CLOCK, isKept: null, markMs: null })],
    warning: [clockCheck({ ...CLOCK, isKept: false })],
    error: [
      clockCheck({ ...CLOCK, markMs: NOW + DAY }),
      clockCheck({ ...CLOCK, markMs: NOW - 500 * DAY }),
      clockCheck({
        ...CLOCK,
        doubt: phrase("health.clock.behind", { wall: NOW }),
      }),
    ],
  },
  service: {
    ok: [serviceCheck(SERVICE), serviceCheck({ ...SERVICE, hasSystemd: false, unit: null })],
    warning: [
      serviceCheck({ ...SERVICE, unit: null }),
      serviceCheck({ ...SERVICE, enabled: "disabled" }),
      serviceCheck({ ...SERVICE, isRunning: false }),
    ],
    error: [],
  },
  database: {
    ok: [
      databaseCheck("/data", { inspected: { kind: "current", schema: 60 }, bytes: 5 * MB, faults: [] }),
      databaseCheck("/data", { inspected: { kind: "current", schema: 60 }, bytes: 5000 * MB, faults: null }),
      databaseCheck("/data", { inspected: { kind: "absent" }, bytes: 0, faults: null }),
    ],
    warning: [databaseCheck("/data", { inspected: { kind: "older", schema: 3 }, bytes: 0, faults: null })],
    error: [
      databaseCheck("/data", { inspected: { kind: "current", schema: 60 }, bytes: 1, faults: ["page 3"] }),
      databaseCheck("/data", { inspected: { kind: "damaged", detail: "not one" }, bytes: 1, faults: null }),
      databaseCheck("/data", { inspected: { kind: "unreadable", detail: "EACCES" }, bytes: 1, faults: null }),
      databaseCheck("/data", { inspected: { kind: "foreign" }, bytes: 1, faults: null }),
      databaseCheck("/data", { inspected: { kind: "newer", schema: 900 }, bytes: 1, faults: null }),
      databaseCheck("/data", { inspected: { kind: "unsupported", schema: 40 }, bytes: 1, faults: null }),
    ],
  },
  waiting: {
    ok: [waitingCheck([])],
    warning: [waitingCheck([phrase("config.warning.messages_wait", { messages: 3, operator: "moov" })])],
    error: [],
  },
  books: {
    ok: [booksCheck(BOOKS, true, NOW), booksCheck(null, true, NOW), booksCheck(old(BOOKS), false, NOW)],
    warning: [booksCheck({ ...BOOKS, failure: "EIO" }, true, NOW), booksCheck(old(BOOKS), true, NOW)],
    error: [booksCheck({ ...BOOKS, differences: 2 }, true, NOW)],
  },
  backup: {
    ok: [backupCheck({ newest: BACKUP, isThere: true, nowMs: NOW })],
    warning: [
      backupCheck({ newest: null, isThere: false, nowMs: NOW }),
      backupCheck({ newest: { ...BACKUP, madeAtMs: NOW - 3 * DAY }, isThere: true, nowMs: NOW }),
    ],
    error: [backupCheck({ newest: BACKUP, isThere: false, nowMs: NOW })],
  },
  "backup drill": {
    ok: [drillCheck(BACKUP), drillCheck(null)],
    warning: [],
    error: [drillCheck({ ...BACKUP, failure: said("page 3 is not readable") })],
  },
  "backup keys": { ok: [backupKeysCheck(true)], warning: [backupKeysCheck(false)], error: [] },
  "erased numbers": { ok: [erasedNumbersCheck(false)], warning: [], error: [erasedNumbersCheck(true)] },
  certificates: {
    ok: [certificatesCheck([], NOW), certificatesCheck([certificate(90)], NOW)],
    warning: [certificatesCheck([certificate(90), certificate(5)], NOW)],
    error: [certificatesCheck([certificate(-1)], NOW), certificatesCheck([certificate(null)], NOW)],
  },
  "operator orange": {
    ok: [operatorCheck("orange", [UP, UP], "bound"), operatorCheck("orange", [UP], "reachable")],
    warning: [
      operatorCheck("orange", [UP, DOWN], "bound"),
      operatorCheck("orange", [UP, DOWN], "reachable"),
      operatorCheck("orange", [{ ...UP, pause: "the contract ends" }], "bound"),
    ],
    error: [
      operatorCheck("orange", [DOWN], "bound"),
      operatorCheck("orange", [{ ...DOWN, lastError: null }], "bound"),
      operatorCheck("orange", [DOWN], "reachable"),
    ],
  },
  "webhook resolver": {
    ok: [resolverCheck(new Map()), resolverCheck(new Map([["a.example.bf", true]]))],
    warning: [
      resolverCheck(
        new Map([
          ["a.example.bf", true],
          ["b.example.bf", false],
        ]),
      ),
    ],
    error: [resolverCheck(new Map([["a.example.bf", false]]))],
  },
  address: {
    ok: [addressCheck("127.0.0.1:8080", null)],
    warning: [],
    error: [addressCheck("127.0.0.1:8080", "the port is in use")],
  },
  server: {
    ok: [serverCheck({ version: versionLine(), reasons: [] })],
    warning: [serverCheck(null), serverCheck({ version: "bendre 0.0.1 (abc)", reasons: [] })],
    error: [
      serverCheck({ version: versionLine(), reasons: [phrase("readiness.disk_full")] }),
      serverCheck({ refused: said("the data directory /data is another user's") }),
    ],
  },
  "configuration in force": {
    ok: [inForceCheck([])],
    warning: [
      inForceCheck([{ path: "policy.marketing_per_day", restart: false }]),
      inForceCheck(["a", "b", "c", "d", "e", "f"].map((path) => ({ path, restart: true }))),
    ],
    error: [inForceCheck(null)],
  },
};

function old<T>(check: T & { readonly checkedAtMs: number }): T & { readonly checkedAtMs: number } {
  return { ...check, checkedAtMs: NOW - 3 * DAY };
}

const rows = Object.entries(CASES).flatMap(([name, cases]) =>
  Object.entries(cases).flatMap(([status, found]) => found.map((check) => ({ name, status, check }))),
);

describe("each check", () => {
  test("passes on something and finds something else wrong", () => {
    const wrong = Object.entries(CASES).filter(
      ([, { ok, warning, error }]) => ok.length === 0 || warning.length + error.length === 0,
    );
    expect(wrong).toEqual([]);
  });

  test("tells what it found under its name, and what to do exactly where something is to be done", () => {
    const told = rows.map(({ check }) => [english(check.name), check.status, check.action !== null]);
    expect(told).toEqual(rows.map(({ name, status }) => [name, status, status !== "ok"]));
  });
});

describe("what to do", () => {
  const codes = Object.keys(areasOf("en").get("doctor") ?? {});

  test("is said of every finding for which something is to be done", () => {
    const actions = rows.flatMap(({ check }) => check.action?.code ?? []);
    expect(actions.filter((code) => !hasText(code))).toEqual([]);
  });

  test("is said of nothing that is no finding", () => {
    const findings = codes.filter((code) => !/^(action|part|standing)\./.test(code));
    const ofNone = codes
      .flatMap((code) => /^action\.(.+)$/.exec(code)?.[1] ?? [])
      .filter((finding) => !findings.some((code) => code === finding || code.startsWith(`${finding}.`)));
    expect(ofNone).toEqual([]);
  });
});

describe("what the machine tells", () => {
  test("is read from proc, and null where it does not stand there", () => {
    expect(
      readOpenFilesLimit("Max open files            1024                 524288               files\n"),
    ).toBe(1024);
    expect(readOpenFilesLimit("Max open files            unlimited  unlimited  files\n")).toBe(
      Number.MAX_SAFE_INTEGER,
    );
    expect(readOpenFilesLimit(null)).toBeNull();
    expect(parseAvailableMemory("MemTotal: 9 kB\nMemAvailable:    2048 kB\n")).toBe(2 * MB);
    expect(parseAvailableMemory("MemTotal: 9 kB\n")).toBeNull();
  });
});

test("a configuration that cannot be read is told as a fault", async () => {
  const loaded = await loadConfig("no-such-file.toml", {}, "a warning");
  expect(configurationCheck("no-such-file.toml", loaded)).toMatchObject({ status: "error" });
});
