import { afterEach, describe, expect, test } from "vitest";
import { claimReference } from "../../../src/channels/sms/smpp-worker.ts";
import { allocateReference, deleteReferences, readReference } from "../../../src/channels/sms/submit-sm.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { holdAllMessages } from "../../../src/domain/messages/restore-holds.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { type Rig, rigOfEachTest } from "./rig.ts";

const rigged = rigOfEachTest();
const LONG = "L'assemblee des usagers se tient samedi au marche. ".repeat(8).trim();

/** The references of what was submitted in parts, in order, one a part. */
const references = ({ submits }: Rig): readonly number[] =>
  submits.flatMap(({ place }) => (place === null ? [] : [place.reference]));
/** Texts have had references of their own from this message on. */
const countedFrom = (tx: Tx, messageId: number) =>
  tx.run("UPDATE concatenation_start SET uncounted_through = ?", messageId - 1);
const rowOf = ({ messagesOf }: Rig, batchId: number): number => messagesOf(batchId)[0]!.id;

describe("long texts to one number, one after the other", () => {
  test.each([
    ["claimed where they are accepted", false],
    ["that wait in the queue", true],
  ])("have references of their own, also with 255 messages between them: %s", async (_, waits) => {
    const rig = rigged({ waits });
    const accountId = await rig.account();
    const first = await rig.send(accountId, "MARKETING", ["70000001"], { body: LONG });
    const others = Array.from({ length: 255 }, (_, index) => String(70_000_100 + index));
    await rig.send(accountId, "MARKETING", others);
    const second = await rig.send(accountId, "MARKETING", ["70000001"], { body: `Demain. ${LONG}` });
    await rig.untilAll("SENT", 257);
    expect(rowOf(rig, second) - rowOf(rig, first)).toBe(256);
    const [one, ...more] = references(rig);
    expect(more.slice(0, 2)).toEqual([one, one]);
    expect(new Set(more.slice(2)).size).toBe(1);
    expect(more[2]).not.toBe(one);
  });

  test("have the same however often they are sent, by another process too, and texts of one segment have none", async () => {
    const rig = rigged({
      onSubmit: (submit, count) => (count === 2 ? submit.refuse(0x08) : submit.accept()),
    });
    const accountId = await rig.account();
    await rig.send(accountId, "MARKETING", ["70000001"], { body: LONG });
    await rig.until(() => rig.message("70000001").not_before > rig.clock.nowMs());
    await rig.restart();
    await rig.clock.advance(60_000);
    await rig.untilAll("SENT", 1);
    await rig.send(accountId, "MARKETING", ["70000002"]);
    await rig.untilAll("SENT", 2);
    const sent = references(rig);
    expect(sent).toEqual(Array.from({ length: 4 }, () => sent[0]!));
    expect(rig.count("concatenations")).toBe(1);
  });

  test("that left before references were counted keep the one that they left under", async () => {
    const rig = rigged({
      onSubmit: (submit, count) => (count === 2 ? submit.refuse(0x08) : submit.accept()),
    });
    const batchId = await rig.send(await rig.account(), "MARKETING", ["70000001"], { body: LONG });
    await rig.until(() => rig.message("70000001").not_before > rig.clock.nowMs());
    await rig.store.write((tx) => {
      tx.run("DELETE FROM concatenations");
      countedFrom(tx, rowOf(rig, batchId) + 1);
    });
    await rig.clock.advance(60_000);
    await rig.untilAll("SENT", 1);
    expect(references(rig).at(-1)).toBe(rowOf(rig, batchId) & 0xff);
  });

  test("that leave whole have none", async () => {
    const rig = rigged({ connection: { long_messages: "payload" } });
    await rig.send(await rig.account(), "MARKETING", ["70000001"], { body: LONG });
    await rig.untilAll("SENT", 1);
    expect(rig.count("concatenations")).toBe(0);
  });
});

describe("the counter of a recipient and a sender", () => {
  const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
  let rig: Tenants | null = null;
  afterEach(async () => {
    await rig?.close();
    rig = null;
  });

  /** What is remembered is remembered of a transaction's object: with another one nothing is. */
  const asAnotherProcess = (tx: Tx): Tx => ({ ...tx });

  let messageId = 0;
  const take = (tx: Tx, msisdn = "+22670000001", sender = "ACME") => {
    messageId += 1;
    return allocateReference(tx, { messageId, msisdn, sender });
  };

  test("goes on by one, and comes round after 256", async () => {
    rig = tenants(config);
    const taken: number[] = [];
    for (let each = 0; each < 300; each++) taken.push(await rig.store.write((tx) => take(tx)));
    expect(taken).toEqual(taken.map((_, index) => index % 256));
    expect(readReference(rig.store.read, messageId)).toBe(taken.at(-1)!);
    await rig.store.write((tx) => deleteReferences(tx, JSON.stringify([messageId])));
    expect(readReference(rig.store.read, messageId)).toBe(null);
  });

  test("writes a row for one text in hundreds, and never more than there are rows", async () => {
    rig = tenants(config);
    let writes = 0;
    await rig.store.write((tx) => {
      const counting: Tx = {
        ...tx,
        run: (sql, ...params) => {
          if (sql.includes("concatenation_counters")) writes += 1;
          return tx.run(sql, ...params);
        },
      };
      for (let each = 0; each < 100_000; each++) take(counting, `+226${70_000_000 + each}`);
    });
    expect(rig.count("concatenation_counters")).toBeLessThanOrEqual(1024);
    expect(writes).toBeLessThan(1200);
  });

  test("is never behind what left, after a job that was undone neither", async () => {
    rig = tenants(config);
    const { store } = rig;
    const first = await store.write((tx) => take(tx));
    for (let each = 0; each < 12; each++) {
      await expect(
        store.write((tx) => {
          take(tx);
          throw new Error("undone");
        }),
      ).rejects.toThrow("undone");
    }
    const second = await store.write((tx) => take(tx));
    expect(second).not.toBe(first);
    const reached = () =>
      store.read.all<{ reached: Uint8Array }>("SELECT reached FROM concatenation_counters")[0]!.reached;
    expect(Math.max(...reached())).toBeGreaterThan(second);
  });

  test("goes on after a restart, and after a copy from before was restored, also once more", async () => {
    rig = tenants(config);
    const { store, clock } = rig;
    const several = () =>
      store.write((tx) => {
        const another = asAnotherProcess(tx);
        return Array.from({ length: 5 }, () => take(another));
      });
    const before = await several();
    const copy = store.read.all<{ place: number; reached: Uint8Array }>(
      "SELECT place, reached FROM concatenation_counters",
    );
    const restored = async (afterMs: number) => {
      await store.write((tx) => {
        tx.run("DELETE FROM concatenation_counters");
        tx.run("DELETE FROM restores");
        for (const { place, reached } of copy)
          tx.run("INSERT INTO concatenation_counters (place, reached) VALUES (?, ?)", place, reached);
        const restoredAtMs = clock.nowMs() + afterMs;
        holdAllMessages(tx, { restoredAtMs, file: "copy", madeAtMs: 0, unmatchedBefore: 0 });
      });
      return several();
    };
    const all = [before, await several(), await restored(1000), await restored(60_000)].flat();
    expect(new Set(all).size).toBe(20);
  });

  test("is asked for what may have left under a reference that a copy lacks, not for what left before any was counted", async () => {
    rig = tenants(config);
    const { store } = rig;
    const claim = (id: number, accepted: readonly number[] = []) => {
      const message = { id, msisdn: "+22670000001", attempts: 1, resends: 1 - accepted.length };
      const candidate = {
        batch: { sender: "ACME" },
        message: { ...message, segments: 3, text: null, operatorCode: null },
      };
      return store.write((tx) => claimReference(tx, candidate, new Set(accepted)));
    };
    await store.write((tx) => countedFrom(tx, 1000));
    expect([await claim(998), await claim(999, [1])]).toEqual([998 & 0xff, 999 & 0xff]);
    const taken = [await claim(1000), await claim(1001, [1]), await claim(1000)];
    expect(taken).toEqual([0, 1, 0]);
  });
});
