import { afterEach, expect, test } from "vitest";
import { validator } from "../../../src/intake/validate.ts";
import {
  decisionDone,
  endRestoring,
  FIRST_HELD,
  heldMessages,
  holdAll,
  isHeldBack,
  noteDecision,
} from "../../../src/messages/held.ts";
import { decideDue } from "../../../src/upkeep/backup/decide-held.ts";
import { heldCounts } from "../../../src/upkeep/backup/resume-view.ts";
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
async function validatedAfter(waiting: "policy" | "hold" | null): Promise<number> {
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
      scheduledAt: null,
      timezone: null,
      isTest: false,
      otherTags: [],
    }),
  );
  if (answer.kind !== "accepted") throw new Error(`the batch is ${answer.kind}`);
  const { id } = answer.batch;
  expect(rig.batch(id).status).toBe("VALIDATING");
  const nowMs = rig.clock.nowMs();
  const restore = { restoredAtMs: nowMs, file: "copy", madeAtMs: nowMs, parkedBefore: 0 };
  await rig.store.write((tx) => holdAll(tx, restore));
  if (waiting !== null)
    await rig.store.write((tx) => {
      endRestoring(tx, nowMs);
      decisionDone(tx, noteDecision(tx, ALL, waiting, nowMs), ALL);
    });
  const { next } = validator(rig.intake);
  while (await next());
  expect(rig.batch(id).status).toBe("QUEUED");
  return id;
}

const decideAll = async (): Promise<void> => {
  const deps = { store: rig.store, clock: rig.clock, settleUnheld: () => {}, offer: () => {} };
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
