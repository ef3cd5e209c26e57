import { describe, expect, test } from "vitest";
import { createTraceLog, hiddenDigits, shortNumber, withTrace } from "../../src/core/log.ts";
import { testLog } from "../kit/test-log.ts";

const FOLLOWED = new Map([[7, { messageId: "MESSAGE7", msisdn: "+22670000001" }]]);

function rig(rooms: readonly ("sms" | "store")[]) {
  const log = testLog();
  return {
    log,
    steps: createTraceLog({
      log,
      followLog: log,
      rooms,
      followed: FOLLOWED,
      idOf: (row) => (row < 100 ? `ID${row}` : null),
    }),
  };
}

describe("the log of steps", () => {
  test("tells the steps of the rooms that are shown, with the message's id in place of its row", () => {
    const { log, steps } = rig(["sms"]);
    steps.tell("sms", "claimed", { message: 8, attempt: 1 });
    steps.tell("sms", "claimed", { message: 100 });
    steps.tell("store", "slow statement", { ms: 60 });
    expect(log.lines).toEqual([
      { level: "debug", message: "claimed", room: "sms", message_id: "ID8", attempt: 1 },
      { level: "debug", message: "claimed", room: "sms", message_id: "row 100" },
    ]);
    expect([steps.shows("sms"), steps.shows("store")]).toEqual([true, false]);
  });

  test("tells every step of a message that is followed, whatever its room", () => {
    const { log, steps } = rig([]);
    steps.tell("store", "anything", { message: 7 });
    steps.tell("sms", "claimed", { message: 8 });
    expect(log.lines).toEqual([
      { level: "debug", message: "anything", room: "store", message_id: "MESSAGE7" },
    ]);
  });

  test("goes with the log wherever it is handed, and stays out of a log without one", () => {
    const { log, steps } = rig(["sms"]);
    const inner = withTrace(log, steps).with({ operator: "orange" }).with({ connection: 1 });
    inner.steps?.tell("sms", "claimed", {});
    inner.info("bound");
    expect(log.lines).toEqual([
      { level: "debug", message: "claimed", room: "sms" },
      { level: "info", message: "bound", operator: "orange", connection: 1 },
    ]);
    let built = 0;
    testLog().steps?.tell("sms", "claimed", { built: ++built });
    expect(built).toBe(0);
  });
});

describe("a number in a log", () => {
  test("is never whole, in any spelling", () => {
    const spellings = ["+22670000001", "22670000001", "0022670000001", "70000001", "7000001"];
    expect(spellings.map(shortNumber)).toEqual([
      "+22670....01",
      "22670....01",
      "0022670....01",
      "70....01",
      "7....01",
    ]);
  });

  test("stays as it is where it is a name or a short code", () => {
    expect(["ACME", "36999", "", "Code 70000001"].map(hiddenDigits)).toEqual([null, null, null, null]);
  });
});
