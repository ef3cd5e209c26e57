import { afterEach, beforeEach, expect, test } from "vitest";
import {
  applyReceipt,
  applyUnmatchedReceipts,
  giveUpTexts,
  settleTexts,
} from "../../../src/channels/sms/delivery-receipts.ts";
import type { Params } from "../../../src/db/reader.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { rememberAccounts } from "../../../src/domain/messages/operator-codes.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
const rules = { alphabetOf: () => "gsm" as const, readNumber: () => null, onKept: () => {} };

let rig: Tenants;
beforeEach(() => {
  rig = tenants(config);
});
afterEach(() => rig.close());

/** A transaction that notes every statement it runs, with its parameters. */
function watched(tx: Tx): { readonly tx: Tx; readonly ran: [sql: string, params: Params][] } {
  const ran: [string, Params][] = [];
  const noted =
    <Result>(run: (sql: string, ...params: Params) => Result) =>
    (sql: string, ...params: Params): Result => {
      ran.push([sql, params]);
      return run(sql, ...params);
    };
  const get: Tx["get"] = (sql, ...params) => {
    ran.push([sql, params]);
    return tx.get(sql, ...params);
  };
  const all: Tx["all"] = (sql, ...params) => {
    ran.push([sql, params]);
    return tx.all(sql, ...params);
  };
  return { tx: { ...tx, get, all, run: noted(tx.run), insert: noted(tx.insert) }, ran };
}

const receipt = (isMarked: boolean, id = "A1") => ({
  operator: "orange",
  account: "bendre@one.example.net:2775",
  msisdn: "22670000001",
  receipt: {
    id,
    state: "DELIVERED" as const,
    rawStat: "DELIVRD",
    errorCode: null,
    isMarked,
    text: null,
  },
});

test("whatever a receipt looks up is found by an index, in a family of four as well", async () => {
  const codes = ["orange", "moov", "telecel", "other"];
  await rig.send(await rig.account(), "OTP", ["70000001"]);
  await rig.store.write((tx) => {
    rememberAccounts(
      tx,
      codes.map((code) => ({ operator: code, account: "one" })),
      0,
    );
    const session = openFacts(tx, 0);
    session.apply({ kind: "claimed", messageId: 1 });
    const trace = {
      attempt: 1,
      connection: 1,
      sequence: 1,
      writtenAtMs: 0,
      unmatchedBefore: null,
      pduParametersId: 1,
    };
    const accepted = {
      kind: "part_accepted",
      messageId: 1,
      part: 1,
      operator: "orange",
      remoteId: "A1",
      remoteKey: "a1",
    } as const;
    session.apply({ ...accepted, final: false, trace });
    session.close();
  });
  const ran = await rig.store.write((real) => {
    const noted = watched(real);
    const session = openFacts(noted.tx, 0);
    applyReceipt(noted.tx, session, receipt(false), 0);
    applyReceipt(noted.tx, session, receipt(true, "12"), 0);
    applyReceipt(noted.tx, session, receipt(true), 0);
    applyReceipt(noted.tx, session, receipt(true), 0);
    applyUnmatchedReceipts(noted.tx, session, "moov", { id: "12", msisdn: "+22670000001" });
    settleTexts(noted.tx, session, rules, { account: "bendre@one.example.net:2775", after: 0, limit: 10 });
    giveUpTexts(noted.tx, rules, 0, 10);
    session.close();
    return noted.ran;
  });
  expect(ran.length).toBeGreaterThan(20);
  const scans = ran.flatMap(([sql, params]) =>
    rig.store.read
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
      .filter(({ detail }) => /^SCAN (?!json_each|CONSTANT|\(subquery)/.test(detail))
      .filter(({ detail }) => !/INDEX|operator_accounts|operator_renames/.test(detail))
      .map(({ detail }) => `${detail}: ${sql}`),
  );
  // The oldest texts are read from the table's own order.
  expect(scans.filter((scan) => !scan.startsWith("SCAN unmatched_texts"))).toEqual([]);
});

test("a receipt of an account that several operators share costs as many statements as one of an operator alone", async () => {
  const prepareStatements = async (id: string, messageId: number): Promise<number> => {
    await rig.store.write((tx) => {
      const session = openFacts(tx, 0);
      session.apply({ kind: "claimed", messageId });
      session.apply({
        kind: "part_accepted",
        messageId,
        part: 1,
        operator: "orange",
        remoteId: id,
        remoteKey: id,
        final: false,
      });
      session.close();
    });
    return rig.store.write((real) => {
      const { tx, ran } = watched(real);
      // Families are read once in a process.
      const session = openFacts(tx, 0);
      applyReceipt(tx, session, { ...receipt(true, id), msisdn: "" }, 0);
      const families = ran.filter(([sql]) => sql.includes("operator_accounts")).length;
      session.close();
      return ran.length - families;
    });
  };
  await rig.send(await rig.account(), "OTP", ["70000001", "70000002", "70000003"]);
  const alone = await prepareStatements("a1", 1);
  const codes = ["orange", "moov", "telecel", "other"];
  await rig.store.write((tx) =>
    rememberAccounts(
      tx,
      codes.map((code) => ({ operator: code, account: "one" })),
      0,
    ),
  );
  expect(await prepareStatements("a2", 2)).toBe(alone);
});
