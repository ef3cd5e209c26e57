import { describe, expect, test } from "vitest";
import { dropOldUnmatchedReceipts } from "../../../src/channels/sms/unmatched-receipts.ts";
import type { Config } from "../../../src/config/config.ts";
import { type Rig, rigOfEachTest } from "./rig.ts";

const rigged = rigOfEachTest();
const OK = 0;
/** RX_T_APPN: the operator sends it again. */
const LATER = 0x64;

/** At most so many receipts are kept of an account. */
const upTo = (unmatched_receipts: number) => ({
  altered: (config: Config): Config => ({ ...config, storage: { ...config.storage, unmatched_receipts } }),
});
const kept = ({ count }: Rig) => count("unmatched_receipts");
const refused = ({ delivery }: Rig) => delivery().status()[0]!.connections[0]!.tally.receiptsRefused;
const bound = (rig: Rig) => rig.until(() => rig.delivery().status()[0]!.connections[0]!.state === "BOUND");
let strays = 0;
const stray = ({ receipt }: Rig) => receipt(`stray-${++strays}`, "DELIVRD", "79999999");

describe("receipts about nothing", () => {
  test("above the cap of their account are asked for later, kept nowhere, counted, and told once a minute", async () => {
    const rig = rigged(upTo(5));
    await bound(rig);
    const answers: number[] = [];
    for (let each = 0; each < 9; each++) answers.push(await stray(rig));
    expect(answers).toEqual([OK, OK, OK, OK, OK, LATER, LATER, LATER, LATER]);
    expect(kept(rig)).toBe(5);
    expect(refused(rig)).toBe(4);
    const told = () => rig.lines.filter(({ smsc_account }) => smsc_account !== undefined);
    expect(told()).toMatchObject([{ level: "warn", smsc_account: expect.stringContaining("@127.0.0.1:") }]);
  });

  test("above the cap do not keep those that match from their messages", async () => {
    const rig = rigged(upTo(2));
    await bound(rig);
    const accountId = await rig.account();
    for (let each = 0; each < 4; each++) await stray(rig);
    await rig.send(accountId, "OTP", ["70000001"]);
    await rig.untilAll("SENT", 1);
    expect(await rig.receipt("id-1", "DELIVRD")).toBe(OK);
    expect(rig.message("70000001").status).toBe("DELIVERED");
    expect(await stray(rig)).toBe(LATER);
  });

  test("are kept again once others went with their age, and when the cap is higher", async () => {
    const rig = rigged(upTo(3));
    await bound(rig);
    for (let each = 0; each < 5; each++) await stray(rig);
    await rig.clock.advance(73 * 3_600_000);
    await rig.store.write((tx) => dropOldUnmatchedReceipts(tx, rig.clock.nowMs()));
    expect(kept(rig)).toBe(0);
    await bound(rig);
    // The first finds out that there is room.
    expect(await stray(rig)).toBe(LATER);
    await rig.settle();
    expect(await stray(rig)).toBe(OK);
  });

  test("that wait from before a restart count, and no others", async () => {
    const rig = rigged(upTo(5));
    await bound(rig);
    for (let each = 0; each < 4; each++) await stray(rig);
    await rig.restart();
    await bound(rig);
    const answers = [await stray(rig), await stray(rig)];
    expect(answers).toEqual([OK, LATER]);
    expect(kept(rig)).toBe(5);
  });

  test("an operator whose receipts are always early never comes near the cap", async () => {
    const rig = rigged({
      ...upTo(8),
      onSubmit: ({ accept, to }, count) => {
        void rig.receipt(`early-${count}`, "DELIVRD", to).then(() => accept(`early-${count}`));
      },
    });
    const accountId = await rig.account();
    for (let each = 0; each < 40; each++) {
      await rig.send(accountId, "OTP", [String(70_000_001 + each)]);
      await rig.untilAll("DELIVERED", each + 1);
      await rig.clock.advance(61_000);
    }
    expect(refused(rig)).toBe(0);
    expect(kept(rig)).toBe(0);
  });
});
