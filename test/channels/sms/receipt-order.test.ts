import { afterEach, describe, expect, test } from "vitest";
import { recoverClaim } from "../../../src/channels/sms/submit-results.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Rig, rig, type Submit } from "./rig.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let running: Rig | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

/** The wall clock, set away from the steady one by so much. */
let shiftMs = 0;
const shifted = (real: Clock): Clock => ({ ...real, nowMs: () => real.nowMs() + shiftMs });

const setClockBack = (ms: number) => {
  shiftMs -= ms;
};

async function started(onSubmit?: (submit: Submit, count: number) => void): Promise<Rig> {
  shiftMs = 0;
  running = rig({ clock: shifted, ...(onSubmit && { onSubmit }) });
  await bound(running);
  return running;
}

const bound = ({ until, delivery }: Rig) =>
  until(() => delivery().status()[0]?.connections[0]?.state === "BOUND");

const unmatched = ({ count }: Rig) => count("unmatched_receipts");

describe.each([30_000, 3_600_000, 365 * 86_400_000])("a clock that is set back by %i ms", (ms) => {
  // Keeps: behaviour 6.91
  test("between a submit and its receipt loses nothing", async () => {
    const appliance = await started();
    await appliance.send(await appliance.account(), "OTP", ["70000001"]);
    await appliance.untilAll("SENT", 1);
    setClockBack(ms);
    await appliance.receipt("id-1", "DELIVRD");
    expect(appliance.message("70000001").status).toBe("DELIVERED");
    expect(unmatched(appliance)).toBe(0);
  });

  test("between a submit and a receipt that comes before the response loses nothing", async () => {
    const waiting: Submit[] = [];
    const appliance = await started((submit) => waiting.push(submit));
    await appliance.send(await appliance.account(), "OTP", ["70000001"]);
    await appliance.until(() => waiting.length === 1);
    setClockBack(ms);
    await appliance.receipt("A1", "DELIVRD");
    expect(unmatched(appliance)).toBe(1);
    waiting[0]!.accept("A1");
    await appliance.untilAll("DELIVERED", 1);
    expect(unmatched(appliance)).toBe(0);
  });

  // Keeps: behaviour 6.91
  test("lets no receipt be taken for that of a message which left after it came", async () => {
    const appliance = await started((submit) => submit.accept("7"));
    setClockBack(-ms);
    await appliance.receipt("7", "DELIVRD");
    expect(unmatched(appliance)).toBe(1);
    setClockBack(ms);
    await appliance.send(await appliance.account(), "OTP", ["70000001"]);
    await appliance.untilAll("SENT", 1);
    expect(unmatched(appliance)).toBe(1);
    // Its own comes later.
    await appliance.receipt("7", "DELIVRD");
    await appliance.untilAll("DELIVERED", 1);
  });

  test("and a stop in between lose nothing: what was parked is tried again when its message is looked after", async () => {
    const appliance = await started(() => {});
    await appliance.send(await appliance.account(), "MARKETING", ["70000001"]);
    await appliance.until(() => appliance.submits.length === 1);
    setClockBack(ms);
    await appliance.receipt("A1", "DELIVRD");
    expect(unmatched(appliance)).toBe(1);
    await appliance.stopDelivery();
    setClockBack(ms);
    await recoverLeases(
      { store: appliance.store, recoverClaim: recoverClaim(settingsHolder(config)) },
      appliance.clock.nowMs() + shiftMs,
    );
    expect(appliance.message("70000001").status).toBe("DELIVERED");
    expect(unmatched(appliance)).toBe(0);
  });
});

test("the order of receipts and submits is remembered over a restart", async () => {
  const appliance = await started((submit) => submit.accept("7"));
  await appliance.receipt("7", "DELIVRD");
  await appliance.restart();
  await bound(appliance);
  await appliance.send(await appliance.account(), "OTP", ["70000001"]);
  await appliance.untilAll("SENT", 1);
  expect(unmatched(appliance)).toBe(1);
  expect(appliance.message("70000001").status).toBe("SENT");
});

test("a receipt that may be about one of two messages is tried again when the operator refuses one of them", async () => {
  const held: Submit[] = [];
  const appliance = await started((submit) => held.push(submit));
  const account = await appliance.account();
  await appliance.send(account, "MARKETING", ["70000001"], { body: "un" });
  await appliance.until(() => held.length === 1);
  await appliance.clock.advance(21_000);
  await appliance.until(() => appliance.count("unaccepted_submits") === 1);
  await appliance.send(account, "MARKETING", ["70000001"], { body: "deux" });
  await bound(appliance);
  await appliance.until(() => held.length === 2);
  await appliance.receipt("X1", "DELIVRD");
  expect(unmatched(appliance)).toBe(1);
  held[1]!.refuse(0x0b);
  await appliance.untilAll("DELIVERED", 1);
  expect([1, 2].map((batchId) => appliance.messagesOf(batchId)[0]?.status)).toEqual(["DELIVERED", "FAILED"]);
  expect(unmatched(appliance)).toBe(0);
});
