/** Messages of WhatsApp that go on as SMS: what is asked, reserved, shown and charged. */
import { afterEach, describe, expect, test } from "vitest";
import { insertPause } from "../../../src/dispatch/pauses.ts";
import { fallbackTimeouts } from "../../../src/dispatch/timeouts.ts";
import { changeAccount, resumeAccount, suspendAccount } from "../../../src/domain/accounts/accounts.ts";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { recountBatches } from "../../../src/domain/messages/batch-totals.ts";
import { requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { feedPage } from "../../../src/domain/messages/feed.ts";
import { readUlid } from "../../../src/domain/messages/id-ranges.ts";
import { findMessage, messageObject } from "../../../src/domain/messages/message-view.ts";
import { readQueuedBatch } from "../../../src/domain/messages/queue.ts";
import {
  holdAllMessages,
  recordRestoreDecision,
  reopenAfterRestore,
} from "../../../src/domain/messages/restore-holds.ts";
import { quoter } from "../../../src/domain/submission/quote.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import type { SubmissionAnswer } from "../../../src/domain/submission/submit.ts";
import type { Code } from "../../../src/i18n/phrase.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { BUILT_IN_TEMPLATES } from "../../../src/simulator/whatsapp/templates.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type RigOptions, type WhatsappRig, whatsappRig } from "./rig.ts";

const DELIVERED: PostFate = fated([{ status: "sent" }, { status: "delivered" }]);
const SENT: PostFate = fated([{ status: "sent" }]);
const UNKNOWN: PostFate = fated([{ status: "failed", code: 131026 }]);
const LATE: PostFate = fated([{ status: "sent" }, { status: "delivered", toldAfterMs: 90_000 }]);

const rigs: WhatsappRig[] = [];
async function rigWith(fate: PostFate, options: RigOptions = {}) {
  const rig = await whatsappRig({ fate: () => fate, sim: { pairMs: 0 }, ...options, wording: "templates" });
  rigs.push(rig);
  await rig.sync();
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const BODY = "Bonjour {nom}, votre commande {commande} est prête.";
const attributes = { nom: "Awa", commande: 4521 };
const request = (changes: Partial<BatchRequest> = {}): Partial<BatchRequest> => ({
  body: BODY,
  recipients: [{ msisdn: "70000001", attributes }],
  fallback: { channel: "SMS", after_seconds: 60, body: "ACME : commande {commande} prete." },
  ...changes,
});
const idOf = (answer: SubmissionAnswer): number => {
  if (answer.kind === "accepted") return answer.batch.id;
  throw new Error(JSON.stringify(answer));
};
const faultOf = (answer: SubmissionAnswer) => (answer.kind === "refused" ? answer.refusal.faults?.[0] : null);

/** The batch of a rig with what a test asks of it, an SMS line played by hand. */
async function underWay(rig: WhatsappRig, changes: Partial<BatchRequest> = {}) {
  const batchId = idOf(await rig.submit(request(changes)));
  const [row] = rig.messages(batchId);
  if (!row) throw new Error("no message");
  const account = await rig.account();
  const messageId = row.id;
  const ulid = readUlid(rig.store.read, messageId)!;
  const apply = (...facts: object[]) =>
    rig.store.write((tx) =>
      applyFacts(
        tx,
        facts.map((fact) => ({ messageId, ...fact }) as Fact),
        rig.clock.nowMs(),
      ),
    );
  const offered: number[] = [];
  const goOn = fallbackTimeouts({ ...rig, offer: (id) => offered.push(id) });
  const follow = async (): Promise<void> => {
    while (await goOn()) {}
  };
  const key = (part: number) => ({ part, remoteKey: `id${part}` });
  return {
    batchId,
    messageId,
    offered,
    follow,
    message: () => rig.messages(batchId)[0],
    object: () => messageObject(findMessage(rig.store.read, account, ulid)!),
    batch: () => rig.base.batch(batchId),
    wallet: () => rig.base.wallet(account),
    differences: () => recountBatches((look) => look(rig.store.read)).differences,
    feed: () =>
      feedPage(rig.store.read, {
        accountId: account,
        sinceUs: 0,
        limit: 10,
        batchUlid: null,
        reference: null,
      } as never)?.messages,
    /** What an operator makes of the SMS. */
    sms: {
      claimed: () => apply({ kind: "claimed", operator: "orange" }),
      accepted: () =>
        apply({ kind: "part_accepted", ...key(1), operator: "orange", remoteId: "id1", final: false }),
      delivered: () => apply({ kind: "receipt", ...key(1), verdict: { kind: "delivered" } }),
      refused: () => apply({ kind: "refused", error: { code: "OPERATOR_REJECTED", operatorCode: "8" } }),
    },
    apply,
  };
}

describe("what a client asks", () => {
  test.each<[string, Partial<BatchRequest>, string, Code]>([
    ["an SMS that goes on", { channel: "SMS" }, "/fallback", "fault.fallback.of_sms"],
    [
      "a silence that is longer than the class is valid",
      { messageClass: "OTP", fallback: { channel: "SMS", after_seconds: 43_200 } },
      "/fallback/after_seconds",
      "fault.fallback.longest",
    ],
    [
      "a tag that the body lacks",
      { fallback: { channel: "SMS", after_seconds: 60, body: "Commande {numero}" } },
      "/fallback/body",
      "fault.fallback.tag",
    ],
  ])("%s is refused with its place", async (_, changes, path, code) => {
    const rig = await rigWith(DELIVERED);
    expect(faultOf(await rig.submit(request(changes)))).toMatchObject({
      path,
      message: { code },
    });
  });

  test("the dearer of the two is reserved, quoted as reserved, and what is not charged is given back", async () => {
    const rig = await rigWith(DELIVERED);
    const account = await rig.account();
    const asked = rig.request(request());
    const quote = await quoter(rig.base.intake)({ accountId: account, request: { ok: true, value: asked } });
    const batch = await underWay(rig);
    // WhatsApp is 5, an SMS 15.
    expect(batch.batch()).toMatchObject({ reserved_amount: 15, total_segments: 1 });
    expect(quote).toMatchObject({ kind: "quoted", quote: { sums: { amount: 15 } } });
    expect(batch.object()).toMatchObject({ amount: 0, reserved_amount: 15, operator: "whatsapp:main" });
    await rig.until(() => batch.message()?.status === "DELIVERED");
    expect(batch.batch()).toMatchObject({ charged_amount: 5, released_amount: 10 });
    expect(batch.object()).toMatchObject({
      amount: 5,
      reserved_amount: 0,
      encoding: "UTF8",
      channels: [{ channel: "WHATSAPP", operator: "whatsapp:main", status: "DELIVERED", error: null }],
    });
    expect(batch.differences()).toEqual([]);
    await rig.clock.advance(120_000);
    await batch.follow();
    expect(batch.offered).toEqual([]);
  });

  test("an account has it for all its batches, without the marks of the body, and one batch may not want it", async () => {
    const rig = await rigWith(UNKNOWN);
    const account = await rig.account();
    await rig.store.write((tx) => changeAccount(tx, account, { fallbackSeconds: 300 }));
    const unsaid = rig.request({ body: BODY, recipients: [{ msisdn: "70000001", attributes }] });
    const of = (changes: Partial<BatchRequest>) => rig.submit({ ...unsaid, ...changes });
    const first = idOf(await of({}));
    await rig.until(() => rig.messages(first)[0]?.operator === "orange");
    expect(rig.messages(first)[0]).toMatchObject({
      text: "Bonjour Awa, votre commande 4521 est prête.",
      segments: 1,
    });
    const second = idOf(await of({ fallback: null, recipients: [{ msisdn: "70000002", attributes }] }));
    await rig.until(() => rig.statuses(second)[0] === "FAILED");
    expect(rig.rows("batch_fallbacks")).toMatchObject([{ batch_id: first, after_ms: 300_000 }]);
  });

  test("a recipient whom no SMS reaches has one way, and one whose SMS cannot be is dropped", async () => {
    const rig = await rigWith(UNKNOWN, { number: { countries: ["226", "33"] } });
    const to = (msisdn: string, nom = "Awa") => ({ msisdn, attributes: { ...attributes, nom } });
    const answer = await rig.submit(
      request({
        recipients: [to("+33612345678"), to("70000001"), to("70000002", "Ç")],
        textPolicy: "gsm_only",
        fallback: { channel: "SMS", after_seconds: 60, body: "{nom} 世".slice(0, 5) },
      }),
    );
    expect(answer).toMatchObject({ kind: "accepted" });
    const batchId = idOf(answer);
    expect(rig.messages(batchId).map(({ msisdn }) => msisdn)).toEqual([
      "+33612345678",
      "+22670000001",
      "+22670000002",
    ]);
    expect(rig.rows("fallbacks")).toHaveLength(2);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)[0]).toMatchObject({ error_code: "UNKNOWN_SUBSCRIBER", amount: 0 });
  });
});

describe("a message that WhatsApp does not deliver", () => {
  test("goes on as an SMS at once, is charged as one, and its client sees one message that never goes back", async () => {
    const rig = await rigWith(fated([{ status: "sent" }, { status: "failed", code: 131026 }]));
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.operator === "orange");
    expect(batch.message()).toMatchObject({
      status: "QUEUED",
      price: 15,
      text: "ACME : commande 4521 prete.",
    });
    const shown = batch.object();
    expect(shown).toMatchObject({
      status: "SENT",
      is_final: false,
      operator: "orange",
      channel: "WHATSAPP",
      encoding: "GSM7",
      reserved_amount: 15,
      error: null,
      channels: [
        {
          channel: "WHATSAPP",
          operator: "whatsapp:main",
          status: "FAILED",
          error: { code: "UNKNOWN_SUBSCRIBER", operator_code: "131026" },
        },
        { channel: "SMS", operator: "orange", status: "QUEUED", error: null },
      ],
    });
    expect(readQueuedBatch(rig.store.read, batch.batchId)).toMatchObject([{ operator: "orange" }]);
    await rig.clock.advance(1000);
    await batch.sms.claimed();
    await batch.sms.accepted();
    expect(batch.object()).toMatchObject({
      ...shown,
      ...batch.object(),
      status_changed_at: shown.status_changed_at,
    });
    expect(batch.object()).toMatchObject({ status: "SENT", amount: 15, sent_at: shown.sent_at });
    await batch.sms.delivered();
    expect(batch.object()).toMatchObject({
      status: "DELIVERED",
      is_final: true,
      amount: 15,
      reserved_amount: 0,
      channels: [{ status: "FAILED" }, { channel: "SMS", status: "DELIVERED", error: null }],
    });
    expect(batch.batch()).toMatchObject({
      submitted: 1,
      sent: 1,
      delivered: 1,
      failed: 0,
      status: "SETTLED",
      charged_amount: 15,
      released_amount: 0,
    });
    expect(batch.differences()).toEqual([]);
    expect(batch.feed()).toMatchObject([{ status: "DELIVERED" }]);
  });

  test("goes on after the silence that its client gave it, over a restart", async () => {
    const rig = await rigWith(SENT);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    const old = await rig.crash();
    await Promise.all([old.stop(0), rig.pass(50_000, 1000)]);
    await batch.follow();
    expect(batch.message()).toMatchObject({ operator: "whatsapp:main" });
    await rig.pass(11_000, 1000);
    await batch.follow();
    expect(batch.offered).toEqual([batch.batchId]);
    expect(batch.object()).toMatchObject({
      status: "SENT",
      channels: [
        { channel: "WHATSAPP", status: "SENT", error: null },
        { channel: "SMS", status: "QUEUED" },
      ],
    });
  });

  test("goes on after a doubt, though nobody will ever say what became of the post", async () => {
    const rig = await rigWith(
      { ...SENT, isAnswered: false, statuses: [] },
      {
        whatsapp: { response_timeout_seconds: 3 },
      },
    );
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.unanswered_until !== null, 100);
    await rig.pass(60_000, 1000);
    await batch.follow();
    expect(batch.message()).toMatchObject({ operator: "orange", status: "QUEUED", unanswered_until: null });
    expect(batch.object()).toMatchObject({ status: "SUBMITTED" });
    expect(rig.posts).toHaveLength(1);
  });

  test("that arrives late ends there as long as no SMS was claimed, and is charged once", async () => {
    const rig = await rigWith(LATE);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    await rig.pass(61_000, 1000);
    await batch.follow();
    expect(batch.message()?.operator).toBe("orange");
    await rig.until(() => batch.message()?.status === "DELIVERED", 1000);
    expect(batch.object()).toMatchObject({
      status: "DELIVERED",
      operator: "whatsapp:main",
      amount: 5,
      encoding: "UTF8",
      segments: 1,
      channels: [{ channel: "WHATSAPP", status: "DELIVERED" }],
    });
    expect(batch.object().channels).toHaveLength(1);
    expect(batch.batch()).toMatchObject({
      charged_amount: 5,
      released_amount: 10,
      delivered: 1,
      status: "SETTLED",
    });
    expect(batch.differences()).toEqual([]);
  });

  test("that arrives while its SMS is under way pays for the SMS alone", async () => {
    const rig = await rigWith(LATE);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    await rig.pass(61_000, 1000);
    await batch.follow();
    await batch.sms.claimed();
    await rig.until(() => rig.rows("fallbacks")[0]?.first_amount === 5, 1000);
    expect(batch.message()?.status).toBe("SUBMITTED");
    await batch.sms.accepted();
    await batch.sms.delivered();
    expect(batch.batch()).toMatchObject({ charged_amount: 15, released_amount: 0, delivered: 1 });
    expect(batch.object()).toMatchObject({
      status: "DELIVERED",
      operator: "orange",
      amount: 15,
      channels: [{ channel: "WHATSAPP", status: "DELIVERED" }, { status: "DELIVERED" }],
    });
    expect(batch.differences()).toEqual([]);
  });

  test("that fails after its SMS has taken over shows that, and moves nothing else", async () => {
    const rig = await rigWith(
      fated([{ status: "sent" }, { status: "failed", code: 131026, toldAfterMs: 90_000 }]),
    );
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    await rig.pass(61_000, 1000);
    await batch.follow();
    const stamped = batch.feed();
    await rig.pass(40_000, 1000);
    expect(batch.message()).toMatchObject({ operator: "orange", status: "QUEUED" });
    expect(batch.object()).toMatchObject({
      status: "SENT",
      error: null,
      amount: 0,
      channels: [
        { channel: "WHATSAPP", status: "FAILED", error: { code: "UNKNOWN_SUBSCRIBER" } },
        { channel: "SMS", status: "QUEUED" },
      ],
    });
    const stamps = (rows: typeof stamped) => rows?.map((row) => row.status_changed_at);
    expect(stamps(batch.feed())).toEqual(stamps(stamped));
    await batch.sms.claimed();
    await batch.sms.accepted();
    expect(batch.object()).toMatchObject({
      status: "SENT",
      channels: [{ status: "FAILED" }, { status: "SENT" }],
    });
    expect(batch.differences()).toEqual([]);
  });

  test("that arrives while its SMS fails is delivered, at the price of WhatsApp", async () => {
    const rig = await rigWith(LATE);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    await rig.pass(61_000, 1000);
    await batch.follow();
    await batch.sms.claimed();
    await rig.until(() => rig.rows("fallbacks")[0]?.first_amount === 5, 1000);
    await batch.sms.refused();
    expect(batch.object()).toMatchObject({
      status: "DELIVERED",
      operator: "whatsapp:main",
      amount: 5,
      error: null,
      channels: [
        { channel: "WHATSAPP", status: "DELIVERED" },
        { channel: "SMS", operator: "orange", status: "FAILED", error: { code: "OPERATOR_REJECTED" } },
      ],
    });
    expect(batch.batch()).toMatchObject({ charged_amount: 5, released_amount: 10, delivered: 1, failed: 0 });
    expect(batch.differences()).toEqual([]);
  });

  test("has the whole validity of its class as an SMS, and ends when that is over", async () => {
    const rig = await rigWith(UNKNOWN);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.operator === "orange");
    const [{ expires_at: expiresAt } = {}] = rig.rows("fallbacks");
    expect(Number(expiresAt)).toBeGreaterThan(rig.clock.nowMs() + 86_000_000);
    await rig.clock.advance(Number(expiresAt) - rig.clock.nowMs() - 1000);
    await batch.follow();
    expect(batch.message()?.status).toBe("QUEUED");
    await rig.clock.advance(1000);
    await batch.sms.claimed();
    expect(batch.message()?.status).toBe("QUEUED");
    await batch.follow();
    expect(batch.object()).toMatchObject({
      status: "FAILED",
      amount: 0,
      error: { code: "EXPIRED_IN_QUEUE" },
      channels: [{ status: "FAILED" }, { channel: "SMS", status: "FAILED" }],
    });
    expect(batch.batch()).toMatchObject({
      charged_amount: 0,
      released_amount: 15,
      failed: 1,
      status: "SETTLED",
    });
  });

  test("has no receipt for ever: its SMS ends as any other", async () => {
    const rig = await rigWith(UNKNOWN);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.operator === "orange");
    await batch.sms.claimed();
    await batch.sms.accepted();
    await rig.clock.advance(86_400_000);
    await batch.follow();
    expect(batch.object()).toMatchObject({ is_final: false });
    await rig.clock.advance(2 * 86_400_000);
    await batch.follow();
    expect(batch.object()).toMatchObject({
      status: "SENT",
      is_final: true,
      amount: 15,
      error: { code: "RECEIPT_NOT_RECEIVED" },
    });
  });

  test("goes on from the queue where its number stands still, when its turn would have come", async () => {
    const rig = await rigWith(SENT, { number: { throughput: 2 } });
    const pause = { operator: "whatsapp:main", connection: null, reason: "a bill", actor: "awa", atMs: 5 };
    await rig.store.write((tx) => insertPause(tx, pause));
    rig.line().whatsapp.pausesChanged();
    const recipients = ["70000001", "70000002", "70000003", "70000004"].map((msisdn) => ({
      msisdn,
      attributes,
    }));
    const batch = await underWay(rig, { recipients });
    await rig.pass(1500, 100);
    expect(rig.rows("fallbacks").filter(({ due_at: due }) => due !== null)).toHaveLength(2);
    await rig.pass(1500, 100);
    await rig.pass(60_000, 1000);
    await batch.follow();
    expect(rig.messages(batch.batchId).map(({ operator }) => operator)).toEqual(Array(4).fill("orange"));
    expect(rig.posts).toEqual([]);
    expect(batch.object()).toMatchObject({
      status: "QUEUED",
      channels: [{ channel: "WHATSAPP", status: "QUEUED" }, {}],
    });
  });

  test("goes on from the queue where its number has left the configuration", async () => {
    const rig = await rigWith(SENT);
    const pause = { operator: "whatsapp:main", connection: null, reason: "a bill", actor: "awa", atMs: 5 };
    await rig.store.write((tx) => insertPause(tx, pause));
    rig.line().whatsapp.pausesChanged();
    const batch = await underWay(rig);
    const { numbers } = rig.settings.now().whatsapp;
    const others = { other: { ...numbers.main!, phone_number_id: "44" } };
    rig.settings.replace({
      ...rig.settings.now(),
      whatsapp: { ...rig.settings.now().whatsapp, numbers: others },
    });
    await rig.pass(120_000, 1000);
    await batch.follow();
    expect(batch.message()).toMatchObject({ operator: "orange", status: "QUEUED" });
    expect(rig.posts).toEqual([]);
  });

  test("that is held after a restore is not given up before somebody decides", async () => {
    const rig = await rigWith(SENT);
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    const nowMs = rig.clock.nowMs();
    await rig.store.write((tx) => {
      holdAllMessages(tx, { restoredAtMs: nowMs, file: "copy", madeAtMs: nowMs, unmatchedBefore: 0 });
      reopenAfterRestore(tx, nowMs);
      recordRestoreDecision(tx, { messageClass: null, operator: null }, "hold", nowMs);
    });
    await rig.clock.advance(61_000);
    await batch.follow();
    expect(rig.messages(batch.batchId)).toMatchObject([{ operator: "orange", status: "QUEUED" }]);
    await rig.clock.advance(25 * 3_600_000);
    await batch.follow();
    expect(rig.messages(batch.batchId)).toMatchObject([{ operator: "orange", status: "QUEUED" }]);
  });

  test("goes on also where the last number left long before its turn came", async () => {
    const rig = await rigWith(SENT);
    const pause = { operator: "whatsapp:main", connection: null, reason: "a bill", actor: "awa", atMs: 5 };
    await rig.store.write((tx) => insertPause(tx, pause));
    rig.line().whatsapp.pausesChanged();
    const batch = await underWay(rig);
    const { whatsapp } = rig.settings.now();
    rig.settings.replace({ ...rig.settings.now(), whatsapp: { ...whatsapp, numbers: {} } });
    const follow = fallbackTimeouts({
      settings: rig.settings,
      store: rig.store,
      clock: rig.clock,
      offer: () => {},
    });
    expect(await follow()).toBe(false);
    await rig.store.write((tx) => tx.run("UPDATE fallbacks SET due_at = ?", rig.clock.nowMs()));
    await follow();
    expect(rig.messages(batch.batchId)).toMatchObject([{ operator: "orange", status: "QUEUED" }]);
  });

  test("goes on where its template is paused, or the number's day is used up, when its turn would have come", async () => {
    const rig = await rigWith(SENT, { number: { recipients_per_day: 1 } });
    const other = await underWay(rig, { recipients: [{ msisdn: "70000009", attributes }] });
    await rig.until(() => other.message()?.status === "SENT");
    const full = await underWay(rig, { recipients: [{ msisdn: "70000001", attributes }] });
    await rig.pass(70_000, 1000);
    await full.follow();
    expect([full.message()?.operator, rig.posts.length]).toEqual(["orange", 1]);
    const later = await underWay(rig, {
      recipients: ["70000002", "70000003"].map((msisdn) => ({ msisdn, attributes })),
    });
    await rig.store.write((tx) =>
      tx.run("UPDATE whatsapp_templates SET status = 'PAUSED', why_not = 'it is paused'"),
    );
    rig.settings.replace(rig.config({}, { recipients_per_day: 0 }));
    await rig.pass(70_000, 1000);
    await later.follow();
    expect(rig.messages(later.batchId).map(({ operator }) => operator)).toEqual(["orange", "orange"]);
    expect(rig.posts).toHaveLength(1);
  });

  test("goes on with all its batch when Meta pauses their template in the middle of it, over a restart", async () => {
    let posts = 0;
    const rig = await rigWith(SENT, {
      number: { throughput: 2 },
      fate: () => (++posts <= 3 ? SENT : { ...SENT, answer: 132015, isTaken: false, statuses: [] }),
    });
    const [paused] = BUILT_IN_TEMPLATES.filter(({ category }) => category === "UTILITY");
    const recipients = Array.from({ length: 12 }, (_, at) => ({ msisdn: String(70000001 + at), attributes }));
    const batch = await underWay(rig, { recipients });
    await rig.until(() => posts === 4);
    rig.sim.setTemplates([{ ...paused!, status: "PAUSED" }]);
    await rig.pass(2000, 100);
    await batch.follow();
    expect(rig.rows("fallbacks").map(({ stage }) => stage)).toEqual(
      Array.from({ length: 12 }, (_, at) => (at === 3 ? "SECOND" : "FIRST")),
    );
    const old = await rig.crash();
    await Promise.all([old.stop(0), rig.pass(10_000, 100)]);
    await rig.pass(60_000, 1000);
    await batch.follow();
    expect(rig.messages(batch.batchId).map(({ operator }) => operator)).toEqual(Array(12).fill("orange"));
    expect(posts).toBe(4);
  });

  test("goes on when its validity is over while its number stands still, though its client would wait as long", async () => {
    const rig = await rigWith(SENT, { number: { price: { OTP: 5 } } });
    const pause = { operator: "whatsapp:main", connection: null, reason: "a bill", actor: "awa", atMs: 5 };
    await rig.store.write((tx) => insertPause(tx, pause));
    rig.line().whatsapp.pausesChanged();
    const codes = idOf(
      await rig.submit({
        body: "*{code}* est votre code de vérification.",
        messageClass: "OTP",
        fallback: { channel: "SMS", after_seconds: 600 },
        recipients: ["70000001", "70000002"].map((msisdn) => ({ msisdn, attributes: { code: "4521" } })),
      }),
    );
    await rig.pass(601_000, 1000);
    rig.line().delivery.offer(codes);
    await rig.pass(1000);
    expect(rig.messages(codes).map(({ operator, status }) => `${operator} ${status}`)).toEqual([
      "orange QUEUED",
      "orange QUEUED",
    ]);
    expect(rig.posts).toEqual([]);
  });

  test("does not go on once its batch is cancelled, or while its account is suspended", async () => {
    const rig = await rigWith(SENT);
    const account = await rig.account();
    const cancelled = await underWay(rig);
    await rig.until(() => cancelled.message()?.status === "SENT");
    await rig.store.write((tx) =>
      requestCancellation(tx, cancelled.batchId, "CANCELLED", null, rig.clock.nowMs()),
    );
    const suspended = await underWay(rig, { recipients: [{ msisdn: "70000002", attributes }] });
    await rig.until(() => suspended.message()?.status === "SENT");
    await rig.store.write((tx) => suspendAccount(tx, account, "unpaid"));
    await rig.pass(61_000, 1000);
    await cancelled.follow();
    expect([cancelled.message()?.operator, suspended.message()?.operator]).toEqual([
      "whatsapp:main",
      "whatsapp:main",
    ]);
    expect(rig.rows("fallbacks").map(({ stage, due_at: due }) => [stage, due !== null])).toEqual([
      ["FIRST", false],
      ["FIRST", true],
    ]);
  });

  test("goes on within a minute of its account being let in again, where the silence was over before that", async () => {
    const rig = await rigWith(SENT);
    const account = await rig.account();
    const batch = await underWay(rig);
    await rig.until(() => batch.message()?.status === "SENT");
    await rig.store.write((tx) => suspendAccount(tx, account, "unpaid"));
    await rig.pass(61_000, 1000);
    await batch.follow();
    const before = batch.object().status_changed_at;
    await rig.pass(300_000, 10_000);
    await batch.follow();
    expect([batch.message()?.operator, batch.object().status_changed_at]).toEqual(["whatsapp:main", before]);
    await rig.store.write((tx) => resumeAccount(tx, account));
    await rig.pass(60_000, 1000);
    await batch.follow();
    expect(batch.message()?.operator).toBe("orange");
  });
});
