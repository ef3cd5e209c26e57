import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../src/admin/commands.ts";
import type { AdminContext } from "../../src/admin/operations/context.ts";
import type { AdminRefusal } from "../../src/admin/operations/refusal.ts";
import { type App, startApp } from "../../src/app/app.ts";
import { type Platform, systemPlatform } from "../../src/app/platform.ts";
import type { Config } from "../../src/config/config.ts";
import { type SettingsHolder, settingsHolder } from "../../src/config/live-config.ts";
import type { LoadedConfig } from "../../src/config/load-config.ts";
import { said } from "../../src/i18n/phrase.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { configOf, connection, document, operator } from "../config/sample.ts";
import { filesHere } from "../kit/files-here.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type TestClock, testClock } from "../kit/test-clock.ts";
import { type LogLine, testLog } from "../kit/test-log.ts";
import { threadsHere } from "../kit/threads-here.ts";

export type Batch = {
  readonly batch_id: string;
  readonly status: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly rejections: readonly { index: number; msisdn: string | null; reason_code: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly reserved_amount: number;
  readonly charged_amount: number;
  readonly released_amount: number;
  readonly failure: { code: string } | null;
};

export type Balance = { readonly balance: number; readonly reserved: number; readonly spendable: number };

/** The appliance whole, a simulated operator at 15 XOF that owns 22670, and a clock that stands still. */
export type Stage = {
  readonly clock: TestClock;
  readonly smsc: TestSmsc;
  /** What the appliance goes by. */
  readonly settings: SettingsHolder;
  /** What stands in the file that a reload reads: a configuration, or its faults. */
  readonly write: (file: Config | readonly string[]) => void;
  /** Sends SIGHUP. */
  readonly hangUp: () => void;
  /** The refusal of an administrative command. */
  readonly refusal: (name: string, args?: Readonly<Record<string, string>>) => Promise<AdminRefusal>;
  /** What was logged since the last start. */
  readonly log: () => readonly LogLine[];
  /** How many threads work that no clock of a test holds, such as that of a backup. */
  readonly threads: () => number;
  readonly url: () => string;
  /** The status and the body of a page that needs no key, such as /health. */
  readonly page: (path: string) => Promise<{ readonly status: number; readonly body: string }>;
  /** What administrative commands work on, such as the database. */
  readonly context: () => AdminContext;
  /** Runs an administrative command; the data it answers with. */
  readonly admin: (
    name: string,
    args?: Readonly<Record<string, string>>,
    attachment?: Uint8Array<ArrayBuffer>,
  ) => Promise<Record<string, unknown>>;
  /** A new account with the sender ACME, sendable unless told otherwise, and a key with every scope. */
  readonly client: (changes?: ClientChanges) => Promise<Client>;
  /** The same account with a test key. */
  readonly inSandbox: (client: Client) => Promise<Client>;
  /** Stops the appliance as SIGTERM does, and keeps its data. */
  readonly stop: () => Promise<void>;
  /** Starts it anew on the same data. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ClientChanges = {
  readonly account?: Readonly<Record<string, string>>;
  /** XOF; 0: none. */
  readonly funds?: number;
  readonly isRegistered?: boolean;
};

export type Client = {
  readonly accountId: string;
  readonly apiKey: string;
  readonly submit: (changes: Readonly<Record<string, unknown>>) => Promise<Batch>;
  readonly batch: (batchId: string) => Promise<Batch>;
  readonly balance: () => Promise<Balance>;
  readonly messages: (batchId: string) => Promise<readonly Record<string, unknown>[]>;
  /** Fetches the batch until it is as wanted, and lets a little time go by in between. */
  readonly until: (batchId: string, isWanted: (batch: Batch) => boolean) => Promise<Batch>;
};

const FILE_THREAD = "console/server/send/file-thread.ts";

/** Small beside every delay of the specification. */
const STEP_MS = 20;

function isLines(file: Config | readonly string[]): file is readonly string[] {
  return Array.isArray(file);
}

/** `base`: what it runs on, such as a machine that counts; `tables`: of the configuration, beside those that it needs. */
export async function stage(
  base: Platform = systemPlatform,
  tables: Readonly<Record<string, unknown>> = {},
): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "bendre-stage-"));
  const clock = testClock();
  const chance = seededChance(1);
  const smsc = await testSmsc({ clock, chance, quirks: PLAIN });
  const config = configOf(
    document({
      server: { listen: "127.0.0.1:0" },
      storage: { directory },
      api: { requests_per_second: 100_000, burst: 1_000_000 },
      ...tables,
      operators: {
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: [connection({ host: "127.0.0.1", port: smsc.port, throughput: 10_000, window: 100 })],
        }),
      },
    }),
  );
  const settings = settingsHolder(config);
  let file: Config | readonly string[] = config;
  const readConfig = async (): Promise<LoadedConfig> =>
    isLines(file)
      ? { ok: false, faults: file.map(said) }
      : { ok: true, path: "config.toml", config: file, pems: new Map(), given: new Set(), unset: [] };
  let accounts = 0;
  let log = testLog();
  const threads = threadsHere({ clock, chance, machine: base });
  const machine = {
    ...base,
    // Files of recipients are read here: starting a thread takes longer.
    startThread: (path: string) => (path === FILE_THREAD ? filesHere(path) : threads.start(path)),
  };
  let app: App | null = await startApp(settings, { clock, chance, log, machine }, { readConfig });

  const running = (): App => {
    if (!app) throw new Error("the appliance is stopped");
    return app;
  };
  const admin: Stage["admin"] = async (name, args = {}, attachment) => {
    const outcome = await runCommand(running().context("test"), name, args, attachment ?? null);
    if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome.refusal)}`);
    return outcome.value as Record<string, unknown>;
  };
  const refusal: Stage["refusal"] = async (name, args = {}) => {
    const outcome = await runCommand(running().context("test"), name, args);
    if (outcome.ok) throw new Error(`${name} was done: ${JSON.stringify(outcome.value)}`);
    return outcome.refusal;
  };
  const stop = async (): Promise<void> => {
    if (!app) return;
    let isOver = false;
    const stopping = app.stop().then(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(STEP_MS);
    await stopping;
    app = null;
  };

  const client: Stage["client"] = async ({ account = {}, funds = 1_000_000, isRegistered = true } = {}) => {
    const created = await admin("account create", {
      name: `Faso Shop ${++accounts}`,
      billing: "prepaid",
      ...account,
    });
    const accountId = String(created.account_id);
    const ACCOUNT = { ACCOUNT: accountId };
    if (funds > 0) await admin("wallet topup", { ...ACCOUNT, AMOUNT: String(funds), reference: "cash" });
    await admin("sender request", { ...ACCOUNT, NAME: "ACME" });
    await admin("sender approve", { ...ACCOUNT, NAME: "ACME" });
    if (isRegistered) await admin("sender register", { ...ACCOUNT, NAME: "ACME", operator: "orange" });
    const key = await admin("key create", { ...ACCOUNT, name: "test", scopes: "all" });
    return clientOf(accountId, String(key.api_key));
  };

  const clientOf = (accountId: string, apiKey: string): Client => {
    let keys = 0;
    const ask = async <T>(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
      const headers = { "x-api-key": apiKey, ...init.headers };
      const response = await fetch(`${running().url}/public/v1${path}`, { ...init, headers });
      const body = (await response.json()) as { data: T };
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body.data;
    };
    const batch = (batchId: string) => ask<Batch>(`/batches/${batchId}`);
    return {
      accountId,
      apiKey,
      submit: (changes) => {
        keys += 1;
        const body = { sender: "ACME", body: `Text ${keys}`, message_class: "TRANSACTIONAL", ...changes };
        return ask<Batch>("/batches", {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": `key-${keys}` },
          body: JSON.stringify(body),
        });
      },
      batch,
      balance: () => ask<Balance>("/account/balance"),
      messages: async (batchId) => {
        const since = "status_changed_since=2026-03-01T00:00:00Z&limit=500";
        const page = await ask<{ messages: Record<string, unknown>[] }>(
          `/messages?${since}&batch_id=${batchId}`,
        );
        return page.messages;
      },
      until: async (batchId, isWanted) => {
        for (;;) {
          const found = await batch(batchId);
          if (isWanted(found)) return found;
          await clock.advance(STEP_MS);
        }
      },
    };
  };

  return {
    clock,
    smsc,
    settings,
    log: () => log.lines,
    threads: threads.working,
    url: () => running().url,
    page: async (path) => {
      const response = await fetch(`${running().url}${path}`);
      return { status: response.status, body: await response.text() };
    },
    context: () => running().context("test"),
    admin,
    refusal,
    write: (written) => {
      file = written;
    },
    hangUp: () => running().reload(),
    client,
    inSandbox: async ({ accountId }) => {
      const asked = { ACCOUNT: accountId, name: "try", scopes: "all", mode: "test" };
      return clientOf(accountId, String((await admin("key create", asked)).api_key));
    },
    stop,
    start: async () => {
      log = testLog();
      app = await startApp(settings, { clock, chance, log, machine }, { readConfig });
    },
    close: async () => {
      await stop();
      await smsc.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
