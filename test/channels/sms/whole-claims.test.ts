import { describe, expect, test } from "vitest";
import { recoverClaim } from "../../../src/channels/sms/submit-results.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Rig, rigOfEachTest } from "./rig.ts";

const opened = rigOfEachTest();
/** A process that comes after one that died knows nothing of how its connections were configured. */
const settings = settingsHolder(
  configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })),
);
const LONG = "L'assemblee des usagers se tient samedi au marche. ".repeat(8).trim();

/** What the process after a death finds, and does about it before anything is sent. */
const afterDeath = ({ store, clock }: Rig) =>
  recoverLeases({ store, recoverClaim: recoverClaim(settings) }, clock.nowMs());

const statusOf = ({ store }: Rig) =>
  store.read.get<{ status: string }>("SELECT status FROM messages")?.status;

/** A text of three segments that was written to the operator and not answered when the process died. */
async function leftAndNotAnswered(connection: Record<string, unknown>, body: string, waits: boolean) {
  const rig = opened({ connection, waits, onSubmit: () => {} });
  const accountId = await rig.account();
  await rig.send(accountId, "MARKETING", ["70000001"], { body });
  const submits = connection.long_messages === "udh" && connection.default_alphabet === undefined ? 3 : 1;
  await rig.until(() => rig.submits.length === submits);
  await afterDeath(rig);
  return rig;
}

describe("a long text whose answer a death took", () => {
  test.each([
    ["it waited in the queue first", true],
    ["it was claimed where it was accepted", false],
  ])("is delivered by its one receipt where it left whole: %s", async (_, waits) => {
    const rig = await leftAndNotAnswered({ long_messages: "payload" }, LONG, waits);
    await rig.receipt("whole-1", "DELIVRD");
    expect(statusOf(rig)).toBe("DELIVERED");
  });

  test("is delivered by its one receipt where the operator's alphabet had it leave whole", async () => {
    const connection = { long_messages: "udh", default_alphabet: "ascii" };
    const rig = await leftAndNotAnswered(connection, LONG.replaceAll("a", "à"), true);
    await rig.receipt("whole-1", "DELIVRD");
    expect(statusOf(rig)).toBe("DELIVERED");
  });

  test("is not delivered by the receipt of one of its parts", async () => {
    const rig = await leftAndNotAnswered({ long_messages: "udh" }, LONG, true);
    await rig.receipt("part-1", "DELIVRD");
    expect(statusOf(rig)).toBe("SUBMITTED");
    await rig.receipt("part-2", "DELIVRD");
    await rig.receipt("part-3", "DELIVRD");
    expect(statusOf(rig)).toBe("DELIVERED");
  });
});
