import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import type { FilledQueue, TakeFastPathSlot } from "../../../src/domain/messages/queue.ts";
import { submitter } from "../../../src/domain/submission/submit.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const CONFIG = configOf(
  document({
    operators: {
      orange: operator({ prefixes: ["22670"], price: 15 }),
      moov: operator({ prefixes: ["22671"], price: 20 }),
    },
  }),
);

let rig: Tenants;
let accountId: number;
/** Room on each operator's line. */
let room: Record<string, number>;
let told: string[];
let queued: (readonly FilledQueue[] | null)[];

const passage: TakeFastPathSlot = (_read, { operator: code }, messages) => {
  const count = Math.min(room[code] ?? 0, messages.length);
  if (count === 0) return null;
  room[code]! -= count;
  let isOpen = true;
  return {
    count,
    unmatchedBefore: 7,
    leave: (batchId) => {
      isOpen = false;
      told.push(`${count} of batch ${batchId} leave ${code}`);
    },
    end: () => {
      if (isOpen) room[code]! += count;
      isOpen = false;
    },
  };
};

beforeEach(async () => {
  room = {};
  told = [];
  queued = [];
  rig = tenants(CONFIG, (_batchId, filled) => queued.push(filled), passage);
  accountId = await rig.account();
});
afterEach(() => rig.close());

const otpTo = (msisdn: string) =>
  rig.order(accountId, {
    sender: "ACME",
    body: "Bonjour",
    messageClass: "OTP",
    channel: "SMS",
    isTest: false,
    clientReference: null,
    template: null,
    timezone: null,
    textPolicy: null,
    missingAttributes: null,
    otherTags: [],
    scheduledAt: null,
    recipients: [{ msisdn, attributes: null }],
  });

describe("what finds room when it is accepted", () => {
  test("is claimed with its acceptance, as much as there is room for, and the rest waits", async () => {
    room = { orange: 2, moov: 1 };
    const batchId = await rig.send(accountId, "OTP", ["70000001", "71000001", "70000002", "70000003"]);
    expect(rig.messagesOf(batchId).map(({ status }) => status)).toEqual([
      "SUBMITTED",
      "SUBMITTED",
      "SUBMITTED",
      "QUEUED",
    ]);
    expect(rig.batch(batchId)).toMatchObject({ status: "SENDING", submitted: 3 });
    expect(told.toSorted()).toEqual(["1 of batch 1 leave moov", "2 of batch 1 leave orange"]);
    expect(
      queued.map((places) => places?.map(({ messages }) => messages.map(({ msisdn }) => msisdn))),
    ).toEqual([[["+22670000003"]]]);
  });

  test("is answered as QUEUED, and nobody is told of a batch of which nothing waits", async () => {
    room = { orange: 1 };
    const answer = await rig.submit(otpTo("70000001"));
    expect(answer).toMatchObject({ kind: "accepted", batch: { status: "QUEUED" } });
    expect(queued).toEqual([]);
  });

  test("stands in the books as what was claimed right behind its acceptance", async () => {
    room = { orange: 1 };
    const atOnce = await rig.send(accountId, "OTP", ["70000001"]);
    const later = await rig.send(accountId, "OTP", ["70000002"]);
    const [message] = rig.messagesOf(later);
    await rig.store.write((tx) => {
      const session = openFacts(tx, rig.clock.nowMs());
      session.apply({ kind: "claimed", messageId: message!.id, unmatchedBefore: 7 });
      session.close();
    });
    const own = ["id", "ulid", "batch_id", "msisdn", "stamp_us", "first_message_id"];
    const rowsOf = (batchId: number) =>
      [
        rig.store.read.get("SELECT * FROM batches WHERE id = ?", batchId),
        rig.store.read.get("SELECT * FROM messages WHERE batch_id = ?", batchId),
      ].map((row) => Object.entries(row as object).filter(([column]) => !own.includes(column)));
    expect(rowsOf(atOnce)).toEqual(rowsOf(later));
  });

  test("leaves no earlier than its acceptance is durable, and gives its room back where that fails", async () => {
    room = { orange: 1 };
    const submit = submitter({
      ...rig.intake,
      store: {
        ...rig.store,
        write: (job, ...how) =>
          rig.store.write(
            (tx) => {
              job(tx);
              expect(room.orange).toBe(0);
              throw new Error("the disk is full");
            },
            ...how,
          ),
      },
    });
    await rig.send(accountId, "OTP", ["71000001"]);
    await expect(submit(otpTo("70000001"))).rejects.toThrow("the disk is full");
    expect({ told, room }).toEqual({ told: [], room: { orange: 1 } });
  });

  test("asks for no room where it is to leave later", async () => {
    room = { orange: 1 };
    const scheduledAt = new Date(rig.clock.nowMs() + 3_600_000).toISOString();
    const batchId = await rig.send(accountId, "OTP", ["70000001"], { scheduledAt });
    expect(rig.batch(batchId).status).toBe("SCHEDULED");
    expect({ told, room }).toEqual({ told: [], room: { orange: 1 } });
  });
});
