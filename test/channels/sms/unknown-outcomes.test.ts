import { describe, expect, test } from "vitest";
import { quiet, type Rig, type RigOptions, rigOfEachTest, type Submit } from "./rig.ts";

const PRICE = 15;
const TIMEOUT_MS = 20_000;
const HOUR_MS = 3_600_000;
const TWO_PARTS = "a".repeat(300);
const FOUR_PARTS = "a".repeat(600);

const rig = rigOfEachTest();

/** An SMSC that answers nothing to the first number until told to, and accepts what is to others. */
function silent(options: RigOptions = {}) {
  const waiting: Submit[] = [];
  const onSubmit = (submit: Submit) =>
    submit.to === "70000001" ? void waiting.push(submit) : submit.accept();
  return { line: rig({ ...options, onSubmit }), waiting };
}

const message = (line: Rig) => line.message("70000001");
const isWaiting = (line: Rig) => message(line).unanswered_until !== null;

/** An OTP of which all four submits are in doubt. */
async function fourInDoubt() {
  const { line, waiting } = silent();
  const accountId = await line.account({ funds: 100 });
  const batchId = await line.send(accountId, "OTP", ["70000001"]);
  const others = await line.account();
  for (let second = 0; !isWaiting(line) && second < 200; second++) {
    // The link stays beyond doubt, since others are answered on it.
    if (second % 10 === 9) await line.send(others, "TRANSACTIONAL", [String(70_000_100 + second)]);
    await line.clock.advance(1000);
    await quiet(line);
  }
  expect(waiting).toHaveLength(4);
  return { line, waiting, accountId, batchId };
}

describe("a message of which four submits are in doubt", () => {
  // Keeps: behaviour 6.82
  test("does not move when one of them is refused late, and is SENT and charged when another is accepted", async () => {
    const { line, waiting, accountId } = await fourInDoubt();
    waiting[0]?.refuse(0x45);
    await quiet(line);
    expect(message(line)).toMatchObject({ status: "SUBMITTED", is_final: 0, amount: 0 });
    expect(line.wallet(accountId).reserved).toBe(PRICE);
    waiting[3]?.accept("fourth");
    await line.until(() => message(line).status === "SENT");
    expect(message(line).amount).toBe(PRICE);
    expect(line.wallet(accountId)).toMatchObject({ funds: 100 - PRICE, reserved: 0 });
    waiting[1]?.accept("second");
    await quiet(line);
    expect(line.wallet(accountId)).toMatchObject({ funds: 100 - PRICE, reserved: 0 });
  });

  // Keeps: behaviour 6.82
  test("is FAILED with the last answer, and released once, when all of them are refused late", async () => {
    const { line, waiting, accountId, batchId } = await fourInDoubt();
    for (const submit of waiting.slice(0, 3)) submit.refuse(0x45);
    await quiet(line);
    expect(message(line).status).toBe("SUBMITTED");
    waiting[3]?.refuse(0x0b);
    await line.untilAll("FAILED", 1);
    expect(message(line)).toMatchObject({
      error_code: "INVALID_DESTINATION",
      operator_code: "0x0B",
      amount: 0,
    });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId)).toMatchObject({ status: "SETTLED", released_amount: PRICE });
  });

  // Keeps: behaviour 6.82
  test("is never sent a fifth time, however late it is throttled, and fails with that answer's code", async () => {
    const { line, waiting, accountId } = await fourInDoubt();
    for (const submit of waiting.slice(0, 4)) {
      submit.refuse(0x58);
      for (let second = 0; second < 40; second++) {
        await line.clock.advance(1000);
        await quiet(line);
      }
    }
    expect(waiting).toHaveLength(4);
    expect(message(line)).toMatchObject({
      status: "FAILED",
      error_code: "OPERATOR_THROTTLED",
      operator_code: "0x58",
    });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
  });
});

describe("a message of which a submit is in doubt", () => {
  // Keeps: behaviour 6.82, 6.83
  test("waits from the refusal of its last attempt while the one before is in doubt", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => waiting.length === 2);
    await line.clock.advance(5000);
    waiting[1]?.refuse(0x45);
    await line.until(() => isWaiting(line));
    expect(message(line)).toMatchObject({
      status: "SUBMITTED",
      unanswered_until: line.clock.nowMs() + 24 * HOUR_MS,
    });
    waiting[0]?.accept("first");
    await line.untilAll("SENT", 1);
    expect(message(line).amount).toBe(PRICE);
  });

  // Keeps: behaviour 6.82
  test("is tried again after a throttled attempt only while resends are left", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(TIMEOUT_MS);
    for (let second = 0; !isWaiting(line) && second < 200; second++) {
      await quiet(line);
      for (const submit of waiting.slice(1).filter((one) => one !== waiting[0])) submit.refuse(0x14);
      waiting.splice(1, waiting.length);
      await line.clock.advance(1000);
    }
    expect(line.submits).toHaveLength(4);
    expect(message(line)).toMatchObject({ status: "SUBMITTED", resends: 3, is_final: 0 });
  });

  // Keeps: behaviour 6.82
  test("ends while it waits to be sent again, when the only submit of it is refused late", async () => {
    const { line, waiting } = silent({ connection: { window: 1 } });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => waiting.length === 1);
    // The one place of the window is held for as long again, so the resend stays in the queue.
    await line.clock.advance(TIMEOUT_MS + 1000);
    await line.until(() => message(line).status === "QUEUED");
    waiting[0]?.refuse(0x0b);
    await line.untilAll("FAILED", 1);
    await line.clock.advance(60_000);
    expect(waiting).toHaveLength(1);
    expect(message(line).error_code).toBe("INVALID_DESTINATION");
  });

  // Keeps: behaviour 6.82
  test("of MARKETING is queued again when its submit is throttled late, and no more than three times", async () => {
    const { line, waiting } = silent({ connection: { window: 50 } });
    await line.send(await line.account(), "MARKETING", ["70000001"]);
    for (let sent = 1; sent <= 4; sent++) {
      for (let second = 0; waiting.length < sent && second < 60; second++) {
        await line.clock.advance(1000);
        await quiet(line);
      }
      expect(waiting).toHaveLength(sent);
      await line.clock.advance(TIMEOUT_MS);
      await line.until(() => isWaiting(line));
      waiting[sent - 1]?.refuse(0x14);
      await line.until(() => !isWaiting(line));
    }
    expect(message(line)).toMatchObject({ status: "FAILED", error_code: "OPERATOR_THROTTLED" });
  });
});

describe("a long message of which one segment is in doubt", () => {
  // Keeps: behaviour 5.14, 6.82
  test("is not ended by the refusal of another, and is once the doubt is over: what was accepted is charged", async () => {
    const { line, waiting } = silent();
    const accountId = await line.account({ funds: 100 });
    await line.send(accountId, "MARKETING", ["70000001"], { body: TWO_PARTS });
    await line.until(() => waiting.length === 2);
    waiting[0]?.refuse(0x45);
    await quiet(line);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => isWaiting(line));
    expect(message(line).status).toBe("SUBMITTED");
    waiting[1]?.accept("second");
    await line.untilAll("FAILED", 1);
    expect(message(line)).toMatchObject({ error_code: "OPERATOR_REJECTED", amount: PRICE });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100 - PRICE, reserved: 0 });
  });

  // Keeps: behaviour 5.13, 6.82
  test("has the segment that was throttled sent again once the doubt is over, and no other", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "MARKETING", ["70000001"], { body: TWO_PARTS });
    await line.until(() => waiting.length === 2);
    waiting[0]?.refuse(0x14);
    await quiet(line);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => isWaiting(line));
    waiting[1]?.accept("second");
    for (let second = 0; waiting.length < 3 && second < 10; second++) {
      await line.clock.advance(1000);
      await quiet(line);
    }
    expect(waiting[2]?.place?.part).toBe(1);
    waiting[2]?.accept("first");
    await line.untilAll("SENT", 1);
    expect(waiting).toHaveLength(3);
    expect(message(line).amount).toBe(2 * PRICE);
  });

  // Keeps: behaviour 6.82
  test("goes on by its last answer when the doubt ends before the attempt does", async () => {
    const { line, waiting } = silent({ connection: { window: 50 } });
    await line.send(await line.account(), "MARKETING", ["70000001"], { body: TWO_PARTS });
    await line.until(() => waiting.length === 2);
    await line.clock.advance(TIMEOUT_MS - 1);
    await quiet(line);
    waiting[1]?.accept("second");
    await quiet(line);
    await line.clock.advance(1);
    await line.until(() => isWaiting(line));
    waiting[0]?.refuse(0x14);
    for (let second = 0; waiting.length < 3 && second < 10; second++) {
      await line.clock.advance(1000);
      await quiet(line);
    }
    expect(waiting[2]?.place?.part).toBe(1);
  });

  // Keeps: behaviour 6.82
  test("has the segment that never left sent at once when a receipt ends the doubt about the other", async () => {
    const { line, waiting } = silent({ connection: { window: 1 } });
    await line.send(await line.account(), "MARKETING", ["70000001"], { body: TWO_PARTS });
    await line.until(() => waiting.length === 1);
    waiting[0]?.peer.end();
    await line.until(() => isWaiting(line));
    await line.clock.advance(10_000);
    await quiet(line);
    await line.receipt("unheard-of", "DELIVRD");
    await line.until(() => waiting.length === 2);
    expect(waiting[1]?.place?.part).toBe(2);
    waiting[1]?.accept("second");
    await line.until(() => message(line).status === "SENT");
    expect(message(line).amount).toBe(2 * PRICE);
  });

  // Keeps: behaviour 5.13, 6.82
  test("has nothing sent again that is accepted late while the resend waits for its turn", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "OTP", ["70000001"], { body: FOUR_PARTS });
    await line.until(() => waiting.length === 4);
    await line.clock.advance(TIMEOUT_MS);
    // Four timeouts put the link in doubt: the resend's first segment is risked, and the others wait for its answer.
    for (let second = 0; waiting.length < 5 && second < 60; second++) {
      await line.clock.advance(1000);
      await quiet(line);
    }
    expect(waiting.map(({ place }) => place?.part)).toEqual([1, 2, 3, 4, 1]);
    for (const late of [1, 3]) waiting[late]?.accept(`late-${late}`);
    await line.until(() => waiting.length === 6);
    await line.clock.advance(5000);
    await quiet(line);
    expect(waiting.slice(4).map(({ place }) => place?.part)).toEqual([1, 3]);
    for (const again of [4, 5]) waiting[again]?.accept(`again-${again}`);
    await line.untilAll("SENT", 1);
    expect(message(line).amount).toBe(4 * PRICE);
    await line.clock.advance(60_000);
    await quiet(line);
    expect(waiting).toHaveLength(6);
  });
});
