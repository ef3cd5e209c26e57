import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writtenHolds } from "../loop-holds/written.ts";
import { type FloodingOperator, floodingOperator } from "./flood.ts";

const EXECUTABLE = resolve(import.meta.dir, "../../dist/bendre");
if (!existsSync(EXECUTABLE)) throw new Error("dist/bendre is missing: run `bun run build` first");

export type Appliance = {
  readonly port: number;
  /** One of its operators. */
  readonly flooding: FloodingOperator;
  readonly apiKey: string;
  /** Another account's, revoked, expired and suspended ones. */
  readonly keys: Readonly<Record<"other" | "second" | "revoked" | "expired" | "suspended", string>>;
  /** The largest resident memory since the last call, in MiB. */
  readonly peakMemory: () => number;
  /**
   * The longest holds of its event loop since the last call, in milliseconds without the wait for a core, longest first; few below 5.
   */
  readonly holds: () => number[];
  /** Files and connections it has open. */
  readonly openFiles: () => number;
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
};

/** The executable with four accounts, and no operator that answers what they send: nothing is. */
export async function startAppliance(): Promise<Appliance> {
  const port = await freePort();
  const flooding = await floodingOperator();
  const directory = mkdtempSync(join(tmpdir(), "bendre-hostile-"));
  const config = join(directory, "config.toml");
  writeFileSync(
    config,
    `
[server]
listen = "127.0.0.1:${port}"
[storage]
directory = "${join(directory, "data")}"
[log]
level = "error"
[api]
requests_per_second = 100000
burst = 1000000
[operators.one]
prefixes = ["2267"]
price = 15
[[operators.one.connections]]
host = "127.0.0.1"
port = 1
system_id = "bendre"
password = "bendre"
[operators.flooding]
prefixes = ["2265"]
price = 15
[[operators.flooding.connections]]
host = "127.0.0.1"
port = ${flooding.port}
system_id = "bendre"
password = "bendre"
`,
  );
  const admin = (...words: string[]): Record<string, string> => {
    const run = Bun.spawnSync([EXECUTABLE, ...words, "--config", config, "--json"]);
    return (JSON.parse(run.stdout.toString()) as { data: Record<string, string> }).data;
  };
  let accounts = 0;
  const account = (): string => {
    accounts += 1;
    const id =
      admin("account", "create", "--name", `Hostile ${accounts}`, "--billing", "prepaid").account_id ?? "";
    admin("wallet", "topup", id, "1000000000", "--reference", `hostile-${id}`);
    admin("sender", "request", id, "ACME");
    admin("sender", "approve", id, "ACME");
    return id;
  };
  const keyOf = (id: string, ...more: string[]) =>
    admin("key", "create", id, "--name", "hostile", "--scopes", "all", ...more);
  const main = account();
  const apiKey = keyOf(main).api_key ?? "";
  const revoked = keyOf(main);
  admin("key", "revoke", revoked.key_id ?? "");
  const suspended = account();
  const keys = {
    other: keyOf(account()).api_key ?? "",
    second: keyOf(account()).api_key ?? "",
    revoked: revoked.api_key ?? "",
    expired: keyOf(main, "--expires-at", new Date(Date.now() + 2000).toISOString()).api_key ?? "",
    suspended: keyOf(suspended).api_key ?? "",
  };
  admin("account", "suspend", suspended, "--reason", "hostile");

  const holds = writtenHolds(directory);
  const server = Bun.spawn([EXECUTABLE, "serve", "--config", config], {
    stdout: "ignore",
    stderr: "inherit",
    env: { ...process.env, ...holds.env },
  });
  const status = `/proc/${server.pid}/status`;
  for (let isReady = false; !isReady; await Bun.sleep(50)) {
    isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  return {
    port,
    flooding,
    apiKey,
    keys,
    peakMemory: () => {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1];
      // Writing 5 makes the kernel count the peak anew (proc(5)).
      writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
      return Math.round(Number(peak) / 1024);
    },
    holds: () =>
      holds
        .since()
        .map(({ ownMs }) => ownMs)
        .sort((a, b) => b - a),
    openFiles: () => readdirSync(`/proc/${server.pid}/fd`).length,
    isAlive: () => server.exitCode === null && server.signalCode === null,
    stop: async () => {
      server.kill("SIGTERM");
      await server.exited;
      flooding.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A port of the loopback that nobody listens on at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
