/**
 * What searches and reports take on a data directory that `scripts/large-database.ts` made: how long it takes to make what they go by, what
 * that weighs, and each question's first page, warm and cold. `bun scripts/search-speed.ts DIR`
 */

import type { Args } from "../src/admin/command.ts";
import { runCommand } from "../src/admin/commands.ts";
import type { AdminContext } from "../src/admin/operations/context.ts";
import { systemPlatform } from "../src/app/platform.ts";
import { parseConfig } from "../src/config/parse-config.ts";
import { systemChance } from "../src/core/chance.ts";
import { systemClock } from "../src/core/clock.ts";
import { idFactory } from "../src/core/ids.ts";
import { openStore, type Store } from "../src/db/store.ts";
import { english } from "../src/i18n/text.ts";
import { startSearchUpkeep } from "../src/ops/search-upkeep.ts";

const QUESTIONS: readonly (readonly [command: string, args: Args])[] = [
  ["message find", {}],
  ["message find", { number: "NUMBER" }],
  ["message find", { number: "+22675999999" }],
  ["message find", { account: "Account 1" }],
  ["message find", { account: "Account 40" }],
  ["message find", { status: "FAILED" }],
  ["message find", { status: "QUEUED" }],
  ["message find", { status: "CANCELLED" }],
  ["message find", { error: "HANDSET_ERROR" }],
  ["message find", { error: "NETWORK_ERROR" }],
  ["message find", { error: "NO_ROUTE" }],
  ["message find", { operator: "telecel" }],
  ["message find", { sender: "S7-B" }],
  ["message find", { sender: "NOBODY" }],
  ["message find", { class: "OTP" }],
  ["message find", { from: "3d", to: "2d" }],
  ["message find", { account: "Account 40", error: "HANDSET_ERROR" }],
  ["message find", { account: "Account 2", error: "NETWORK_ERROR", operator: "moov", class: "OTP" }],
  ["message find", { operator: "moov", error: "NETWORK_ERROR", sender: "S3-B" }],
  ["message find", { batch: "BATCH", status: "FAILED" }],
  ["queue show", {}],
  ["report delivery", {}],
  ["report delivery", { by: "operator" }],
  ["report delivery", { by: "error", from: "7d" }],
  ["report delivery", { by: "account" }],
  ["report delivery", { by: "sender", account: "Account 2" }],
];

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("bun scripts/search-speed.ts DIR");
const store = openStore(directory, systemClock);
const holds = watchHolds();
await make(store);
const context = contextOf(store, directory);
for (const [command, args] of QUESTIONS) await ask(command, args);
await store.close();
process.exit(0);

async function make(of: Store): Promise<void> {
  const began = systemClock.steadyMs();
  const round = startSearchUpkeep(of, systemClock, () => "Africa/Ouagadougou", { notWorthIt: 0, restMs: 0 });
  while (await round(() => false)) {
    // Until there is nothing left.
  }
  const seconds = ((systemClock.steadyMs() - began) / 1000).toFixed(1);
  console.log(`made in ${seconds} s, longest hold ${holds.take()} ms`);
  const tables = of.read.all<{ name: string; bytes: number }>(
    "SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%' OR name LIKE '%_figures' OR name = 'messages' GROUP BY name",
  );
  for (const { name, bytes } of tables) console.log(`  ${name} ${(bytes / 1e6).toFixed(1)} MB`);
}

async function ask(command: string, args: Args): Promise<void> {
  const given = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, known(value)]));
  const took: number[] = [];
  let told = "";
  holds.take();
  for (let n = 0; n < 5; n++) {
    const began = performance.now();
    const outcome = await runCommand(context, command, given);
    took.push(performance.now() - began);
    told = outcome.ok ? toldOf(outcome.value) : english(outcome.refusal.detail);
  }
  const [first = 0, ...others] = took;
  const median = others.sort((a, b) => a - b)[2] ?? 0;
  const words = Object.entries(given).map(([name, value]) => `--${name} ${value}`);
  console.log(
    `${median.toFixed(1).padStart(8)} ms (first ${first.toFixed(0)}, longest hold ${holds.take()})  ${[command, ...words].join(" ")}: ${told}`,
  );
}

function toldOf(value: unknown): string {
  const { messages, rows, searched_back_to: back } = value as Record<string, unknown>;
  const list = Array.isArray(messages) ? messages : Array.isArray(rows) ? rows : [];
  return `${list.length} rows${typeof back === "string" ? `, back to ${back}` : ""}`;
}

/** A number and a batch that are in the database. */
function known(value: string): string {
  const middle = "(SELECT max(id) / 2 FROM messages)";
  if (value === "NUMBER") {
    const sql = `SELECT msisdn AS found FROM messages WHERE id = ${middle}`;
    return store.read.get<{ found: string }>(sql)?.found ?? value;
  }
  if (value !== "BATCH") return value;
  const sql =
    "SELECT ulid AS found FROM batches WHERE accepted > 1000 AND id > (SELECT max(id) / 2 FROM batches) LIMIT 1";
  return store.read.get<{ found: string }>(sql)?.found ?? value;
}

function contextOf(of: Store, where: string): AdminContext {
  const connections = [{ host: "127.0.0.1", port: 2775, system_id: "bendre", password: "secret99" }];
  const operators = {
    orange: { prefixes: ["22605"], connections },
    moov: { prefixes: ["22601"], connections },
  };
  const parsed = parseConfig({ storage: { directory: where }, operators }, {});
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const newId = idFactory(systemClock, systemChance);
  return {
    store: of,
    config: parsed.config,
    clock: systemClock,
    chance: systemChance,
    newId,
    actor: "bench",
    server: null,
    machine: systemPlatform,
  };
}

/** How long the event loop was held at most since the last time it was asked, whole milliseconds. */
function watchHolds(): { readonly take: () => number } {
  let last = performance.now();
  let longest = 0;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(turn);
  };
  setImmediate(turn);
  return {
    take: () => {
      const taken = Math.round(longest);
      longest = 0;
      last = performance.now();
      return taken;
    },
  };
}
