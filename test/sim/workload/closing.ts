/** What is asked when all has come to rest: everything that a judge may compare with what went over the wires. */
import type { ActorEdges, Ask, Command } from "../actors.ts";
import { forked } from "../chance.ts";
import type { Plan } from "../plan.ts";
import { callPatiently } from "./api.ts";
import { tableOf, tablesOf, textOf } from "./json.ts";
import { BEGINNING, type Memory, rememberBatch } from "./memory.ts";
import type { Patience } from "./patience.ts";
import type { People } from "./perform.ts";
import { afterPage, drawn, feedPath } from "./reading.ts";

/** Messages of an account that are asked for one by one; all stand in the feed. */
const SAMPLE = 40;
/** Messages of an account whose trace is asked for. */
const TRACES = 6;
/** The longest page of the feed, and a shorter one for the feeds of batches. */
const PAGE = 500;
const BATCH_PAGE = 100;
/** Nothing is faulty any more: few tries are needed, but a limit of requests may still be waited for. */
const TRIES = 20;

/** Which messages a judge wants to be told of, by what was seen so far. */
export type Doubtful = () => readonly string[];

/** Asks for everything, account by account, then for the whole, and for traces of what is doubtful. */
export async function askEverything(
  people: People,
  { clock }: ActorEdges,
  ask: Ask,
  doubtful: Doubtful,
): Promise<void> {
  const { administrator, clients, plan } = people;
  const patience: Patience = { clock, chance: forked(plan.seed, "closing"), tries: TRIES };
  for (const { memory } of clients.values()) {
    await letIn(people, memory, ask, patience);
    await askAccount(plan, memory, administrator.insist);
    await askClient(plan, memory, ask, patience);
    const chance = forked(plan.seed, "traces", memory.account.name);
    for (const MESSAGE of drawn(chance, [...memory.messages], TRACES)) {
      await administrator.insist("message trace", { MESSAGE });
    }
  }
  for (const ID of people.smppClients.keys()) await administrator.insist("smpp show", { ID });
  for (const MESSAGE of doubtful()) await administrator.insist("message trace", { MESSAGE });
  for (const [name, args] of WHOLE) await administrator.insist(name, args);
  if (hasRoutes(plan)) await administrator.insist("report margin", { by: "route" });
  for (const path of ["/health", "/health/ready"]) {
    await ask({ client: "nobody", method: "GET", path, headers: {}, body: null });
  }
}

const WHOLE: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["ledger check", {}],
  ["account list", {}],
  ["operator unanswered", { limit: "1000" }],
  ["operator receipts", { limit: "1000" }],
  ["operator status", {}],
  ["inbound list", { limit: "1000" }],
  ["whatsapp template", { list: "list" }],
  ["alert list", {}],
  ["webhook status", {}],
  ["suppression list", { everywhere: "" }],
  ["sender pending", {}],
  ["audit list", { limit: "10000" }],
];

/** A client that was suspended or whose key was taken away in between gets in again. */
async function letIn(people: People, memory: Memory, ask: Ask, patience: Patience): Promise<void> {
  const { administrator } = people;
  await administrator.insist("account resume", { ACCOUNT: memory.account.name });
  const answer = await callPatiently(memory, ask, { method: "GET", path: "/account/balance" }, patience);
  if (answer?.status === 401) await administrator.giveKey(memory);
}

/** Whether an operator of the beginning has routes. */
function hasRoutes({ document }: Plan): boolean {
  return Object.values(tableOf(document.operators)).some((operator) => "routes" in tableOf(operator));
}

const OF_AN_ACCOUNT: readonly string[] = [
  ...["account show", "key list", "sender list", "price list", "price history", "suppression list"],
  ...["webhook list", "wallet show", "wallet statement", "wallet invoice"],
];

/** What administrators are told of an account. The client learns of batches whose answers it never got. */
async function askAccount(plan: Plan, memory: Memory, command: Command): Promise<void> {
  const ACCOUNT = memory.account.name;
  for (const name of OF_AN_ACCOUNT) await command(name, { ACCOUNT });
  await command("wallet statement", { ACCOUNT, batches: "" });
  let before: string | null = null;
  // No more pages than batches were ever submitted: a list that goes round in circles has an end too.
  for (let pages = 0; pages <= plan.steps.length + 1; pages++) {
    const outcome = await command("batch list", { ACCOUNT, limit: "50", ...(before !== null && { before }) });
    const list = tableOf(outcome?.ok ? outcome.data : null);
    for (const batch of tablesOf(list.batches)) {
      const id = textOf(batch.batch_id);
      if (id !== null) rememberBatch(memory, id);
    }
    before = textOf(list.next_before);
    if (before === null) break;
  }
  for (const BATCH of memory.batches) await command("batch show", { BATCH });
}

/** What the client is told: its money, its whole feed, each batch with its feed, some messages, its senders and endpoints. */
async function askClient(plan: Plan, memory: Memory, ask: Ask, patience: Patience): Promise<void> {
  const get = (path: string) => callPatiently(memory, ask, { method: "GET", path }, patience);
  for (const path of ["/account/balance", "/sender-ids", "/webhooks", "/templates"]) await get(path);
  // Keys that it had before: most of them were taken back.
  for (const apiKey of memory.keys.filter((key) => key !== memory.apiKey)) {
    await callPatiently(memory, ask, { method: "GET", path: "/account/balance", apiKey }, patience);
  }
  await readFeed(memory, get, PAGE);
  for (const batchId of memory.batches) {
    await get(`/batches/${batchId}`);
    await readFeed(memory, get, BATCH_PAGE, batchId);
  }
  const chance = forked(plan.seed, "closing", memory.account.name);
  for (const id of drawn(chance, [...memory.messages], SAMPLE)) await get(`/messages/${id}`);
  await get("/account/balance");
}

/** A feed that grows for ever is a fault: pages end all the same. */
const MAX_PAGES = 2000;

async function readFeed(
  memory: Memory,
  get: (path: string) => ReturnType<typeof callPatiently>,
  limit: number,
  batchId?: string,
): Promise<void> {
  let since = BEGINNING;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const path = feedPath({ since, limit, ...(batchId !== undefined && { batchId }) });
    const page = afterPage(memory, await get(path));
    if (page === null) return;
    since = page.next;
    if (!page.hasMore) return;
  }
}
