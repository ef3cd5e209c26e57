import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSenderReader } from "../../../src/admin/operations/msisdn.ts";
import {
  applyReceipt,
  type ReceiptOutcome,
  unmatchedSweep,
} from "../../../src/channels/sms/delivery-receipts.ts";
import { inboundRules } from "../../../src/channels/sms/read-deliver-sm.ts";
import { recordAccepted, recordUnanswered } from "../../../src/channels/sms/submit-results.ts";
import { operatorAccounts } from "../../../src/config/config.ts";
import { toUnansweredFact } from "../../../src/dispatch/attempt.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import {
  deriveOperatorFamilies,
  recordOperatorRename,
  rememberAccounts,
} from "../../../src/domain/messages/operator-codes.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { rig as deliveryRig } from "./rig.ts";

const reseller = { host: "aggregator.example.net", port: 2775, system_id: "faso" };
const DAY_MS = 86_400_000;

const config = configOf(
  document({
    operators: {
      orange: operator({ prefixes: ["22670"], price: 15, connections: [connection(reseller)] }),
      moov: operator({ prefixes: ["22671"], price: 15, connections: [connection(reseller)] }),
      telecel: operator({
        prefixes: ["22672"],
        price: 15,
        connections: [connection({ ...reseller, system_id: "other" })],
      }),
    },
  }),
);

const rules = inboundRules({
  config: () => config,
  readNumber: createSenderReader(config),
  onInboundKept: () => {},
});

let rig: Tenants;
beforeEach(() => {
  rig = tenants(config);
});
afterEach(() => rig.close());

const remember = (memberships = operatorAccounts(config)) =>
  rig.store.write((tx) => rememberAccounts(tx, memberships, rig.clock.nowMs()));

function facts<T>(work: (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => T) {
  return rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    const result = work(session, tx);
    session.close();
    return result;
  });
}

/** A message to a national number that was claimed; its id. */
async function claimed(number: string): Promise<number> {
  const batchId = await rig.send(await rig.account(), "MARKETING", [number], {
    body: `Bonjour ${rig.count("messages")}`,
  });
  const messageId = rig.messagesOf(batchId)[0]!.id;
  await facts((session) => session.apply({ kind: "claimed", messageId }));
  return messageId;
}

const accepted = (messageId: number, operatorCode: string, remoteId: string) =>
  facts((session, tx) =>
    recordAccepted(tx, session, { messageId, parts: [1], operator: operatorCode, remoteId, receipts: true }),
  );

const receipt = (operatorCode: string, id: string, msisdn: string): Promise<ReceiptOutcome> =>
  facts((session, tx) =>
    applyReceipt(
      tx,
      session,
      {
        operator: operatorCode,
        receipt: {
          id,
          state: "DELIVERED",
          rawStat: "DELIVRD",
          errorCode: null,
          isMarked: true,
          text: null,
        },
        msisdn,
      },
      rig.clock.nowMs(),
    ),
  );

const statusOf = (number: string) => rig.message(number).status;

describe("a receipt belongs to an SMSC account", () => {
  // Keeps: behaviour 6.90
  test("and finds its message whatever operator code the session goes by", async () => {
    await remember();
    await accepted(await claimed("71000001"), "moov", "A1");
    expect(await receipt("orange", "A1", "22671000001")).toBe("matched");
    expect(statusOf("71000001")).toBe("DELIVERED");
  });

  test("not to one of another system_id at the same place", async () => {
    await remember();
    await accepted(await claimed("71000001"), "moov", "A1");
    expect(await receipt("telecel", "A1", "22671000001")).toBe("unmatched");
    expect(statusOf("71000001")).toBe("SENT");
  });

  test("and when it comes before the response, it waits for the other operator's", async () => {
    await remember();
    const id = await claimed("71000001");
    expect(await receipt("orange", "A1", "22671000001")).toBe("unmatched");
    await accepted(id, "moov", "A1");
    expect(statusOf("71000001")).toBe("DELIVERED");
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("and settles the other operator's message whose response was lost, under that one's code", async () => {
    await remember();
    const id = await claimed("71000001");
    await facts((session, tx) => {
      const departed = { messageId: id, msisdn: "+22671000001", parts: [1], operator: "moov" };
      recordUnanswered(tx, session, { ...departed, sentSegment: null }, rig.clock.nowMs(), rig.clock.nowMs());
      const message = { messageId: id, messageClass: "MARKETING", resends: 0, expiresAt: 0 } as const;
      session.apply(toUnansweredFact(message, config.delivery.unanswered, rig.clock.nowMs()));
    });
    expect(await receipt("orange", "X1", "22671000001")).toBe("matched");
    expect(statusOf("71000001")).toBe("DELIVERED");
    expect(rig.store.read.all("SELECT operator, smsc_id FROM parts")).toEqual([
      { operator: "moov", smsc_id: "X1" },
    ]);
  });

  test("with the form of its ids: what one operator's receipts have shown holds for the others", async () => {
    await remember();
    for (let each = 0; each < 10; each++) {
      await accepted(await claimed(`7000000${each}`), "orange", (0xa0 + each).toString(16));
      await receipt("orange", String(0xa0 + each), `2267000000${each}`);
    }
    const ids = [await claimed("71000001"), await claimed("71000001")];
    for (const [index, remoteId] of ["10", "16"].entries()) await accepted(ids[index]!, "moov", remoteId);
    // 16 is the second exactly, and the first in decimal: this account reports in decimal.
    expect(await receipt("moov", "16", "22671000001")).toBe("matched");
    const statuses = ids.map(
      (id) => rig.store.read.get<{ status: string }>("SELECT status FROM messages WHERE id = ?", id)?.status,
    );
    expect(statuses).toEqual(["DELIVERED", "SENT"]);
  });

  test("also when the contract has moved to another server since", async () => {
    await remember();
    await accepted(await claimed("70000001"), "orange", "A1");
    await remember([{ operator: "orange", account: "faso@new.example.net:2775" }]);
    expect(await receipt("orange", "A1", "22670000001")).toBe("matched");
  });

  test("also when its operator has left the configuration, for a month", async () => {
    await remember();
    await accepted(await claimed("71000001"), "moov", "A1");
    await accepted(await claimed("71000002"), "moov", "A2");
    const without = operatorAccounts(config).filter((bound) => bound.operator !== "moov");
    await remember(without);
    await rig.clock.advance(31 * DAY_MS);
    await remember(without);
    expect(await receipt("orange", "A1", "22671000001")).toBe("matched");
    await rig.clock.advance(1);
    await remember(without);
    expect(await receipt("orange", "A2", "22671000002")).toBe("unmatched");
  });
});

// Keeps: behaviour 4.71
test("a renamed operator's receipts come by its new code's sessions, and those that were parked are tried again", async () => {
  const without = operatorAccounts(config).filter((bound) => bound.operator !== "telecel");
  await remember(without);
  const step = unmatchedSweep(rig.store, rig.clock, rules);
  while (await step());
  await accepted(await claimed("72000001"), "telecel", "A1");
  await accepted(await claimed("72000002"), "telecel", "A2");
  expect(await receipt("moov", "A1", "22672000001")).toBe("unmatched");
  await rig.store.write((tx) => recordOperatorRename(tx, "telecel", "moov", rig.clock.nowMs()));
  expect(await receipt("moov", "A2", "22672000002")).toBe("matched");
  while (await step());
  expect([statusOf("72000001"), statusOf("72000002")]).toEqual(["DELIVERED", "DELIVERED"]);
});

test("receipts that were parked before operators were known to share an account are tried again, a step at a time", async () => {
  for (let each = 100; each < 320; each++) await receipt("orange", `B${each}`, `22670000${each}`);
  await accepted(await claimed("71000001"), "moov", "A1");
  expect(await receipt("orange", "A1", "22671000001")).toBe("unmatched");
  await remember();
  const step = unmatchedSweep(rig.store, rig.clock, rules);
  const more: boolean[] = [];
  do more.push(await step());
  while (more.at(-1));
  expect(more).toEqual([true, true, true, false]);
  expect(statusOf("71000001")).toBe("DELIVERED");
  expect(rig.count("unmatched_receipts")).toBe(220);
  // And with the next start nothing is looked through again.
  await remember();
  expect(await step()).toBe(false);
});

test("families are those that share an account, also by way of a third", () => {
  const bound = (operatorCode: string, account: string) => ({ operator: operatorCode, account });
  const families = deriveOperatorFamilies([
    bound("a", "1"),
    bound("b", "2"),
    bound("c", "3"),
    bound("d", "4"),
    bound("c", "1"),
    bound("a", "2"),
    bound("d", "4"),
  ]);
  expect(Object.fromEntries(families)).toEqual({
    a: ["a", "b", "c"],
    b: ["b", "a", "c"],
    c: ["c", "a", "b"],
  });
});

// Keeps: behaviour 6.90
test("four operators over one account, the receipts by any session: every message gets its state", async () => {
  const codes = ["70", "71", "72", "73"];
  const shared = deliveryRig({
    operators: (port) =>
      Object.fromEntries(
        codes.map((prefix) => [
          `op${prefix}`,
          operator({
            prefixes: [`226${prefix}`],
            price: 15,
            connections: [connection({ host: "127.0.0.1", port, throughput: 10_000 })],
          }),
        ]),
      ),
  });
  try {
    await shared.store.write((tx) => {
      const accounts = codes.map((prefix) => ({ operator: `op${prefix}`, account: "bendre@127.0.0.1:2775" }));
      rememberAccounts(tx, accounts, shared.clock.nowMs());
    });
    const numbers = Array.from(
      { length: 80 },
      (_, index) => `${codes[index % 4]}${String(index).padStart(6, "0")}`,
    );
    await shared.send(await shared.account(), "TRANSACTIONAL", numbers);
    await shared.untilAll("SENT", 80);
    for (const [index, { to }] of shared.submits.entries()) {
      expect(await shared.receipt(`id-${index + 1}`, "DELIVRD", to)).toBe(0);
    }
    await shared.untilAll("DELIVERED", 80);
    const matched = shared
      .delivery()
      .status()
      .flatMap(({ connections }) => connections.map(({ tally }) => tally.receiptsMatched));
    // All of them came by one session, which is one operator's.
    expect(matched.sort((a, b) => b - a)).toEqual([80, 0, 0, 0]);
  } finally {
    await shared.close();
  }
});
