/**
 * The small world that the pages of questions are about: the whole appliance beside three operators, of which one is away, a clock that
 * stands still until it is told to move, and a person at a terminal. What differs from run to run (ports, directories) is told by
 * names that do not.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type App, startApp } from "../../src/app/app.ts";
import { createClaimRecovery } from "../../src/app/channels.ts";
import { type Platform, systemPlatform } from "../../src/app/platform.ts";
import { runCli } from "../../src/cli/cli.ts";
import type { Language } from "../../src/cli/language-flag.ts";
import { WIPE } from "../../src/cli/progress.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { Chance } from "../../src/core/chance.ts";
import { type Serve, systemServe } from "../../src/core/http-server.ts";
import { jsonLog } from "../../src/core/log.ts";
import { english } from "../../src/i18n/text.ts";
import { backupRestore } from "../../src/ops/backup/restore.ts";
import { PLAIN, type Quirks } from "../../src/simulator/quirks.ts";
import { type Dial, socketFault, systemDial } from "../../src/smpp/dial.ts";
import { type TestSmsc, testSmsc } from "../../test/kit/smsc.ts";
import { seededChance } from "../../test/kit/test-chance.ts";
import { type TestClock, testClock } from "../../test/kit/test-clock.ts";
import { threadsHere } from "../../test/kit/threads-here.ts";
import { CONFIG_TEXT } from "./config-text.ts";

export type Answer = { readonly text: string; readonly code: number };

export type World = {
  /** The operators that are there, by the host of the configuration. */
  readonly operators: ReadonlyMap<string, TestSmsc>;
  /** Types `bendre` and these words, and reads the answer at a terminal unless it goes into a pipe. */
  readonly type: (words: readonly string[], into?: "terminal" | "pipe") => Promise<Answer>;
  /** The same for `operator test`, which waits for a receipt: time passes until it is there. */
  readonly typeTest: World["type"];
  /** The port that listens in the place of one of the configuration. */
  readonly portOf: (port: number) => number;
  /** A directory of the person at the terminal. */
  readonly directory: string;
  /** What a page of the server says, at its port of the configuration. */
  readonly get: (port: number, path: string) => Promise<string>;
  readonly post: (path: string, apiKey: string, body: unknown) => Promise<Record<string, unknown>>;
  /** Lines of the log as a service writes them. */
  readonly log: () => readonly string[];
  readonly nowMs: () => number;
  /** The clock of all that is played, for what is set or stands beside it. */
  readonly clock: TestClock;
  /** Lets time pass; else it stands still. */
  readonly pass: (ms: number) => Promise<void>;
  /** Changes the text of the configuration file. */
  readonly edit: (from: string, to: string) => void;
  readonly stop: () => Promise<void>;
  /** Has a backup take the place of the data of what was stopped. */
  readonly restore: (file: string) => Promise<void>;
  /** Starts what was stopped. */
  readonly start: () => Promise<void>;
  /** A text in which the places of this run have the names of an installation. */
  readonly named: (text: string) => string;
  readonly close: () => Promise<void>;
};

const STEP_MS = 250;
/** By then the receipt of a test is there. */
const TEST_MS = 10_000;
const TURNS = 12;
/** As wide as the pages. */
const COLUMNS = 110;
/** Not where the environment says: lines are broken by paths of this length, which the page then names otherwise. */
const PLACE = "/tmp";
const PASSWORDS = {
  ORANGE_SMPP_PASSWORD: "demo1",
  MOOV_SMPP_PASSWORD: "demo2",
  TELECEL_SMPP_PASSWORD: "demo3",
};
const SPACE = { freeBytes: 41_000_000_000, totalBytes: 80_000_000_000 };

/** Jitter is always the middle; what must differ differs. */
function evenChance(): Chance {
  const { bytes } = seededChance(1);
  return { fraction: () => 0.5, bytes };
}

const HOSTS: Readonly<Record<string, Partial<Quirks>>> = {
  "smsc.orange.example": { idFormat: "decimal", receiptDelayMs: 3000 },
  "smsc.moov.example": { idFormat: "hex_response_decimal_receipt", receiptDelayMs: 7000 },
};

/** `tables`: of the configuration, beside those that the pages are played with. */
export async function startWorld(language: Language, tables = ""): Promise<World> {
  const root = mkdtempSync(join(PLACE, "bdr-"));
  const configPath = join(root, "config.toml");
  let config = CONFIG_TEXT.replace("/var/lib/bendre", join(root, "data")) + tables;
  writeFileSync(configPath, config);
  const clock = testClock();
  const chance = evenChance();
  const operators = new Map<string, TestSmsc>();
  for (const [host, quirks] of Object.entries(HOSTS)) {
    operators.set(host, await testSmsc({ clock, chance: seededChance(2), quirks: { ...PLAIN, ...quirks } }));
  }
  const ports = new Map<number, number>();
  const base = { ...systemPlatform, dial: dialTo(operators), serve: serveAt(ports), spaceOf: () => SPACE };
  const machine: Platform = { ...base, startThread: threadsHere({ clock, chance, machine: base }).start };
  const log: string[] = [];
  const read = () => loadConfig(configPath, PASSWORDS);
  const first = await read();
  if (!first.ok) throw new Error(first.faults.map(english).join("\n"));
  const settings = settingsHolder(first.config, first);
  const appLog = jsonLog(
    clock,
    (line) => log.push(line),
    () => settings.now().log.level,
  );
  const begin = () => startApp(settings, { clock, chance, log: appLog, machine }, { readConfig: read });
  let app: App | null = await begin();

  /** What happens at one moment: the sockets of both ends are here, and are heard within some turns. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await settle();
      await clock.advance(STEP_MS);
    }
    await settle();
  };
  const stop = async (): Promise<void> => {
    const stopping = app?.stop();
    app = null;
    if (!stopping) return;
    let isOver = false;
    void stopping.then(() => {
      isOver = true;
    });
    while (!isOver) await pass(STEP_MS);
    await stopping;
  };
  const restore = async (file: string): Promise<void> => {
    const config = settings.now();
    const recoverClaim = createClaimRecovery(settings);
    const restored = await backupRestore(
      { config, clock, actor: "awa", machine, recoverClaim },
      { file, replace: true, keys: null },
    );
    if (!restored.ok) throw new Error(english(restored.refusal.detail));
  };
  for (const operator of operators.values())
    await operator.until(({ events }) => events.some(({ kind }) => kind === "bound"));
  await settle();
  const portOf = (port: number) => ports.get(port) ?? port;
  const type: World["type"] = async (words, into = "terminal") => {
    let text = "";
    // As it stands on a terminal in the end: a slow machine shows for a while that it is still at it.
    const print = (piece: string) => {
      const [wiped = "", ...shown] = piece.split(WIPE);
      text += wiped;
      for (const next of shown) text = text.slice(0, text.lastIndexOf("\n") + 1) + next;
    };
    const env = { BENDRE_CONFIG: configPath, BENDRE_LANGUAGE: language, SUDO_USER: "awa", NO_COLOR: "1" };
    const io = {
      out: print,
      err: print,
      columns: into === "pipe" ? undefined : COLUMNS,
      errIsTerminal: true,
      env,
    };
    const code = await runCli(words, io);
    return { text, code };
  };
  return {
    operators,
    portOf,
    directory: root,
    type,
    typeTest: async (words, into) => {
      const answer = type(words, into);
      const tests = async () => (await type(["operator", "tests", "--json"])).text;
      // Only what it has written down is at the same moment each time.
      while (!(await tests()).includes('"to"')) await settle();
      await pass(TEST_MS);
      return answer;
    },
    get: async (port, path) => (await fetch(`http://127.0.0.1:${portOf(port)}${path}`)).text(),
    post: async (path, apiKey, body) => {
      const headers = {
        "x-api-key": apiKey,
        "content-type": "application/json",
        "idempotency-key": `k${clock.nowMs()}`,
      };
      const url = `http://127.0.0.1:${portOf(8080)}/public/v1${path}`;
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      const { data } = (await answer.json()) as { data?: Record<string, unknown> };
      if (!data) throw new Error(`${path}: ${answer.status}`);
      return data;
    },
    log: () => log,
    nowMs: clock.nowMs,
    clock,
    pass,
    edit: (from, to) => {
      if (!config.includes(from)) throw new Error(`the configuration has no ${from}`);
      config = config.replace(from, to);
      writeFileSync(configPath, config);
    },
    stop,
    restore,
    start: async () => {
      app = await begin();
    },
    named: (text) =>
      text
        .replaceAll(configPath, "/etc/bendre/config.toml")
        .replaceAll(join(root, "data"), "/var/lib/bendre")
        .replaceAll(root, "/etc/bendre"),
    close: async () => {
      await stop();
      for (const operator of operators.values()) await operator.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Hosts lead to the simulated operators; whoever is not there refuses. */
function dialTo(operators: ReadonlyMap<string, TestSmsc>): Dial {
  return (profile, clock, on) => {
    const operator = operators.get(profile.host);
    if (operator) return systemDial({ ...profile, host: "127.0.0.1", port: operator.port }, clock, on);
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    clock.after(1, () => on.failed(socketFault(refused, profile)));
    return { write: () => 0, pause: () => {}, resume: () => {}, hangUp: () => {} };
  };
}

/** Ports of the configuration are any free ones, noted in `ports`. */
function serveAt(ports: Map<number, number>): Serve {
  return (options) => {
    if (!("port" in options.at)) return systemServe(options);
    const { hostname, port } = options.at;
    const server = systemServe({ ...options, at: { hostname, port: 0 } });
    ports.set(port, server.port ?? 0);
    return {
      url: new URL(`http://${hostname}:${port}/`),
      port,
      get pendingRequests() {
        return server.pendingRequests;
      },
      stop: (closeAll) => server.stop(closeAll),
    };
  };
}
