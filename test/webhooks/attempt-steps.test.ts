import { afterEach, describe, expect, test } from "vitest";
import { createTraceLog, type FollowedMessage } from "../../src/core/log.ts";
import { testLog } from "../kit/test-log.ts";
import { answered, DELAYS, type Rig, webhookRig } from "./rig.ts";

let rig: Rig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

describe("attempts to tell an endpoint", () => {
  test("are steps: those about a message that is followed are told as its own", async () => {
    const log = testLog();
    const followed = new Map<number, FollowedMessage>();
    rig = await webhookRig(
      DELAYS,
      createTraceLog({ log, followLog: log, rooms: ["webhooks"], followed, idOf: () => null }),
    );
    const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
    const [first = 0, second = 0] = await rig.batch(2);
    const messageId = String(rig.books.messageRow(first).ulid);
    followed.set(first, { messageId, msisdn: "+22670000001" });
    rig.answer(() => answered(503));
    rig.start();
    await rig.deliver(first, second);
    await rig.pass(1);
    const steps = log.lines.map(({ message, message_id, webhook_id, attempt, status }) => ({
      message,
      message_id,
      webhook_id,
      attempt,
      status,
    }));
    const step = { message: "webhook attempt", webhook_id: id, attempt: 1, status: 503 };
    expect(steps).toContainEqual({ ...step, message_id: messageId });
    expect(steps).toContainEqual({ ...step, message_id: undefined });
  });
});
