/** A death, and a restore from a copy that was made before: what had left meanwhile is sent no second time unless somebody says so. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClaimRecovery } from "../../src/app/channels.ts";
import { systemPlatform } from "../../src/app/platform.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { backupRestore, type RestoreView } from "../../src/ops/backup/restore.ts";
import type { ResumeView } from "../../src/ops/backup/resume.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { type Batch, type Client, type Stage, stage } from "./stage.ts";

const MEGABYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const AMPLE = 10_000 * MEGABYTE;

let mayClaim = true;
let elsewhere: string;
let whole: Stage;
let client: Client;
beforeEach(async () => {
  mayClaim = true;
  elsewhere = mkdtempSync(join(tmpdir(), "bendre-backups-"));
  const spaceOf = (directory: string) => {
    const isClaimed = mayClaim || directory.startsWith(elsewhere);
    return { freeBytes: isClaimed ? AMPLE : 100 * MEGABYTE, totalBytes: 2 * AMPLE };
  };
  whole = await stage({ ...systemPlatform, spaceOf });
  client = await whole.client();
});
afterEach(async () => {
  await whole.close();
  const { directory } = whole.settings.now().storage;
  for (const name of readdirSync(tmpdir()).filter((each) =>
    join(tmpdir(), each).startsWith(`${directory}.replaced`),
  ))
    rmSync(join(tmpdir(), name), { recursive: true });
  rmSync(elsewhere, { recursive: true });
});

const inSeconds = (seconds: number) => new Date(whole.clock.nowMs() + seconds * 1000).toISOString();
let next = 70_600_000;
const numbers = (count: number) => Array.from({ length: count }, () => ({ msisdn: String(next++) }));
const textsTo = (recipients: readonly { msisdn: string }[]) =>
  recipients.map(({ msisdn }) => whole.smsc.texts.filter(({ to }) => to.endsWith(msisdn)).length);
const isOver = ({ status }: Batch) => status === "SETTLED";
const hold = async (claims: boolean) => {
  mayClaim = claims;
  await whole.clock.advance(1000);
};

/** The machine sleeps for a day and more, and wakes: what is due is done. */
async function dayPassed(): Promise<void> {
  whole.clock.sleep(25 * HOUR_MS);
  await whole.clock.advance(0.5 * HOUR_MS);
}

/** A batch that waits in the queue while nothing is claimed. */
async function queued(changes: Readonly<Record<string, unknown>>): Promise<string> {
  const { batch_id } = await client.submit({ scheduled_at: inSeconds(5), ...changes });
  return batch_id;
}

/** Makes a copy with what waits at this moment, and has the old machine go on. */
async function copied(): Promise<string> {
  await hold(false);
  await whole.clock.advance(10_000);
  const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
  await hold(true);
  return String(file);
}

/** The old machine dies, and its copy takes the place of its data. */
async function restored(file: string): Promise<RestoreView> {
  await whole.stop();
  const outcome = await backupRestore(
    {
      config: whole.settings.now(),
      clock: whole.clock,
      actor: "awa",
      machine: systemPlatform,
      recoverClaim: createClaimRecovery(whole.settings),
    },
    { file, replace: true, keys: null },
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  await whole.start();
  return outcome.value;
}

const resume = async (args: Readonly<Record<string, string>> = {}) =>
  (await whole.admin("backup resume", args)) as unknown as ResumeView;
const statuses = async (batchId: string) =>
  (await client.messages(batchId)).map(({ status, error }) => [
    status,
    (error as { code: string } | null)?.code ?? null,
  ]);

async function post(key: string) {
  const response = await fetch(`${whole.url()}/public/v1/batches`, {
    method: "POST",
    headers: { "x-api-key": client.apiKey, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({
      sender: "ACME",
      body: `New ${key}`,
      message_class: "OTP",
      recipients: numbers(1),
    }),
  });
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code ?? null, response.headers.get("retry-after")];
}

describe("after a restore", () => {
  test("receipts are taken, nothing is sent, and submissions get 503 RESTORING until somebody decides", async () => {
    const recipients = numbers(2);
    const batchId = await queued({ recipients, message_class: "OTP" });
    const later = numbers(1);
    await client.submit({ scheduled_at: inSeconds(1800), recipients: later, message_class: "OTP" });
    const file = await copied();
    await client.until(batchId, isOver);
    expect(textsTo(recipients)).toEqual([1, 1]);
    const view = await restored(file);
    expect(view).toMatchObject({ file, keys: "none" });
    expect(view.replaced).toContain(".replaced-20260302T0900");
    expect(existsSync(join(String(view.replaced), "bendre.db"))).toBe(true);
    expect(await post("while-restoring")).toEqual([503, "RESTORING", "60"]);
    expect(await whole.page("/health/ready")).toMatchObject({ status: 503 });
    expect((await whole.page("/health")).body).toContain("restored from a backup of 2026-03-02");
    // Past its validity, and past the time of what was scheduled.
    await whole.clock.advance(2 * HOUR_MS);
    expect([...textsTo(recipients), ...textsTo(later)]).toEqual([1, 1, 0]);
    expect(await statuses(batchId)).toEqual([
      ["QUEUED", null],
      ["QUEUED", null],
    ]);
    const { counts, last_topup } = await resume();
    expect(counts).toEqual([{ message_class: "OTP", operator: "orange", kind: "waiting", messages: 3 }]);
    expect(last_topup).toMatchObject({ account_id: client.accountId, amount: 1_000_000, reference: "cash" });
    expect((await whole.admin("queue show")).queues).toMatchObject([{ messages: 0, held: { restored: 3 } }]);
    await resume({ waiting: "hold" });
    expect(await whole.page("/health/ready")).toMatchObject({ status: 200 });
    expect((await post("while-held"))[0]).toBe(202);
    await whole.clock.advance(HOUR_MS);
    expect([...textsTo(recipients), ...textsTo(later)]).toEqual([1, 1, 0]);
  });

  test("what was not due before the old machine died simply waits on, whatever is decided of the rest", async () => {
    const recipients = numbers(1);
    await queued({ recipients });
    const later = numbers(1);
    const { batch_id: laterId } = await client.submit({ scheduled_at: inSeconds(600), recipients: later });
    const file = await copied();
    await whole.clock.advance(60_000);
    await restored(file);
    const { decided, counts } = await resume({ waiting: "give-up" });
    expect(decided).toEqual([
      { message_class: "TRANSACTIONAL", operator: "orange", kind: "waiting", messages: 1 },
    ]);
    expect(counts).toEqual([]);
    await whole.clock.advance(600_000);
    await client.until(laterId, isOver);
    expect(textsTo(later)).toEqual([1]);
  });

  test("a scheduled batch whose time passed while nothing ran is held, and not called off as too late", async () => {
    const recipients = numbers(1);
    const { batch_id } = await client.submit({ scheduled_at: inSeconds(600), recipients });
    const file = await copied();
    await restored(file);
    await whole.stop();
    await whole.clock.advance(2 * HOUR_MS);
    await whole.start();
    await whole.clock.advance(60_000);
    expect(await client.batch(batch_id)).toMatchObject({ status: "SCHEDULED" });
    await resume({ waiting: "send" });
    await client.until(batch_id, isOver);
    expect(textsTo(recipients)).toEqual([1]);
  });

  test("policy sends again what is resent by its class, and waits for the receipt of what is not", async () => {
    const resent = numbers(1);
    const waits = numbers(1);
    const resentId = await queued({ recipients: resent });
    const waitsId = await queued({ recipients: waits, message_class: "MARKETING" });
    const file = await copied();
    await client.until(waitsId, isOver);
    await restored(file);
    const { decided } = await resume({ waiting: "policy" });
    expect(decided.map(({ message_class, messages }) => [message_class, messages])).toEqual([
      ["MARKETING", 1],
      ["TRANSACTIONAL", 1],
    ]);
    await client.until(resentId, isOver);
    expect(textsTo(resent)).toEqual([2]);
    expect(textsTo(waits)).toEqual([1]);
    expect(await statuses(waitsId)).toEqual([["SUBMITTED", null]]);
    await dayPassed();
    expect(await statuses(waitsId)).toEqual([["FAILED", "SUBMIT_OUTCOME_UNKNOWN"]]);
    expect(textsTo(waits)).toEqual([1]);
  });

  test("send sends once, doubles accepted, by class and operator, and the rest stays held", async () => {
    const one = numbers(1);
    const other = numbers(1);
    const oneId = await queued({ recipients: one, message_class: "MARKETING" });
    await queued({ recipients: other });
    const file = await copied();
    await client.until(oneId, isOver);
    await restored(file);
    const { counts } = await resume({ waiting: "send", class: "marketing", operator: "orange" });
    expect(counts).toEqual([
      { message_class: "TRANSACTIONAL", operator: "orange", kind: "waiting", messages: 1 },
    ]);
    await client.until(oneId, isOver);
    await whole.clock.advance(HOUR_MS);
    expect([...textsTo(one), ...textsTo(other)]).toEqual([2, 1]);
  });

  test("give-up fails and releases; a receipt that comes afterwards is in the timeline and listed, and moves no money", async () => {
    whole.smsc.change({ receiptDelayMs: 3 * HOUR_MS });
    const recipients = numbers(1);
    const batchId = await queued({ recipients });
    const file = await copied();
    await client.until(batchId, ({ counts }) => counts.sent === 1);
    await restored(file);
    await resume({ waiting: "give-up" });
    expect(await statuses(batchId)).toEqual([["FAILED", "RESTORE_GIVEN_UP"]]);
    const before = { balance: 1_000_000, reserved: 0 };
    expect(await client.balance()).toMatchObject(before);
    await whole.clock.advance(4 * HOUR_MS);
    expect(await statuses(batchId)).toEqual([["FAILED", "RESTORE_GIVEN_UP"]]);
    expect(await client.balance()).toMatchObject(before);
    const [message] = await client.messages(batchId);
    const { late_receipts } = await resume();
    expect(late_receipts).toEqual([
      {
        message_id: message?.message_id,
        at: expect.any(String),
        detail: phrase("message.note.part_state", { part: 1, state: "DELIVERED" }),
      },
    ]);
    const { events } = await whole.admin("message trace", { MESSAGE: String(message?.message_id) });
    expect(JSON.stringify(events)).toContain("message.event.receipt_after_end");
    expect(await whole.admin("ledger check")).toMatchObject({ checked_at: expect.any(String) });
  });

  test("a receipt that came while nothing was decided tells that the message had left: it is not sent again", async () => {
    whole.smsc.change({ receiptDelayMs: HOUR_MS });
    const recipients = numbers(1);
    const batchId = await queued({ recipients });
    const file = await copied();
    await client.until(batchId, ({ counts }) => counts.sent === 1);
    await restored(file);
    await whole.clock.advance(2 * HOUR_MS);
    expect(await statuses(batchId)).toEqual([["QUEUED", null]]);
    await resume({ waiting: "send" });
    expect(await statuses(batchId)).toEqual([["DELIVERED", null]]);
    await whole.clock.advance(HOUR_MS);
    expect(textsTo(recipients)).toEqual([1]);
  });

  test("what was with the operator in the copy goes by the rule of its class, whatever is decided", async () => {
    whole.smsc.change({ responseDelayMs: 10_000 });
    const recipients = numbers(1);
    const { batch_id } = await client.submit({ recipients });
    await client.until(batch_id, ({ counts }) => counts.submitted === 1);
    const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
    whole.smsc.change({ ...PLAIN });
    await client.until(batch_id, isOver);
    await restored(String(file));
    expect((await resume()).counts).toEqual([
      { message_class: "TRANSACTIONAL", operator: "orange", kind: "in_flight", messages: 1 },
    ]);
    await whole.clock.advance(HOUR_MS);
    expect(textsTo(recipients)).toEqual([1]);
    await resume({ waiting: "give-up" });
    await client.until(batch_id, isOver);
    expect(textsTo(recipients)).toEqual([2]);
    expect(await statuses(batch_id)).toEqual([["DELIVERED", null]]);
  });

  test("receipts for messages that the copy does not know are kept for a month and listed", async () => {
    whole.smsc.change({ receiptDelayMs: HOUR_MS });
    const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
    const { batch_id } = await client.submit({ recipients: numbers(1) });
    await client.until(batch_id, ({ counts }) => counts.sent === 1);
    await restored(String(file));
    await whole.clock.advance(2 * HOUR_MS);
    const { receipts } = await whole.admin("operator receipts");
    expect(receipts).toMatchObject([
      { operator: "orange", state: "DELIVERED", kept_until: expect.stringMatching(/^2026-04-01/) },
    ]);
  });

  test("an erasure names the copy that it was restored from, which still holds the number", async () => {
    const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
    await restored(String(file));
    let isDone = false;
    const erasing = whole.admin("data erase", { MSISDN: "70123456" }).finally(() => {
      isDone = true;
    });
    while (!isDone) await whole.clock.advance(20);
    const { held_by } = (await erasing) as { held_by: { file: string; until: string | null }[] };
    expect(held_by).toContainEqual(expect.objectContaining({ file, until: null }));
  });

  test("what test keys sent left for nobody: it is nobody's to decide about, and goes on with the rest", async () => {
    const tried = await whole.inSandbox(client);
    const endings = ["10", "80", "87", "91", "92"].map((digits) => ({ msisdn: `+226700000${digits}` }));
    const begun = await tried.submit({ recipients: endings });
    await whole.clock.advance(200);
    const waiting = await tried.submit({ scheduled_at: inSeconds(5), recipients: numbers(3) });
    const mine = await queued({ recipients: numbers(1) });
    await restored(await copied());
    const ofLive = { message_class: "TRANSACTIONAL", operator: "orange", kind: "waiting", messages: 1 };
    expect((await resume()).counts).toEqual([ofLive]);
    const { decided, counts } = await resume({ waiting: "give-up" });
    expect([decided, counts]).toEqual([[ofLive], []]);
    expect(await statuses(mine)).toEqual([["FAILED", "RESTORE_GIVEN_UP"]]);
    for (const { batch_id } of [begun, waiting]) await tried.until(batch_id, isOver);
    const messages = [...(await tried.messages(begun.batch_id)), ...(await tried.messages(waiting.batch_id))];
    const told = new Map(messages.map(({ msisdn, status }) => [String(msisdn), status]));
    expect(endings.map(({ msisdn }) => told.get(msisdn))).toEqual([
      ...["DELIVERED", "DELIVERED", "FAILED", "DELIVERED", "FAILED"],
    ]);
    expect([...told.values()].filter((status) => status === "DELIVERED")).toHaveLength(6);
  });

  test("feed stamps stand above the moment of the restore", async () => {
    const batchId = await queued({ recipients: numbers(1) });
    const file = await copied();
    await restored(file);
    const restoredAt = whole.clock.nowMs();
    // The clock goes back a little after the restore.
    whole.clock.setBy(-60_000);
    await resume({ waiting: "give-up" });
    const [message] = await client.messages(batchId);
    expect(Date.parse(String(message?.status_changed_at))).toBeGreaterThanOrEqual(restoredAt - 1000);
  });

  test("a time of death before the copy, or in the future, is refused; so is a decision where nothing was restored", async () => {
    await expect(resume({ waiting: "send" })).rejects.toThrow("NOTHING_RESTORED");
    const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
    await restored(String(file));
    await expect(resume({ waiting: "send", "died-at": "2026-03-01" })).rejects.toThrow("INVALID_TIME");
    await expect(resume({ waiting: "send", "died-at": inSeconds(60) })).rejects.toThrow("INVALID_TIME");
    await expect(resume({ waiting: "send", class: "URGENT" })).rejects.toThrow("INVALID_CLASS");
    await expect(resume({ waiting: "send", operator: "ornage" })).rejects.toThrow("OPERATOR_UNKNOWN");
    expect(await whole.page("/health/ready")).toMatchObject({ status: 503 });
  });
});
