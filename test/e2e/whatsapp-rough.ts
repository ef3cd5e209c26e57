/**
 * One batch of WhatsApp over the executable, while the stand-in for Meta loses, doubles and disorders what it tells, refuses and fails,
 * and the server is killed in mid-flight. What became of each message is compared with what the stand-in drew for its posts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { decidePostFate, type PostFate } from "../../src/simulator/whatsapp/fate.ts";
import { SIM_DEFAULTS, type WhatsappSimSettings } from "../../src/simulator/whatsapp/settings.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { feedFrom, type Json } from "./api.ts";
import { type Appliance, appliance, configOf, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { type Going, start } from "./executable.ts";

export type RoughOptions = {
  readonly messages: number;
  readonly kills: number;
  readonly seed: number;
  /** What does not arrive goes on as an SMS. */
  readonly isFallingBack?: boolean;
};

export type RoughOutcome = {
  /** What is not as it should be, in words; at most twenty of a kind. */
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
};

const ROUGH = {
  lose: 0.03,
  loseAnswers: 0.02,
  double: 0.2,
  disorderMs: 1500,
  delayMs: 300,
  read: 0.4,
  free: 0.2,
  throughput: 1000,
  pairMs: 6000,
  failures: [
    { code: 132000, share: 0.02, as: "answer" },
    { code: 131000, share: 0.02, as: "answer" },
    { code: 503, share: 0.01, as: "answer" },
    { code: 131026, share: 0.05, as: "status" },
    { code: 131056, share: 0.03, as: "status" },
  ],
} as const;
/** The stand-in refuses with these what comes too fast; no fate of a post says them as an answer. */
const TOO_FAST: readonly unknown[] = [130429, 131056];
const PRICE = 5;
const SMS_PRICE = 12;
const MAX_POSTS = 5;

/** Where everything stands. */
type Place = {
  readonly bendre: Appliance;
  readonly sim: Going;
  readonly tenant: Tenant;
  readonly told: ReadonlyMap<string, Json>;
  readonly close: () => void;
};

export async function rough(options: RoughOptions): Promise<RoughOutcome> {
  const place = await open(options);
  try {
    const beganMs = performance.now();
    const batchId = await submit(place, options);
    for (let kill = 1; kill <= options.kills; kill++) {
      const share = kill / (options.kills + 1);
      await place.tenant.api.batchUntil(
        batchId,
        ({ counts }) => Number((counts as Json | undefined)?.submitted) > options.messages * share,
      );
      await place.bendre.end("SIGKILL");
      await place.bendre.start();
    }
    if (options.isFallingBack) await place.tenant.api.ended(batchId);
    await stillness(place, batchId, options);
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    return await compared(place, options, batchId, seconds);
  } finally {
    place.close();
  }
}

async function open({ seed, messages, isFallingBack = false }: RoughOptions): Promise<Place> {
  const told = new Map<string, Json>();
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
    fetch: async (request) => {
      const event = (await request.json()) as Json;
      told.set(String(event.event_id), event);
      return new Response(null, { status: 204 });
    },
  });
  const smsc = ["--receipt-delay-ms", "50", "--receipt-jitter-ms", "0"];
  const bendre = await appliance({ operators: { moov: isFallingBack ? smsc : "away" } });
  const moov = Number(/^port = (\d+)$/m.exec(readFileSync(bendre.config, "utf8"))?.[1]);
  const authority = bendre.file("ca.pem", TEST_AUTHORITY);
  const sim = start("whatsapp-sim", ...flagsOf(`${bendre.url()}/whatsapp/webhook`, seed));
  await sim.until((output) => output.stdout().includes('"listening"'));
  const [listening] = sim.events();
  const text = configOf(bendre.directory, { moov }, tablesOf(Number(listening?.port), authority));
  // Where the stand-in calls stays where it is when the server is started again.
  writeFileSync(bendre.config, text.replace("127.0.0.1:0", new URL(bendre.url()).host));
  await bendre.ask("config reload", {});
  const tenant = await bendre.tenant("Faso Shop", { money: messages * reservedOf(isFallingBack) });
  await bendre.ask("sender register", { ACCOUNT: tenant.accountId, NAME: "ACME", operator: "whatsapp:main" });
  await bendre.ask("whatsapp sync", {});
  const hook = { url: `https://127.0.0.1:${receiver.port}/hook`, events: ["MESSAGE_TERMINAL"] };
  await tenant.api.ask("/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(hook),
  });
  const close = (): void => {
    sim.signal("SIGKILL");
    void receiver.stop(true);
    bendre.close();
  };
  return { bendre, sim, tenant, told, close };
}

function flagsOf(webhook: string, seed: number): string[] {
  return [
    ...["--port", "0", "--json", "--webhook", webhook, "--app-secret", "s3cret", "--verify-token", "verify"],
    ...["--seed", String(seed), "--lose", String(ROUGH.lose), "--lose-answers", String(ROUGH.loseAnswers)],
    ...["--double", String(ROUGH.double), "--disorder", String(ROUGH.disorderMs)],
    ...["--delay", String(ROUGH.delayMs), "--read", String(ROUGH.read), "--free", String(ROUGH.free)],
    ...["--throughput", String(ROUGH.throughput), "--pair-ms", String(ROUGH.pairMs)],
    ...ROUGH.failures.flatMap(({ code, share, as }) => ["--fail", `${code}:${share}:${as}`]),
  ];
}

function tablesOf(port: number, authority: string): string {
  return `
${NO_RATE_LIMIT}
[webhooks]
allow_private_targets = true
ca_file = "${authority}"
retry_seconds = [1, 1, 1, 1, 1, 1]
probe_seconds = [1]
[whatsapp]
api = "http://127.0.0.1:${port}"
app_secret = "s3cret"
verify_token = "verify"
response_timeout_seconds = 2
[whatsapp.numbers.main]
phone_number_id = "100000000000001"
waba_id = "200000000000002"
token = "simulated-token"
throughput = ${ROUGH.throughput}
price = { TRANSACTIONAL = ${PRICE} }
`;
}

/** What is set aside for a message: the dearer of its ways. */
function reservedOf(isFallingBack: boolean): number {
  return isFallingBack ? Math.max(PRICE, SMS_PRICE) : PRICE;
}

async function submit({ tenant }: Place, { messages, isFallingBack }: RoughOptions): Promise<unknown> {
  const { status, data, text } = await tenant.api.post("rough", {
    sender: "ACME",
    channel: "WHATSAPP",
    message_class: "TRANSACTIONAL",
    body: "Bonjour {nom}, votre commande {commande} est prête.",
    ...(isFallingBack
      ? { fallback: { channel: "SMS", after_seconds: 60, body: "ACME : {commande} prete" } }
      : {}),
    recipients: Array.from({ length: messages }, (_, at) => ({
      // None of those whose last digits choose what a simulated operator does.
      msisdn: String(70_100_000 + at),
      attributes: { nom: "Awa", commande: at },
    })),
  });
  if (status !== 202) throw new Error(`the batch was answered ${status}: ${text.slice(0, 500)}`);
  return data.batch_id;
}

/** Nothing has changed for longer than anything takes here: what is open now waits for what never comes. */
const STILL_MS = 12_000;

/** Waits until each message has ended and each end was told, or until nothing changes any more. */
async function stillness(
  { tenant, told }: Place,
  batchId: unknown,
  { messages }: RoughOptions,
): Promise<void> {
  let last = "";
  let sinceMs = performance.now();
  await tenant.api.batchUntil(batchId, ({ status, counts, charged_amount, released_amount }) => {
    const now = JSON.stringify([status, counts, charged_amount, released_amount, told.size]);
    if (now !== last || status === "VALIDATING") sinceMs = performance.now();
    last = now;
    return told.size >= messages || performance.now() - sinceMs > STILL_MS;
  });
}

/** A post as the stand-in told of it, and what it drew for it; null: it was too fast. */
type Post = { readonly n: number; readonly isTaken: boolean; readonly fate: PostFate | null };

function postsOf(sim: Going, seed: number): ReadonlyMap<string, readonly Post[]> {
  const settings: WhatsappSimSettings = { ...SIM_DEFAULTS, ...ROUGH, seed };
  const nth = new Map<string, number>();
  const posts = new Map<string, Post[]>();
  for (const { kind, to, opaque, code, wamid } of sim.events()) {
    if (kind !== "post") continue;
    const user = String(to);
    const isTooFast = TOO_FAST.includes(code);
    const of = (nth.get(user) ?? 0) + (isTooFast ? 0 : 1);
    nth.set(user, of);
    const [id = "", n = "0"] = String(opaque).split(".");
    const known = posts.get(id) ?? [];
    posts.set(id, known);
    const fate = isTooFast ? null : decidePostFate(settings, user, of);
    known.push({ n: Number(n), isTaken: wamid !== null, fate });
  }
  return posts;
}

/** How a message must stand by its last post, as `STATUS CODE amount`; several where a death leaves it open. */
function expectedOf(posts: readonly Post[], kills: number): readonly string[] {
  const last = posts.at(-1);
  // Claimed and killed before it was posted.
  if (last === undefined) return kills > 0 ? ["SUBMITTED  0"] : [];
  if (last.fate === null) return last.n >= MAX_POSTS ? ["FAILED OPERATOR_THROTTLED 0"] : [];
  const { answer, isAnswered, isBillable, statuses } = last.fate;
  const told = statuses.filter(({ times }) => times > 0);
  const names = told.map(({ status }) => status);
  if (names.includes("delivered") || names.includes("read")) return [`DELIVERED  ${isBillable ? PRICE : 0}`];
  const failed = told.find(({ status }) => status === "failed")?.code;
  if (failed === 131026) return ["FAILED UNKNOWN_SUBSCRIBER 0"];
  if (failed === 131056) return last.n >= MAX_POSTS ? ["FAILED OPERATOR_THROTTLED 0"] : [];
  if (answer === 132000 && isAnswered)
    return ["FAILED PARAMETER_REFUSED 0", ...(kills > 0 ? ["SUBMITTED  0"] : [])];
  if (names.includes("sent")) return ["SENT  0"];
  const isAccepted = answer === null && isAnswered;
  return isAccepted ? ["SENT  0", ...(kills > 0 ? ["SUBMITTED  0"] : [])] : ["SUBMITTED  0"];
}

const MAX_TOLD = 20;

/** How a message must stand that goes on as an SMS where WhatsApp did not deliver it. */
function expectedWithSms(posts: readonly Post[]): string {
  const last = posts.at(-1);
  const told = last?.fate?.statuses.filter(({ times }) => times > 0) ?? [];
  const isThere = told.some(({ status }) => status === "delivered" || status === "read");
  if (isThere) return `DELIVERED  ${last?.fate?.isBillable ? PRICE : 0}`;
  const isSentBack = told.some(({ status, code }) => status === "failed" && code === 131056);
  const isThrottled = last !== undefined && (last.fate === null || isSentBack) && last.n >= MAX_POSTS;
  return isThrottled ? "FAILED OPERATOR_THROTTLED 0" : `DELIVERED  ${SMS_PRICE}`;
}

/** What is not as it should be of the ways of a message: the texts that left for it by SMS, and what its client is told of them. */
function waysFault(row: Json, texts: number): string | null {
  const channels = (row.channels as Json[]).map(
    ({ channel, status }) => `${String(channel)} ${String(status)}`,
  );
  const isBySms = row.operator === "moov";
  const hasLeft = channels.includes("SMS DELIVERED");
  if (isBySms !== hasLeft || channels.length > 2) return `its ways are ${channels.join(", ")}`;
  // Where the server died before an answer, the text is sent again: it is no OTP, and was not said to be there.
  return isBySms
    ? texts >= 1 && texts <= 2
      ? null
      : `${texts} texts left`
    : texts > 0
      ? `${texts} texts left`
      : null;
}

function textsOf(bendre: Appliance): ReadonlyMap<string, number> {
  const texts = new Map<string, number>();
  for (const { kind, to } of bendre.seen("moov"))
    if (kind === "text") texts.set(`+${String(to)}`, (texts.get(`+${String(to)}`) ?? 0) + 1);
  return texts;
}

async function compared(
  { bendre, sim, tenant, told }: Place,
  { messages, kills, seed, isFallingBack = false }: RoughOptions,
  batchId: unknown,
  seconds: number,
): Promise<RoughOutcome> {
  const faults: string[] = [];
  const kinds = new Map<string, number>();
  const fault = (kind: string, words: string): void => {
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count <= MAX_TOLD) faults.push(`${kind}: ${words}`);
  };
  const rows = new Map<string, Json>();
  for (const row of await feedFrom(tenant.api, "2020-01-01T00:00:00Z", `&batch_id=${String(batchId)}`)) {
    rows.set(String(row.message_id), row);
  }
  const posts = postsOf(sim, seed);
  const texts = isFallingBack ? textsOf(bendre) : new Map<string, number>();
  const figures: Record<string, number> = { messages: rows.size, seconds };
  if (isFallingBack) figures["texts by SMS"] = [...texts.values()].reduce((sum, one) => sum + one, 0);
  const count = (name: string, by = 1): void => {
    figures[name] = (figures[name] ?? 0) + by;
  };
  for (const [id, row] of rows) {
    const own = posts.get(id) ?? [];
    const code = (row.error as Json | null)?.code ?? "";
    const stands = `${String(row.status)} ${String(code)} ${String(row.amount)}`;
    count(`${String(row.status)} ${String(code)}`.trim());
    count("charged", Number(row.amount));
    count("posts", own.length);
    const expected = isFallingBack ? [expectedWithSms(own)] : expectedOf(own, kills);
    const amiss = isFallingBack ? waysFault(row, texts.get(String(row.msisdn)) ?? 0) : null;
    if (amiss !== null) fault("ways", `${id}: ${amiss}`);
    if (isFallingBack) count(row.operator === "moov" ? "by SMS" : "by WhatsApp");
    const drawn = own.map(({ n, fate }) => `${n} ${JSON.stringify(fate)}`).join("; ");
    if (!expected.includes(stands))
      fault("another end", `${id} is ${stands}, and must be ${expected.join(" or ")}: ${drawn}`);
    const again = own.slice(0, -1).find(({ fate, isTaken }) => isTaken && !wasSentBack(fate));
    if (again) fault("posted again", `${id}: ${drawn}`);
    const events = eventsByMessage(told).get(id) ?? [];
    const isWrong = events.some((event) => event.status !== row.status);
    if (events.length !== (row.is_final === true ? 1 : 0) || isWrong) {
      fault(
        "another event",
        `${id} is ${stands}, and was told ${JSON.stringify(events.map(({ status }) => status))}`,
      );
    }
  }
  if (rows.size !== messages) fault("feed", `${rows.size} of ${messages} messages stand in the feed`);
  const reserved = reservedOf(isFallingBack);
  for (const words of await moneyFaults({ bendre, tenant }, batchId, figures, { messages, reserved }))
    fault("money", words);
  return { faults, figures };
}

/** Whether Meta said of a post that was taken that it did not send it. */
function wasSentBack(fate: PostFate | null): boolean {
  return (
    fate?.statuses.some(({ status, code, times }) => status === "failed" && code === 131056 && times > 0) ??
    false
  );
}

const byMessage = new WeakMap<ReadonlyMap<string, Json>, Map<string, Json[]>>();

function eventsByMessage(told: ReadonlyMap<string, Json>): ReadonlyMap<string, readonly Json[]> {
  const known = byMessage.get(told);
  if (known) return known;
  const found = new Map<string, Json[]>();
  for (const { data } of told.values()) {
    const id = String((data as Json).message_id);
    found.set(id, [...(found.get(id) ?? []), data as Json]);
  }
  byMessage.set(told, found);
  return found;
}

async function moneyFaults(
  { bendre, tenant }: Pick<Place, "bendre" | "tenant">,
  batchId: unknown,
  figures: Readonly<Record<string, number>>,
  { messages, reserved }: { readonly messages: number; readonly reserved: number },
): Promise<readonly string[]> {
  const { data: batch } = await tenant.api.get(`/batches/${String(batchId)}`);
  const { data: wallet } = await tenant.api.get("/account/balance");
  const open = (figures.SENT ?? 0) + (figures.SUBMITTED ?? 0);
  const charged = figures.charged ?? 0;
  const is = { charged: batch.charged_amount, balance: wallet.balance, reserved: wallet.reserved };
  const must = { charged, balance: messages * reserved - charged, reserved: open * reserved };
  const counts = batch.counts as Json;
  const counted = { delivered: counts.delivered, failed: counts.failed };
  const failed = Object.entries(figures).filter(([name]) => name.startsWith("FAILED "));
  const seen = { delivered: figures.DELIVERED ?? 0, failed: failed.reduce((sum, [, of]) => sum + of, 0) };
  const check = await bendre.ask("ledger check", {});
  return [
    ...(JSON.stringify(is) === JSON.stringify(must)
      ? []
      : [`${JSON.stringify(is)}, not ${JSON.stringify(must)}`]),
    ...(JSON.stringify(counted) === JSON.stringify(seen)
      ? []
      : [`${JSON.stringify(counted)}, not ${JSON.stringify(seen)}`]),
    ...(Array.isArray(check.faults) && check.faults.length > 0 ? [JSON.stringify(check)] : []),
  ];
}
