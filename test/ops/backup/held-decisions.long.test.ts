import { afterEach, describe, expect, test } from "vitest";
import type { RecoverClaim } from "../../../src/dispatch/leases.ts";
import { handOver } from "../../../src/domain/messages/queue.ts";
import {
  completeRestoreDecision,
  FIRST_HELD,
  heldMessages,
  holdAllMessages,
  isHeldBack,
  type RestoreDecision,
  recordRestoreDecision,
  reopenAfterRestore,
} from "../../../src/domain/messages/restore-holds.ts";
import { validator } from "../../../src/domain/submission/staging.ts";
import { decideDue } from "../../../src/ops/backup/held-decisions.ts";
import { heldCounts } from "../../../src/ops/backup/resume.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const operators = { orange: operator({ prefixes: ["22670"], price: 15 }) };
const ALL = { messageClass: null, operator: null };

let rig: Tenants;
afterEach(() => rig.close());

/**
 * A batch that was being validated in the copy of a restore, about which all was decided before its validation ended; null: nothing was
 * decided yet.
 */
async function validatedAfter(
  waiting: Exclude<RestoreDecision, "send"> | null,
  scheduledAt: string | null = null,
): Promise<number> {
  rig = tenants(configOf(document({ operators })));
  const account = await rig.account();
  const recipients = Array.from({ length: 10_001 }, (_, at) => ({
    msisdn: `70${String(at).padStart(6, "0")}`,
    attributes: null,
  }));
  const answer = await rig.submit(
    rig.order(account, {
      sender: "ACME",
      body: "Bonjour",
      messageClass: "TRANSACTIONAL",
      channel: "SMS",
      template: null,
      fallback: null,
      recipients,
      textPolicy: null,
      clientReference: null,
      missingAttributes: null,
      scheduledAt,
      timezone: null,
      isTest: false,
      otherTags: [],
    }),
  );
  if (answer.kind !== "accepted") throw new Error(`the batch is ${answer.kind}`);
  const { id } = answer.batch;
  expect(rig.batch(id).status).toBe("VALIDATING");
  const nowMs = rig.clock.nowMs();
  const restore = { restoredAtMs: nowMs, file: "copy", madeAtMs: nowMs, unmatchedBefore: 0 };
  await rig.store.write((tx) => holdAllMessages(tx, restore));
  if (waiting !== null)
    await rig.store.write((tx) => {
      reopenAfterRestore(tx, nowMs);
      completeRestoreDecision(tx, recordRestoreDecision(tx, ALL, waiting, nowMs), ALL);
    });
  const { next } = validator(rig.intake);
  while (await next());
  expect(rig.batch(id).status).toBe(scheduledAt === null ? "QUEUED" : "SCHEDULED");
  return id;
}

/** As every channel does with what is in doubt and is not sent again at once. */
const waits: RecoverClaim = (_tx, session, { messageId }, nowMs) => {
  session.apply({ kind: "unanswered", messageId, next: "wait", untilMs: nowMs + 3_600_000 });
};
const decideAll = async (): Promise<void> => {
  const deps = { store: rig.store, clock: rig.clock, recoverClaim: waits, offer: () => {} };
  while (await decideDue(deps));
};

test("a batch that is validated only after all was decided goes by what was decided", async () => {
  const id = await validatedAfter("policy");
  expect(isHeldBack(rig.store.read, { batchId: id, operator: "orange" })).toBe(true);
  await decideAll();
  expect(isHeldBack(rig.store.read, { batchId: id, operator: "orange" })).toBe(false);
  expect(heldMessages(rig.store.read, FIRST_HELD, 5)).toEqual([]);
});

test("one that was decided to be held is held message by message, and listed", async () => {
  const id = await validatedAfter("hold");
  await decideAll();
  expect(isHeldBack(rig.store.read, { batchId: id, operator: "orange" })).toBe(true);
  expect(heldMessages(rig.store.read, FIRST_HELD, 5)).toHaveLength(5);
});

test("one whose time had not come when the old machine last ran is free, whatever was decided", async () => {
  const id = await validatedAfter("give-up", "2026-03-02T12:00:00Z");
  await decideAll();
  expect(heldMessages(rig.store.read, FIRST_HELD, 5)).toEqual([]);
  expect(rig.batch(id)).toMatchObject({ status: "SCHEDULED", submitted: 0, failed: 0 });
});

test.each<["nothing" | "hold"]>([["nothing"], ["hold"]])(
  "a batch counts among what is held as soon as it is validated, where %s was decided",
  async (waiting) => {
    await validatedAfter(waiting === "nothing" ? null : waiting);
    const held = [{ message_class: "TRANSACTIONAL", operator: "orange", kind: "waiting", messages: 10_001 }];
    const { store, clock } = rig;
    expect(await heldCounts({ store, clock })).toEqual(held);
    await decideAll();
    expect(await heldCounts({ store, clock })).toEqual(held);
  },
);

describe("a message that is held and handed over to another operator's code", () => {
  const ofMoov = { messageClass: null, operator: "moov" };
  const NUMBERS = ["70000001", "70000002"];

  /** Held in a restored copy, and handed over once something was decided of the other code. */
  async function handed(
    waiting: RestoreDecision | null,
    scheduledAt: string | null = null,
    ranForMs = 0,
  ): Promise<number> {
    rig = tenants(configOf(document({ operators })));
    const id = await rig.send(await rig.account(), "TRANSACTIONAL", NUMBERS, { scheduledAt });
    const nowMs = rig.clock.nowMs();
    await rig.store.write((tx) =>
      holdAllMessages(tx, { restoredAtMs: nowMs, file: "copy", madeAtMs: nowMs, unmatchedBefore: 0 }),
    );
    await rig.store.write((tx) => {
      reopenAfterRestore(tx, nowMs);
      if (waiting !== null)
        completeRestoreDecision(tx, recordRestoreDecision(tx, ofMoov, waiting, nowMs + ranForMs), ofMoov);
    });
    await decideAll();
    expect(heldMessages(rig.store.read, FIRST_HELD, 5)).toHaveLength(2);
    await rig.store.write((tx) => handOver(tx, { batchId: id, operator: "orange" }, "moov", 250));
    await decideAll();
    return id;
  }
  const heldBy = () => heldMessages(rig.store.read, FIRST_HELD, 5).map(({ operator }) => operator);
  const errors = (id: number) => rig.messagesOf(id).map(({ error_code }) => error_code);

  test.each<["nothing" | "hold"]>([["nothing"], ["hold"]])(
    "is held as before where %s was decided of that",
    async (waiting) => {
      const id = await handed(waiting === "nothing" ? null : waiting);
      expect([heldBy(), errors(id)]).toEqual([
        ["moov", "moov"],
        [null, null],
      ]);
    },
  );

  test.each<["send" | "give-up", string, string | null]>([
    ["send", "QUEUED", null],
    ["give-up", "FAILED", "RESTORE_GIVEN_UP"],
  ])("goes by what was decided of that: %s", async (waiting, status, code) => {
    const id = await handed(waiting);
    expect([heldBy(), errors(id)]).toEqual([[], [code, code]]);
    expect(rig.messagesOf(id).map((message) => message.status)).toEqual([status, status]);
  });

  const AT = "2026-03-02T12:00:00Z";
  test("is free where the time of its batch had not come when the old machine last ran", async () => {
    const id = await handed("give-up", AT);
    expect([heldBy(), errors(id), rig.batch(id).status]).toEqual([[], [null, null], "SCHEDULED"]);
  });

  test("is decided where the time of its batch had come by then, and ends it", async () => {
    const id = await handed("give-up", AT, 24 * 3_600_000);
    expect([heldBy(), rig.batch(id)]).toMatchObject([[], { status: "SETTLED", failed: 2 }]);
  });
});
