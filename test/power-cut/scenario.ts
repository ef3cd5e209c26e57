/** What is done with the executable while it is recorded: three lives of one data directory, from its first moment. */
import type { Going } from "../../scripts/rehearse/going.ts";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import {
  buildRecorder,
  configure,
  type Json,
  type Place,
  type Recorded,
  recorded,
} from "./recorded-appliance.ts";
import type { Fact } from "./told.ts";

/** Recipients of each batch; the sizes go three ways in: at once, staged, and looked at after the answer. */
export type Load = {
  readonly clients: number;
  readonly small: number;
  readonly staged: readonly number[];
  readonly late: readonly number[];
};

export const LOADS: Readonly<Record<string, Load>> = {
  small: { clients: 4, small: 40, staged: [300, 260], late: [] },
  /** For a device that writes everything down: each commit is many blocks there. */
  device: { clients: 3, small: 12, staged: [300], late: [] },
  large: { clients: 1, small: 3, staged: [2000], late: [10_500] },
};

type Run = {
  readonly appliance: Recorded;
  readonly centre: TestSmsc;
  readonly account: string;
  /** Numbers that no message went to yet. */
  readonly number: () => string;
  readonly key: () => string;
};

/** Runs it in a place; what is left is the log and the data directory. The key of the account. */
export async function recordRun(executable: string, load: Load, place: Place): Promise<string> {
  const centre = await testSmsc({ quirks: { receiptDelayMs: 20, receiptJitterMs: 20 } });
  configure(place, centre.port);
  const appliance = recorded(executable, place, buildRecorder(place.path));
  let numbers = 5_000_000;
  let keys = 0;
  const run: Run = {
    appliance,
    centre,
    account: await beginnings(appliance),
    number: () => `226${String(numbers++).padStart(8, "0")}`,
    key: () => `key-${keys++}`,
  };
  const receiver = receiverFor(appliance);
  try {
    const first = await appliance.start();
    await webhook(run, receiver.port ?? 0);
    await Promise.all([...clientsOf(run, load), administrator(run), feedReader(run)]);
    await ended(first, "SIGTERM");
    const second = await appliance.start();
    await Promise.all(clientsOf(run, { ...load, small: Math.ceil(load.small / 2), late: [], staged: [] }));
    await ended(second, "SIGKILL");
    const third = await appliance.start();
    await submit(run, 3);
    await ended(third, "SIGTERM");
  } finally {
    await receiver.stop(true);
    await centre.stop();
  }
  return appliance.apiKey.value;
}

/** Commands without a server, from the first that makes the directory; the account that may send. */
async function beginnings(appliance: Recorded): Promise<string> {
  const { command } = appliance;
  const { account_id: account } = await command(
    (data) => [`account ${data.account_id}`],
    ...["account", "create", "--name", "Power", "--billing", "prepaid"],
  );
  const id = String(account);
  const entry = () => [`entry topup:${id}:first`];
  await command(entry, "wallet", "topup", id, "100000000", "--reference", "first");
  await command(() => [], "sender", "request", id, "POWER");
  await command(() => ["sender POWER is APPROVED"], "sender", "approve", id, "POWER");
  await command(() => [], "sender", "register", id, "POWER", "--operator", "orange");
  const words = ["key", "create", id, "--name", "power", "--scopes", "all"];
  const key = await command((data) => [`api key ${data.key_id}`], ...words);
  appliance.apiKey.value = String(key.api_key);
  return id;
}

async function webhook({ appliance }: Run, port: number): Promise<void> {
  const told = (data: Json) => ({
    token: String(data.webhook_id),
    facts: [`webhook ${data.webhook_id}`, `webhook ${data.webhook_id} has secret 1`],
  });
  const made = await appliance.ask("POST", "/webhooks", { url: `https://127.0.0.1:${port}/in` }, "", told);
  await appliance.ask("POST", `/webhooks/${made.webhook_id}/rotate`, null, "", (data) => ({
    token: String(data.secret),
    facts: [`webhook ${made.webhook_id} has secret 2`],
  }));
}

/** Takes events, and marks what each tells as seen. */
function receiverFor(appliance: Recorded) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
    fetch: async (request) => {
      const { type, data } = (await request.json()) as { type: string; data: Json };
      const facts: readonly Fact[] =
        type === "MESSAGE_TERMINAL"
          ? [`message ${data.message_id} reached ${data.status}`]
          : type === "BATCH_SETTLED"
            ? [`batch ${data.batch_id} is settled`]
            : [];
      appliance.seen(facts);
      return new Response(null, { status: 204 });
    },
  });
}

function clientsOf(run: Run, load: Load): readonly Promise<void>[] {
  const small = Array.from({ length: load.clients }, async (_, client) => {
    for (let turn = 0; turn < load.small; turn++) await submit(run, 1 + ((turn * 7 + client) % 12));
  });
  const others = [...load.staged, ...load.late].map(async (size) => {
    await submit(run, size);
  });
  return [...small, ...others];
}

async function submit(run: Run, size: number, changes: Json = {}): Promise<string> {
  const key = run.key();
  const body = {
    sender: "POWER",
    body: size % 5 === 0 ? "Bonjour ".repeat(30) : "Bonjour",
    message_class: "TRANSACTIONAL",
    recipients: Array.from({ length: size }, () => ({ msisdn: run.number() })),
    ...changes,
  };
  const { batch_id: id } = await run.appliance.ask("POST", "/batches", body, key, (data) => ({
    token: String(data.batch_id),
    facts: [`batch ${data.batch_id} of ${size}`, `key ${key} has ${data.batch_id}`],
  }));
  return String(id);
}

/** Everything that an administrator changes, each told by a fact of its own. */
async function administrator(run: Run): Promise<void> {
  const { appliance, account, centre } = run;
  const { control } = appliance;
  for (let turn = 1; turn <= 6; turn++) {
    const reference = `cash-${turn}`;
    await control("wallet topup", { ACCOUNT: account, AMOUNT: "1000", reference }, () => [
      `entry topup:${account}:${reference}`,
    ]);
    const msisdn = `+2267000000${turn}`;
    await control("suppression add", { ACCOUNT: account, MSISDN: msisdn, class: "MARKETING" }, () => [
      `suppressed ${msisdn}`,
    ]);
    const amount = String(20 + turn);
    await control("price set", { ACCOUNT: account, operator: "orange", amount }, () => [`price ${amount}`]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const batch = await submit(run, 2, { scheduled_at: later });
    await control("batch cancel", { BATCH: batch, reason: "power" }, () => [`batch ${batch} is called off`]);
    await otherAccount(control, turn);
    centre.sendMo(`2267100000${turn}`, "POWER", "Bonjour a vous");
    await Bun.sleep(100);
  }
}

/** An account that is opened, suspended and goes on, and has a key that is revoked: the audit tells each. */
async function otherAccount(control: Recorded["control"], turn: number): Promise<void> {
  const names = { name: `Other ${turn}`, billing: "postpaid", "credit-limit": "1000" };
  const { account_id: id } = await control("account create", names, (data) => [`account ${data.account_id}`]);
  const account = { ACCOUNT: String(id) };
  const scopes = { ...account, name: "power", scopes: "all" };
  const key = await control("key create", scopes, (data) => [`api key ${data.key_id}`]);
  await control("key revoke", { KEY_ID: String(key.key_id) }, () => [`api key ${key.key_id} is revoked`]);
  await control("account suspend", { ...account, reason: "power" }, () => []);
  await control("account resume", account, () => [`account ${id} is ACTIVE`]);
}

/** After so many pages with nothing new, everything has come to rest. */
const QUIET_PAGES = 20;

/** Follows the feed as a client does, and marks every status that is there to stay. */
async function feedReader({ appliance }: Run): Promise<void> {
  let cursor = "2020-01-01T00:00:00Z";
  let quiet = 0;
  while (quiet < QUIET_PAGES) {
    const path = `/messages?status_changed_since=${encodeURIComponent(cursor)}&limit=500`;
    const page = await appliance.ask("GET", path, null, "", (data) => ({
      token: "no octets tell it: pages are read",
      facts: (data.messages as Json[])
        .filter(({ status }) => status !== "QUEUED" && status !== "SUBMITTED")
        .map(({ message_id, status }) => `message ${message_id} reached ${status}`),
    }));
    const next = String(page.next_status_changed_since);
    quiet = next === cursor && (page.messages as Json[]).length <= 1 ? quiet + 1 : 0;
    cursor = next;
    await Bun.sleep(100);
  }
}

async function ended(server: Going, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (signal === "SIGKILL") return server.kill();
  const code = await server.stop();
  if (code !== 0) throw new Error(`it did not stop in order: ${code}`);
}
