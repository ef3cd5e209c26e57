/** What a restore leaves of an SMPP user: by the real one, of a copy that was made while parts and a receipt waited. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClaimRecovery } from "../../../src/app/channels.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { backupRestore } from "../../../src/ops/backup/restore.ts";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { type SmppClient, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
let elsewhere: string;
beforeEach(() => {
  elsewhere = mkdtempSync(join(tmpdir(), "bendre-backups-"));
});
afterEach(async () => {
  const { directory } = rig.stage.settings.now().storage;
  await rig.close();
  rmSync(elsewhere, { recursive: true });
  for (const name of readdirSync(dirname(directory)))
    if (name.startsWith(`${basename(directory)}.replaced`))
      rmSync(join(dirname(directory), name), { recursive: true });
});

const WANTED = { registeredDelivery: 1 };
const part = (number: number): Partial<ShortMessage> => ({
  ...WANTED,
  esmClass: 0x40,
  shortMessage: Buffer.concat([
    concatenationHeader({ reference: 3, total: 2, part: number }),
    textOf(`${number}`),
  ]),
});
const text = (words: string): Partial<ShortMessage> => ({ ...WANTED, shortMessage: textOf(words) });

/** The old machine dies, and a copy of it takes the place of its data. */
async function restore(file: string): Promise<void> {
  const { stage } = rig;
  await stage.stop();
  const outcome = await backupRestore(
    {
      config: stage.settings.now(),
      clock: stage.clock,
      actor: "awa",
      machine: systemPlatform,
      recoverClaim: createClaimRecovery(stage.settings),
    },
    { file, replace: true, keys: null },
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  await stage.start();
}

async function copy(): Promise<string> {
  const { file } = await rig.stage.admin("backup create", { FILE: join(elsewhere, "copy.db") });
  return String(file);
}

const received = (client: SmppClient) => client.delivered().map(({ tlvs }) => tlvs.receiptedMessageId);

test("drops parts that waited, without a receipt, repeats receipts, and gives no hex id a second time", async () => {
  rig = await smppRig({ ids: "hex" });
  await rig.addUser("new", { ids: "hex" });
  const first = await rig.bind("transmitter");
  const whole = await first.submit(text("whole"));
  await rig.stage.clock.advance(10_000);
  const waited = await first.submit(part(1));
  expect([whole.id, waited.id]).toEqual(["00000001", "00000002"]);
  expect(rig.status()).toMatchObject({ partsWaiting: 1, receipts: { waiting: 1 } });
  const file = await copy();

  // What happens after the copy is lost with the machine, but its clients remember it.
  const client = await rig.bind("receiver");
  await client.until(() => client.delivered().length === 1);
  expect((await first.submit(part(2))).id).toBe("00000003");
  await client.until(() => client.delivered().length === 3, 100);
  const late = await rig.bindAs("new", "transmitter");
  expect((await late.submit(text("of the other"))).id).toBe("00000001");

  await restore(file);
  expect(rig.status()?.partsWaiting).toBe(0);
  const again = await rig.bind();
  await again.until(() => again.delivered().length === 1);
  expect(received(again)).toEqual([whole.id]);
  expect(await again.submit(text("while nothing is decided"))).toEqual({ status: 0x14, id: null });
  await rig.stage.admin("backup resume", { waiting: "policy", yes: "true" });
  await rig.stage.clock.advance(700_000);
  expect(received(again)).toEqual([whole.id]);
  expect((await again.submit(text("decided"))).id).toBe("01000003");
  await again.until(() => again.delivered().length === 2, 100);
  const other = await rig.bindAs("new");
  expect((await other.submit(text("decided too"))).id).toBe("01000001");
});

test("has a hex counter begin anew behind its end, and decimal ids rise", async () => {
  rig = await smppRig({ ids: "hex" });
  const { store } = rig.stage.context();
  const client = await rig.bind();
  await client.submit(text("one"));
  await store.write((tx) => tx.run("UPDATE smpp_counters SET last_hex = ?", 0xffff_fff0));
  const file = await copy();
  await rig.change({ ids: "decimal" });
  const before = (await client.submit(text("two"))).id ?? "";
  await restore(file);
  await rig.stage.admin("backup resume", { waiting: "policy", yes: "true" });
  const again = await rig.bind();
  expect((await again.submit(text("three"))).id).toBe("00FFFFF2");
  await rig.change({ ids: "decimal" });
  expect(Number((await again.submit(text("four"))).id)).toBeGreaterThan(Number(before));
});
