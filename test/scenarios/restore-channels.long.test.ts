/** A restore with both channels: nothing leaves by any of them until somebody decides, and what was decided holds for every way of a message. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClaimRecovery } from "../../src/app/channels.ts";
import { systemPlatform } from "../../src/app/platform.ts";
import { backupRestore } from "../../src/ops/backup/restore.ts";
import type { ResumeView } from "../../src/ops/backup/resume.ts";
import type { PostFate } from "../../src/simulator/whatsapp/fate.ts";
import { startWhatsappSim, type WhatsappSim } from "../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../src/simulator/whatsapp/settings.ts";
import { configOf, document } from "../config/sample.ts";
import { fated } from "../simulator/whatsapp/rig.ts";
import { type Client, type Stage, stage } from "./stage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MEGABYTE = 1024 * 1024;

let mayClaim: boolean;
let elsewhere: string;
let whole: Stage;
let client: Client;
let sim: WhatsappSim;
/** Hands what Meta tells on to the appliance, wherever it listens, and says 503 while it does not. */
let relay: ReturnType<typeof Bun.serve>;
let fate: PostFate;
let posted: string[];
/** Changes what Meta tells before it is handed on; null: it is not told at all. */
let told: (body: string) => string | null;

beforeEach(async () => {
  mayClaim = true;
  posted = [];
  told = (body) => body;
  fate = fated([{ status: "sent" }, { status: "delivered" }]);
  elsewhere = mkdtempSync(join(tmpdir(), "bendre-backups-"));
  const spaceOf = (directory: string) => ({
    freeBytes: (mayClaim || directory.startsWith(elsewhere) ? 10_000 : 100) * MEGABYTE,
    totalBytes: 20_000 * MEGABYTE,
  });
  whole = await stage({ ...systemPlatform, spaceOf });
  relay = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { method, headers } = request;
      const body = await request.text();
      if (told(body) === null) return new Response(null, { status: 200 });
      try {
        const { search } = new URL(request.url);
        const to = `${whole.url()}/whatsapp/webhook${search}`;
        return await fetch(to, { method, headers, ...(method === "POST" ? { body } : {}) });
      } catch {
        return new Response(null, { status: 503 });
      }
    },
  });
  const { clock, settings } = whole;
  sim = startWhatsappSim({
    clock,
    settings: {
      ...SIM_DEFAULTS,
      port: 0,
      appSecret: "S",
      verifyToken: "V",
      read: 0,
      pairMs: 0,
      webhook: `http://127.0.0.1:${relay.port}/`,
    },
    fate: () => fate,
    onEvent: (event) => {
      if (event.kind === "post") posted.push(event.to);
    },
  });
  const { whatsapp } = configOf(
    document({
      whatsapp: {
        app_secret: "S",
        verify_token: "V",
        api: `http://127.0.0.1:${sim.port}`,
        numbers: {
          main: {
            phone_number_id: "1",
            waba_id: "2",
            token: "t",
            price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
          },
        },
      },
    }),
  );
  expect(settings.replace({ ...settings.now(), whatsapp })).toEqual([]);
  client = await whole.client();
  const sender = { ACCOUNT: client.accountId, NAME: "ACME" };
  await whole.admin("sender register", { ...sender, operator: "whatsapp:main" });
  await whole.admin("whatsapp sync");
});
afterEach(async () => {
  await whole.close();
  await sim.stop();
  await relay.stop(true);
  const { directory } = whole.settings.now().storage;
  for (const name of readdirSync(dirname(directory)))
    if (name.startsWith(`${basename(directory)}.replaced`))
      rmSync(join(dirname(directory), name), { recursive: true });
  rmSync(elsewhere, { recursive: true });
});

const FALLBACK = { channel: "SMS", after_seconds: 60, body: "Commande {commande} prete." };
let next = 70_700_000;
async function submit(changes: Readonly<Record<string, unknown>> = {}) {
  const msisdn = String(next++);
  const { batch_id } = await client.submit({
    channel: "WHATSAPP",
    body: "Bonjour {nom}, votre commande {commande} est prête.",
    recipients: [{ msisdn, attributes: { nom: "Awa", commande: next } }],
    ...changes,
  });
  return { batchId: batch_id, msisdn };
}
type Submitted = Awaited<ReturnType<typeof submit>>;

const textsTo = ({ msisdn }: Submitted) => whole.smsc.texts.filter(({ to }) => to.endsWith(msisdn)).length;
const postsTo = ({ msisdn }: Submitted) => posted.filter((to) => to.endsWith(msisdn)).length;
/** Posts and texts that a person had. */
const had = (one: Submitted) => [postsTo(one), textsTo(one)];
const standing = async ({ batchId }: Submitted) => {
  const [message] = await client.messages(batchId);
  return [message?.status, (message?.error as { code: string } | null)?.code ?? null];
};

/**
 * Lets time go by a little at a time. What goes over sockets takes none of it, but needs a moment of the machine: without one, a post
 * under way is taken for unanswered where others have the processors.
 */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let step = 0; !(await isSo()); step++) {
    if (step === 500) throw new Error("it did not come to that");
    await whole.clock.advance(500);
    await Bun.sleep(2);
  }
}
const ends = async (one: Submitted, ...how: readonly (string | null)[]) => {
  await until(async () => JSON.stringify(await standing(one)) === JSON.stringify(how));
};

async function copied(): Promise<string> {
  const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
  return String(file);
}

/** A copy in which something waits that the old machine then sends. */
async function copiedWaiting(changes: Readonly<Record<string, unknown>> = {}) {
  const at = new Date(whole.clock.nowMs() + 5000).toISOString();
  const one = await submit({ ...changes, scheduled_at: at });
  mayClaim = false;
  await whole.clock.advance(11_000);
  const file = await copied();
  mayClaim = true;
  await until(() => postsTo(one) === 1);
  return { one, file };
}

async function restored(file: string): Promise<void> {
  await whole.stop();
  const { settings, clock } = whole;
  const outcome = await backupRestore(
    {
      config: settings.now(),
      clock,
      actor: "awa",
      machine: systemPlatform,
      recoverClaim: createClaimRecovery(settings),
    },
    { file, replace: true, keys: null },
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  await whole.start();
}

const resume = async (args: Readonly<Record<string, string>> = {}) =>
  (await whole.admin("backup resume", args)) as unknown as ResumeView;

describe("after a restore, a message of WhatsApp that goes on as an SMS", () => {
  /** It was with Meta in the copy, and its SMS left after that. */
  async function silent(changes: Readonly<Record<string, unknown>> = {}): Promise<Submitted> {
    fate = fated([{ status: "sent" }]);
    const one = await submit({ fallback: FALLBACK, ...changes });
    await client.until(one.batchId, ({ counts }) => counts.sent === 1);
    const file = await copied();
    await until(() => whole.smsc.events.some(({ kind }) => kind === "submit"));
    await restored(file);
    return one;
  }

  test("does not leave while nothing is decided, nor after it was decided to hold", async () => {
    const one = await silent();
    await whole.clock.advance(20 * MINUTE_MS);
    expect(had(one)).toEqual([1, 1]);
    await resume({ waiting: "hold" });
    await whole.clock.advance(20 * MINUTE_MS);
    expect(had(one)).toEqual([1, 1]);
    expect((await resume()).counts).toEqual([
      { message_class: "TRANSACTIONAL", operator: "orange", kind: "waiting", messages: 1 },
    ]);
    expect((await whole.admin("queue show")).queues).toMatchObject([
      { operator: "orange", messages: 0, held: { restored: 1 } },
    ]);
    await resume({ waiting: "send" });
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 2]);
  });

  test.each<[string, number, string, string | null]>([
    ["send", 2, "DELIVERED", null],
    ["policy", 2, "DELIVERED", null],
    ["give-up", 1, "FAILED", "RESTORE_GIVEN_UP"],
  ])("goes by what was decided before: %s", async (waiting, texts, status, code) => {
    const one = await silent();
    // Before anything has gone on.
    await resume({ waiting });
    await ends(one, status, code);
    await whole.clock.advance(10 * MINUTE_MS);
    expect(had(one)).toEqual([1, texts]);
  });

  test("waits for its receipt where its class is not sent again, and has none sent", async () => {
    const { settings } = whole;
    const { delivery } = settings.now();
    const unanswered = { ...delivery.unanswered, TRANSACTIONAL: "wait" as const, wait_hours: 1 };
    settings.replace({ ...settings.now(), delivery: { ...delivery, unanswered } });
    const one = await silent();
    await resume({ waiting: "policy" });
    await whole.clock.advance(HOUR_MS);
    await ends(one, "FAILED", "SUBMIT_OUTCOME_UNKNOWN");
    expect(had(one)).toEqual([1, 1]);
  });

  test.each<[string, string]>([
    ["give-up", "RESTORE_GIVEN_UP"],
    ["policy", "SUBMIT_OUTCOME_UNKNOWN"],
    ["send", "SUBMIT_OUTCOME_UNKNOWN"],
  ])(
    "is told as one that may have left, also when it is no longer worth sending as an SMS: %s",
    async (waiting, code) => {
      const { settings } = whole;
      const { delivery } = settings.now();
      const validity_minutes = { ...delivery.validity_minutes, TRANSACTIONAL: 60 };
      const unanswered = { ...delivery.unanswered, wait_hours: 1 };
      settings.replace({ ...settings.now(), delivery: { ...delivery, validity_minutes, unanswered } });
      const one = await silent();
      await resume({ waiting: "hold" });
      // Its SMS is over, its batch is not.
      await whole.clock.advance(70 * MINUTE_MS);
      expect(await standing(one)).toEqual(["SENT", null]);
      await resume({ waiting });
      if (waiting !== "give-up") {
        await whole.clock.advance(10 * MINUTE_MS);
        expect(await standing(one)).toEqual(["SENT", null]);
        expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 15 });
        await whole.clock.advance(HOUR_MS);
      }
      await ends(one, "FAILED", code);
      expect(had(one)).toEqual([1, 1]);
      expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
    },
  );

  test("is delivered by the receipt that came meanwhile, whatever is decided", async () => {
    whole.smsc.change({ receiptDelayMs: 10 * MINUTE_MS });
    const one = await silent();
    await whole.clock.advance(15 * MINUTE_MS);
    await resume({ waiting: "send" });
    await ends(one, "DELIVERED", null);
    await whole.clock.advance(15 * MINUTE_MS);
    expect(had(one)).toEqual([1, 1]);
  });

  test("leaves as any other where its batch was not due before the old machine died", async () => {
    fate = fated([{ status: "failed", code: 131026 }]);
    const at = new Date(whole.clock.nowMs() + 10 * MINUTE_MS).toISOString();
    const one = await submit({ fallback: FALLBACK, scheduled_at: at });
    await restored(await copied());
    await resume({ waiting: "give-up" });
    await whole.clock.advance(10 * MINUTE_MS);
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 1]);
  });
});

describe("after a restore, a post to Meta", () => {
  test.each(["policy", "send", "give-up", "hold"])(
    "that was made after the copy is known by its statuses, and not made again: %s",
    async (waiting) => {
      fate = fated([
        { status: "sent", toldAfterMs: 20 * MINUTE_MS },
        { status: "delivered", toldAfterMs: 20 * MINUTE_MS },
      ]);
      const { one, file } = await copiedWaiting({ fallback: FALLBACK });
      await restored(file);
      await whole.clock.advance(20 * MINUTE_MS);
      await ends(one, "DELIVERED", null);
      await resume({ waiting });
      await whole.clock.advance(20 * MINUTE_MS);
      expect(had(one)).toEqual([1, 0]);
      expect(await client.batch(one.batchId)).toMatchObject({ status: "SETTLED", charged_amount: 5 });
    },
  );

  test("that was made after the copy is known by a status that comes once it was decided", async () => {
    fate = fated([{ status: "delivered", toldAfterMs: 20 * MINUTE_MS }]);
    const { one, file } = await copiedWaiting();
    await restored(file);
    await resume({ waiting: "policy" });
    expect(await standing(one)).toEqual(["SUBMITTED", null]);
    await whole.clock.advance(20 * MINUTE_MS);
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 0]);
  });

  test("that may have been made is not made again by the rule of a class, and what nothing is heard of goes on as an SMS", async () => {
    told = (body) => (body.includes('"statuses"') ? null : body);
    const { one, file } = await copiedWaiting({ fallback: FALLBACK });
    await restored(file);
    await whole.clock.advance(HOUR_MS);
    expect([had(one), await standing(one)]).toEqual([
      [1, 0],
      ["QUEUED", null],
    ]);
    await resume({ waiting: "policy", operator: "whatsapp:main" });
    await whole.clock.advance(HOUR_MS);
    // The SMS is another decision.
    expect(had(one)).toEqual([1, 0]);
    await resume({ waiting: "send", operator: "orange" });
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 1]);
  });

  test("that may have been made is in doubt where it is no longer worth making, and goes on as an SMS", async () => {
    const { settings } = whole;
    const { delivery } = settings.now();
    const validity_minutes = { ...delivery.validity_minutes, TRANSACTIONAL: 60 };
    settings.replace({ ...settings.now(), delivery: { ...delivery, validity_minutes } });
    told = (body) => (body.includes('"statuses"') ? null : body);
    const { one, file } = await copiedWaiting({ fallback: FALLBACK });
    await restored(file);
    // Its batch is worth sending for longer.
    await whole.clock.advance(65 * MINUTE_MS);
    await resume({ waiting: "send" });
    expect(await standing(one)).toEqual(["SUBMITTED", null]);
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 1]);
  });

  test("that was under way in the copy is never made again, and is waited for as after any crash", async () => {
    fate = { ...fated([{ status: "delivered", toldAfterMs: 30 * MINUTE_MS }]), isAnswered: false };
    const one = await submit();
    await until(() => postsTo(one) === 1);
    await restored(await copied());
    expect((await resume()).counts).toEqual([
      { message_class: "TRANSACTIONAL", operator: "whatsapp:main", kind: "in_flight", messages: 1 },
    ]);
    await resume({ waiting: "send" });
    await whole.clock.advance(5 * MINUTE_MS);
    expect([had(one), await standing(one)]).toEqual([
      [1, 0],
      ["SUBMITTED", null],
    ]);
    expect((await resume()).counts).toEqual([]);
    await whole.clock.advance(25 * MINUTE_MS);
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([1, 0]);
  });

  test("that Meta sends back afterwards is not made again while nothing is decided, and then as decided", async () => {
    // It was sent; then Meta asks to try again later.
    fate = fated([
      { status: "sent" },
      { status: "failed", code: 131056, afterMs: 20 * MINUTE_MS, toldAfterMs: 20 * MINUTE_MS },
    ]);
    const one = await submit();
    await client.until(one.batchId, ({ counts }) => counts.sent === 1);
    await restored(await copied());
    fate = fated([{ status: "sent" }, { status: "delivered" }]);
    await whole.clock.advance(20 * MINUTE_MS);
    await ends(one, "QUEUED", null);
    await whole.clock.advance(20 * MINUTE_MS);
    expect(had(one)).toEqual([1, 0]);
    await resume({ waiting: "hold" });
    await whole.clock.advance(20 * MINUTE_MS);
    expect(had(one)).toEqual([1, 0]);
    await resume({ waiting: "send" });
    await ends(one, "DELIVERED", null);
    expect(had(one)).toEqual([2, 0]);
  });
});
