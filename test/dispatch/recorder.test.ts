import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTransient } from "../../src/db/errors.ts";
import type { Store } from "../../src/db/store.ts";
import { type Recorder, recorder } from "../../src/dispatch/recorder.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";
import { testLog } from "../kit/test-log.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let jobs: number;
let record: Recorder["record"];
let enter: Recorder["enter"];
let log: ReturnType<typeof testLog>;

beforeEach(async () => {
  rig = tenants(config);
  jobs = 0;
  log = testLog();
  const store: Store = {
    ...rig.store,
    writeEach: (items, work) => {
      jobs += 1;
      return rig.store.writeEach(items, work);
    },
  };
  ({ record, enter } = recorder(store, rig.clock, log));
  await rig.send(await rig.account(), "OTP", ["70000001", "70000002", "70000003"]);
});
afterEach(() => rig.close());

const claim = (messageId: number) => record((_, session) => session.apply({ kind: "claimed", messageId }).to);

describe("the recorder", () => {
  test("writes what comes in one turn in one job, and tells each what came of it", async () => {
    expect(await Promise.all([claim(1), claim(2), claim(3)])).toEqual([
      "SUBMITTED",
      "SUBMITTED",
      "SUBMITTED",
    ]);
    expect(jobs).toBe(1);
    expect(rig.batch(1)).toMatchObject({ status: "SENDING", submitted: 3 });
  });

  test("tells only when it is durable", async () => {
    let isDurable = false;
    const told = claim(1).then(() => {
      isDurable = rig.message("70000001").status === "SUBMITTED";
    });
    expect(rig.message("70000001").status).toBe("QUEUED");
    await told;
    expect(isDurable).toBe(true);
  });

  test("tells all that shared a job in one turn, in their order, whatever one of them does about it", async () => {
    const told: string[] = [];
    const entered = (messageId: number, follow: () => void) =>
      enter(
        (_, session) => session.apply({ kind: "claimed", messageId }).to,
        (outcome) => {
          told.push(outcome.status === "fulfilled" ? outcome.value : "rejected");
          queueMicrotask(() => told.push("a turn later"));
          follow();
        },
      );
    entered(1, () => {
      throw new Error("cannot follow");
    });
    entered(99, () => {});
    entered(3, () => {});
    await claim(2);
    expect(told.slice(0, 3)).toEqual(["SUBMITTED", "rejected", "SUBMITTED"]);
    expect(jobs).toBe(1);
    expect(log.lines.map(({ level }) => level)).toEqual(["error", "error"]);
  });

  test("lets what is wrong with one fact spoil only that one", async () => {
    const results = await Promise.allSettled([claim(1), claim(99), claim(3)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(rig.messagesOf(1).map(({ status }) => status)).toEqual(["SUBMITTED", "QUEUED", "SUBMITTED"]);
    expect(rig.batch(1).submitted).toBe(2);
    expect(log.lines).toMatchObject([{ level: "error" }]);
  });

  test("tries what shared a job with a fact that can't be written once more, and that fact too, and no more often", async () => {
    const tries = { 1: 0, 99: 0, 3: 0 };
    const counted = (messageId: 1 | 99 | 3) =>
      record((_, session) => {
        tries[messageId] += 1;
        return session.apply({ kind: "claimed", messageId });
      });
    await Promise.allSettled([counted(1), counted(99), counted(3)]);
    expect(tries).toEqual({ 1: 2, 99: 2, 3: 1 });
    expect(rig.batch(1).submitted).toBe(2);
  });
});

test("a full disk, a failing disk and a lock may pass; a broken rule and a bug do not", () => {
  const failing = (code: string) => Object.assign(new Error("x"), { code });
  for (const code of ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_BUSY"]) {
    expect(isTransient(failing(code))).toBe(true);
  }
  expect(isTransient(failing("SQLITE_CONSTRAINT_CHECK"))).toBe(false);
  expect(isTransient(new Error("a message may not move from SENT to QUEUED"))).toBe(false);
  expect(isTransient("SQLITE_FULL")).toBe(false);
});
