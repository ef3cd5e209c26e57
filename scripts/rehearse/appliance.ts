import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER_CERTIFICATE } from "../../test/smpp/server-certificate.ts";
import { type Going, going } from "./going.ts";
import type { Row } from "./rows.ts";

export const WINDOW = 10;
export const THROUGHPUT = 500;
export const PRICE = 15;
export const TOP_UP = 100_000_000;
export const SENDER = "REHEARSE";
/** The numbers begin with 70000; a row with more operators spreads them by the digit behind. */
const OPERATORS: readonly (readonly [code: string, prefixes: readonly string[]])[] = [
  ["rehearsed", ["22670"]],
  ["second", ["226700001", "226700002"]],
  ["third", ["226700003", "226700004", "226700005"]],
  ["fourth", ["226700006", "226700007", "226700008", "226700009"]],
];

type Json = Record<string, unknown>;

/** An account that may send, made once: every row starts with a copy of its data directory. */
export type Template = { readonly data: string; readonly account: string; readonly apiKey: string };

export type Message = {
  readonly message_id: string;
  readonly msisdn: string;
  readonly message_class: string;
  readonly status: string;
  readonly is_final: boolean;
  readonly segments: number;
  readonly amount: number;
  readonly reserved_amount: number;
};

/** One running `bendre serve`, and what its client sees. */
export type Appliance = {
  readonly submit: (key: string, body: unknown) => Promise<string>;
  /** The changes since the last call, as a client follows the feed. */
  readonly changes: () => Promise<readonly Message[]>;
  readonly balance: () => Promise<{ readonly balance: number; readonly reserved: number }>;
  readonly batchStatus: (batchId: string) => Promise<string>;
  /** Null when the books agree. */
  readonly ledgerProblem: () => string | null;
  readonly process: Going;
};

/** A configuration file for a data directory in `directory` and an operator on `port`. */
export function configOf(directory: string, port: number, row: Row): string {
  const tls = row.isTls
    ? `tls = true\ntls_ca_file = "${join(directory, "ca.pem")}"\ntls_server_name = "smsc.example.test"`
    : "";
  const connectionsOf = (operator: string) =>
    (row.connections ?? [""]).map(
      (own) => `
[[operators.${operator}.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
window = ${row.window ?? WINDOW}
throughput = ${row.throughput ?? THROUGHPUT}
response_timeout_seconds = 1
reconnect_seconds = 1
enquire_link_seconds = 1
${tls}
${own}`,
    );
  const operators = OPERATORS.slice(0, row.operators ?? 1).map(
    ([operator, prefixes]) => `
[operators.${operator}]
prefixes = ${JSON.stringify(prefixes)}
price = ${PRICE}
${connectionsOf(operator).join("\n")}
`,
  );
  return `
[server]
listen = "127.0.0.1:0"
[storage]
directory = "${join(directory, "data")}"
[api]
requests_per_second = 10000
burst = 10000
[policy]
marketing_hours = "00:00-24:00"
marketing_per_day = 0
marketing_per_week = 0
recipients_per_day = 0
${operators.join("\n")}
`;
}

function admin(executable: string, config: string, words: readonly string[]): { data?: Json; error?: Json } {
  const run = Bun.spawnSync([executable, ...words, "--config", config, "--json"], { cwd: "/" });
  return JSON.parse(run.stdout.toString()) as { data?: Json; error?: Json };
}

/** Makes the account in `directory`/template. */
export function makeTemplate(executable: string, directory: string): Template {
  const home = join(directory, "template");
  mkdirSync(home);
  const config = join(home, "config.toml");
  writeFileSync(config, configOf(home, 1, { name: "template", smsc: [], operators: OPERATORS.length }));
  const ask = (...words: string[]): Json => {
    const { data, error } = admin(executable, config, words);
    if (data === undefined) throw new Error(`${words.join(" ")}: ${JSON.stringify(error)}`);
    return data;
  };
  const account = String(ask("account", "create", "--name", "Rehearsal", "--billing", "prepaid").account_id);
  ask("wallet", "topup", account, String(TOP_UP), "--reference", "rehearsal");
  ask("sender", "request", account, SENDER);
  ask("sender", "approve", account, SENDER);
  for (const [operator] of OPERATORS) ask("sender", "register", account, SENDER, "--operator", operator);
  const apiKey = String(ask("key", "create", account, "--name", "rehearsal", "--scopes", "all").api_key);
  return { data: join(home, "data"), account, apiKey };
}

/** Starts the appliance in `directory` against an operator on `port`. */
export async function startAppliance(
  executable: string,
  directory: string,
  template: Template,
  port: number,
  row: Row,
): Promise<Appliance> {
  cpSync(template.data, join(directory, "data"), {
    recursive: true,
    filter: (file) => !file.endsWith(".sock"),
  });
  const config = join(directory, "config.toml");
  writeFileSync(config, configOf(directory, port, row));
  if (row.isTls) writeFileSync(join(directory, "ca.pem"), SERVER_CERTIFICATE);
  const process = going([executable, "serve", "--config", config]);
  const { url } = JSON.parse(await process.line('"ready"')) as { url: string };

  const api = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const answer = await fetch(`${url}/public/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${template.apiKey}`, ...init.headers },
    });
    const body = (await answer.json()) as { data?: Json };
    if (!answer.ok || body.data === undefined)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
    return body.data;
  };

  let cursor = "2020-01-01T00:00:00Z";
  const changes = async (): Promise<readonly Message[]> => {
    const found: Message[] = [];
    for (;;) {
      const page = await api(`/messages?status_changed_since=${encodeURIComponent(cursor)}&limit=500`);
      found.push(...(page.messages as Message[]));
      cursor = String(page.next_status_changed_since);
      if (page.has_more !== true) return found;
    }
  };

  return {
    process,
    changes,
    submit: async (key, body) => {
      const headers = { "idempotency-key": key, "content-type": "application/json" };
      const data = await api("/batches", { method: "POST", headers, body: JSON.stringify(body) });
      return String(data.batch_id);
    },
    balance: async () => {
      const { balance, reserved } = await api("/account/balance");
      return { balance: Number(balance), reserved: Number(reserved) };
    },
    batchStatus: async (batchId) => String((await api(`/batches/${batchId}`)).status),
    ledgerProblem: () => {
      const { error } = admin(executable, config, ["ledger", "check"]);
      return error === undefined ? null : JSON.stringify(error);
    },
  };
}
