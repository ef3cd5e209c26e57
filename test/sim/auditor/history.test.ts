import { describe, expect, test } from "vitest";
import { historyOf } from "./history.ts";
import { possible } from "./possible.ts";
import { accepted, delivered, idOf, opening, page, SUBMISSION, settled } from "./scene.ts";
import { count, render } from "./text.ts";

const SUBMIT = {
  client: "alpha",
  method: "POST",
  path: "/batches",
  headers: { "idempotency-key": "k1" },
  body: SUBMISSION,
} as const;

describe("a history", () => {
  test("knows each accepted recipient with number, text and segments", () => {
    const run = opening();
    run.ask(SUBMIT, accepted(idOf(1)));
    const [batch] = historyOf(run.observations).batches;
    expect(batch).toMatchObject({ batchId: idOf(1), account: { name: "alpha", billing: "prepaid" } });
    expect(batch?.messages).toMatchObject([
      { index: 0, msisdn: "+22607000001", text: "Bonjour Awa", segments: 1 },
      { index: 1, msisdn: "+22670000002", text: "Bonjour Ali", segments: 1 },
    ]);
  });

  test("takes no message for a recipient that was rejected", () => {
    const run = opening();
    const rejections = [{ index: 0, msisdn: "+22607000001", reason_code: "SUPPRESSED" }];
    run.ask(SUBMIT, accepted(idOf(1), { accepted: 1, rejected: 1, rejections }));
    expect(historyOf(run.observations).batches[0]?.messages.map(({ index }) => index)).toEqual([1]);
  });

  test("knows a batch whose answer was lost by what the feed shows of it", () => {
    const run = opening();
    run.ask(SUBMIT, null);
    expect(historyOf(run.observations).batches).toMatchObject([{ batchId: null, acknowledged: null }]);
    run.ask({ client: "alpha", path: "/messages" }, page([delivered(idOf(1), 0), delivered(idOf(1), 1)]));
    expect(historyOf(run.observations).batches).toMatchObject([{ batchId: idOf(1), acknowledged: null }]);
  });

  test("takes no batch of other numbers for one whose answer was lost", () => {
    const run = opening();
    run.ask(SUBMIT, null);
    const row = delivered(idOf(1), 0, { msisdn: "+22607000009" });
    run.ask({ client: "alpha", path: "/messages" }, page([row]));
    expect(historyOf(run.observations).batches[0]?.batchId).toBe(null);
  });

  test("takes no batch that rejected other numbers for one whose answer was lost", () => {
    const batchOf = (recipient: string, shown: string | null) => {
      const run = opening();
      const body = { ...SUBMISSION, recipients: [{ msisdn: recipient }] };
      run.ask({ ...SUBMIT, body }, null);
      const rejections = [{ index: 0, msisdn: shown, reason_code: "INVALID_MSISDN" }];
      const changes = { status: "REJECTED", accepted: 0, rejected: 1, rejections };
      run.ask({ client: "alpha", path: `/batches/${idOf(1)}` }, settled(idOf(1), changes));
      return historyOf(run.observations).batches[0]?.batchId;
    };
    expect(batchOf("07000001", "+22607000001")).toBe(idOf(1));
    expect(batchOf("07000001", "+22607000002")).toBe(null);
    expect(batchOf("07000001", null)).toBe(null);
    expect(batchOf("12", null)).toBe(idOf(1));
    expect(batchOf("70 12 34 56 x12", "+22670123456")).toBe(idOf(1));
    expect(batchOf("70 12 34 56 x12", "+22670123457")).toBe(null);
  });

  test("counts a submission that was repeated under its key once", () => {
    const run = opening();
    run.ask(SUBMIT, null);
    run.ask(SUBMIT, accepted(idOf(1)));
    run.ask(SUBMIT, accepted(idOf(1)));
    run.ask({ client: "alpha", path: `/batches/${idOf(1)}` }, settled(idOf(1)));
    const history = historyOf(run.observations);
    expect(history.submissions[0]?.bodies[0]?.tries).toHaveLength(3);
    expect(history.batches).toHaveLength(1);
  });
});

describe("a setting over time", () => {
  const change = (value: string, earliestMs: number, latestMs: number, isSure = true) => ({
    value,
    earliestMs,
    latestMs,
    isSure,
  });

  test("is both before and after while its command runs, and only the new one afterwards", () => {
    expect(possible("old", [change("new", 10, 20)], 15, 15)).toEqual(["old", "new"]);
    expect(possible("old", [change("new", 10, 20)], 21, 30)).toEqual(["new"]);
  });

  test("stays open after a command that was broken off", () => {
    expect(possible("old", [change("new", 10, 20, false)], 21, 30)).toEqual(["old", "new"]);
  });
});

describe("a text", () => {
  test("is filled in with an empty text where the value is missing", () => {
    expect(render("a{x}b{y}c{ z }", { x: 1 })).toBe("a1bc{ z }");
  });

  test("is counted without splitting an escape pair", () => {
    expect(count(`${"a".repeat(152)}€${"a".repeat(152)}`)).toEqual({ encoding: "GSM7", segments: 3 });
    expect(count("ç".repeat(71))).toEqual({ encoding: "UCS2", segments: 2 });
    expect(count("Ç".repeat(160))).toEqual({ encoding: "GSM7", segments: 1 });
  });
});
