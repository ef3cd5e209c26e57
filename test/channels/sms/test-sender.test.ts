import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyReceipt } from "../../../src/channels/sms/delivery-receipts.ts";
import { recordAccepted, recordUnanswered } from "../../../src/channels/sms/submit-results.ts";
import {
  claimTestMessage,
  readTestMessage,
  recordTestResponse,
  recordTestUnaccepted,
} from "../../../src/channels/sms/test-messages.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
const NUMBER = "+22670000001";

let rig: Tenants;
beforeEach(() => {
  rig = tenants(config);
});
afterEach(() => rig.close());

/** A test text to NUMBER that orange was given. */
const claimed = (): Promise<number> =>
  rig.store.write((tx) =>
    claimTestMessage(tx, {
      ulid: "01TEST",
      operator: "orange",
      msisdn: NUMBER,
      sender: "ACME",
      actor: "awa",
      claimedAtMs: rig.clock.nowMs(),
      unmatchedBefore: 0,
      isAlert: false,
    }),
  );

const accepted = (id: number, remoteId: string) =>
  rig.store.write((tx) =>
    recordTestResponse(tx, id, { outcome: "accepted", atMs: rig.clock.nowMs(), commandStatus: 0, remoteId }),
  );

/** What became of a receipt for an id. */
const receipt = (
  id: string,
  change: Partial<{
    state: "DELIVERED" | "UNDELIVERABLE" | "PENDING";
    isMarked: boolean;
    msisdn: string;
  }> = {},
) =>
  rig.store.write((tx) => {
    const { state = "DELIVERED", isMarked = true, msisdn = "22670000001" } = change;
    const session = openFacts(tx, rig.clock.nowMs());
    const read = { id, state, rawStat: state.slice(0, 7), errorCode: null, text: null, isMarked };
    const incoming = { operator: "orange", receipt: read, msisdn, account: "host:2775:bendre" };
    const outcome = applyReceipt(tx, session, incoming, rig.clock.nowMs());
    session.close();
    return outcome;
  });

/** A message to NUMBER that orange was given. */
async function message(): Promise<number> {
  const batchId = await rig.send(await rig.account(), "OTP", ["70000001"], { body: "Bonjour" });
  const [row] = rig.messagesOf(batchId);
  if (!row) throw new Error("a batch of one has a message");
  await rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    session.apply({ kind: "claimed", messageId: row.id });
    session.close();
  });
  return row.id;
}

const facts = (work: (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => void) =>
  rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    work(session, tx);
    session.close();
  });

describe("a receipt of a test text", () => {
  test("finds it by its id, also read in another base, and the first that ends it counts", async () => {
    const id = await claimed();
    await accepted(id, "b8be19");
    expect(await receipt("12107289", { state: "PENDING" })).toBe("matched");
    expect(readTestMessage(rig.store.read, id)).toMatchObject({ receiptAtMs: null, rawState: "PENDING" });
    expect(await receipt("12107289")).toBe("matched");
    expect(await receipt("B8BE19", { state: "UNDELIVERABLE" })).toBe("matched");
    expect(readTestMessage(rig.store.read, id)).toMatchObject({ failure: null, rawState: "DELIVER" });
  });

  test("counts without a mark too, before it is known how the account sends them", async () => {
    const id = await claimed();
    await accepted(id, "A1");
    expect(await receipt("A1", { isMarked: false, msisdn: "ACME" })).toBe("unmatched");
    expect(await receipt("A1", { isMarked: false })).toBe("matched");
    expect(readTestMessage(rig.store.read, id)?.receiptAtMs).not.toBeNull();
  });

  test("never takes one that a message waits for", async () => {
    const id = await claimed();
    await accepted(id, "A1");
    const messageId = await message();
    await facts((session, tx) =>
      recordAccepted(tx, session, {
        messageId,
        parts: [1],
        operator: "orange",
        remoteId: "A1",
        receipts: true,
      }),
    );
    expect(await receipt("A1")).toBe("matched");
    expect([rig.message("70000001").status, readTestMessage(rig.store.read, id)?.receiptAtMs]).toEqual([
      "DELIVERED",
      null,
    ]);
    expect(await receipt("A1")).toBe("matched");
    expect(readTestMessage(rig.store.read, id)?.receiptAtMs).not.toBeNull();
  });
});

describe("a test text that was not answered", () => {
  /** A message to the same number, which nobody answered for either. */
  async function messageInDoubt(): Promise<void> {
    const messageId = await message();
    const departed = { messageId, msisdn: NUMBER, parts: [1], operator: "orange", sentSegment: null };
    await facts((session, tx) =>
      recordUnanswered(tx, session, departed, rig.clock.nowMs(), rig.clock.nowMs()),
    );
  }

  test("keeps a receipt with an unknown id from being taken for a message's", async () => {
    const id = await claimed();
    await rig.store.write((tx) => recordTestUnaccepted(tx, id, "unanswered"));
    await messageInDoubt();
    expect(await receipt("NOBODY-GAVE-IT")).toBe("unmatched");
    expect(rig.message("70000001").status).toBe("SUBMITTED");
  });

  test("keeps it no longer once it is known that nothing of it left", async () => {
    const id = await claimed();
    await rig.store.write((tx) => recordTestUnaccepted(tx, id, "not_sent"));
    await messageInDoubt();
    expect(await receipt("NOBODY-GAVE-IT")).toBe("matched");
    expect(rig.message("70000001").status).toBe("DELIVERED");
  });
});
