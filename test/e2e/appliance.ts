import { join } from "node:path";
import { expect } from "vitest";
import { askServer } from "../../src/admin/control-client.ts";
import { type Api, apiOf, type Json } from "./api.ts";
import { type Going, run, scratch, start } from "./executable.ts";

/** Operators by code: the first digits of their numbers, and what a segment costs. */
const OPERATORS = {
  orange: { prefixes: ["22605", "22606", "22607", "22674", "22675", "22676"], price: 15 },
  moov: { prefixes: ["22601", "22670", "22671"], price: 12 },
} as const;
export type Code = keyof typeof OPERATORS;

export type ApplianceOptions = {
  /** Flags of each operator's simulated SMSC; "away": nobody listens there. */
  readonly operators: Partial<Record<Code, readonly string[] | "away">>;
  /** Where the data directory is, if not in the scratch directory: a disk of its own, say. */
  readonly disk?: string;
  /** More of the configuration: whole tables. */
  readonly settings?: string;
  /** Lines of its table `server`. */
  readonly server?: string;
};

/** An account with money, the sender ACME at every operator, and a key. */
export type Tenant = { readonly accountId: string; readonly apiKey: string; readonly api: Api };

export type TenantOptions = { readonly money?: number; readonly billing?: "prepaid" | "postpaid" };

/** The executable at work: a server with its own data, and the operators that it sends through. */
export type Appliance = {
  readonly config: string;
  readonly directory: string;
  readonly url: () => string;
  readonly start: () => Promise<void>;
  /** Ends the server and resolves with its exit code. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<number>;
  /** What a command of the administration answers; it must succeed. */
  readonly admin: (...words: string[]) => Json;
  /** The error of a command that must be refused with exit code 1. */
  readonly refused: (...words: string[]) => Json;
  /** A command that may be done or refused. */
  readonly attempt: (...words: string[]) => void;
  /** What an operation answers that the running server is asked for itself, without a process of the command line. */
  readonly ask: (operation: string, args: Readonly<Record<string, string>>) => Promise<Json>;
  readonly tenant: (name: string, options?: TenantOptions) => Promise<Tenant>;
  readonly key: (accountId: string, ...flags: string[]) => { keyId: string; apiKey: string; api: Api };
  /** What an operator has seen, in order. */
  readonly seen: (operator: Code) => readonly Json[];
  /** Types a line to an operator's simulated SMSC, which has `--control`. */
  readonly types: (operator: Code, line: string) => void;
  /** A file for a command to read. */
  readonly file: (name: string, text: string) => string;
  /** What every server of this appliance has logged. */
  readonly log: () => string;
  readonly close: () => void;
};

/** A configuration with operators on ports of the loopback. */
export function configOf(
  directory: string,
  ports: Partial<Record<Code, number>>,
  settings = "",
  server = "",
): string {
  const operators = Object.entries(ports).map(([code, port]) => {
    const { prefixes, price } = OPERATORS[code as Code];
    return `
[operators.${code}]
prefixes = ${JSON.stringify(prefixes)}
price = ${price}
[[operators.${code}.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
window = 100
throughput = 10000
response_timeout_seconds = 2
`;
  });
  return `
[server]
listen = "127.0.0.1:0"
${server}
[storage]
directory = "${directory}"
reserve_megabytes = 0
${settings}
${operators.join("")}`;
}

/** A port on which nobody listens. */
const NOBODY = 1;

/** Starts the operators and the server, each as a process of the executable, on free ports of the loopback. */
export async function appliance(options: ApplianceOptions): Promise<Appliance> {
  const place = scratch();
  const directory = join(options.disk ?? place.path, "data");
  const smscs = new Map<string, Going>();
  const ports: Partial<Record<Code, number>> = {};
  for (const [code, flags] of Object.entries(options.operators)) {
    ports[code as Code] = NOBODY;
    if (flags === "away") continue;
    const smsc = start("smsc", "--port", "0", "--json", "--strict", ...flags);
    smscs.set(code, smsc);
    await smsc.until((output) => output.stdout().includes('"listening"'));
    ports[code as Code] = Number(smsc.events()[0]?.port);
  }
  const config = place.file("config.toml", configOf(directory, ports, options.settings, options.server));
  const servers: Going[] = [];
  const url = () => readyUrl(servers.at(-1));
  const command = (exitCode: number, words: readonly string[]) => {
    const done = run(...words, "--config", config, "--json");
    expect([words.join(" "), done.exitCode, done.stdout]).toEqual([words.join(" "), exitCode, done.stdout]);
    return JSON.parse(done.stdout) as { data?: Json; error?: Json };
  };
  const admin = (...words: string[]) => command(0, words).data ?? {};
  const key = (accountId: string, ...flags: string[]) => {
    const made = admin("key", "create", accountId, "--name", "e2e", ...flags);
    const apiKey = String(made.api_key);
    return { keyId: String(made.key_id), apiKey, api: apiOf(url, apiKey) };
  };
  const ask: Appliance["ask"] = async (operation, args) => {
    const answer = await askServer(directory, { command: operation, args, actor: "e2e" });
    if (!answer?.ok) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
    return answer.value as Json;
  };
  const self: Appliance = {
    config,
    directory,
    url,
    start: async () => {
      const server = start("serve", "--config", config);
      await server.until((output) => output.stderr().includes('"ready"'));
      servers.push(server);
    },
    end: (signal) => {
      const server = servers.at(-1)!;
      server.signal(signal);
      return server.ended;
    },
    admin,
    refused: (...words) => command(1, words).error ?? {},
    attempt: (...words) => {
      run(...words, "--config", config, "--json");
    },
    key,
    ask,
    tenant: async (name, { money = 1_000_000, billing = "prepaid" } = {}) => {
      const created = await ask("account create", { name, billing });
      const accountId = String(created.account_id);
      const ACCOUNT = { ACCOUNT: accountId };
      if (money > 0) await ask("wallet topup", { ...ACCOUNT, AMOUNT: String(money), reference: "first" });
      await ask("sender request", { ...ACCOUNT, NAME: "ACME" });
      await ask("sender approve", { ...ACCOUNT, NAME: "ACME" });
      for (const operator of Object.keys(options.operators)) {
        await ask("sender register", { ...ACCOUNT, NAME: "ACME", operator });
      }
      const key = await ask("key create", { ...ACCOUNT, name: "e2e", scopes: "all" });
      const apiKey = String(key.api_key);
      return { accountId, apiKey, api: apiOf(url, apiKey) };
    },
    seen: (operator) => smscs.get(operator)!.events(),
    types: (operator, line) => smscs.get(operator)!.type(line),
    file: place.file,
    log: () => servers.map((server) => server.stderr()).join(""),
    close: () => {
      for (const going of [...servers, ...smscs.values()]) going.signal("SIGKILL");
      place.remove();
    },
  };
  await self.start();
  return self;
}

/** Where a server that is ready listens. */
export const readyUrl = (server: Going | null | undefined): string =>
  String(server?.logged().find(({ message }) => message === "ready")?.url);

/** A limit that no test meets by chance. */
export const NO_RATE_LIMIT = "[api]\nrequests_per_second = 10000\nburst = 100000";

/** Receipts at once. */
export const BRISK = ["--receipt-delay-ms", "20", "--receipt-jitter-ms", "0"] as const;
