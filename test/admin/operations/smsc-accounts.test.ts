import { expect, test } from "vitest";
import { smscAccounts } from "../../../src/admin/operations/operators.ts";
import { countUnmarked, noteMarked } from "../../../src/channels/sms/receipt-detection.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { tenants } from "../../kit/tenants.ts";

test("SMSC accounts are told with who shares them, and with how their receipts were seen to come", async () => {
  const config = configOf(
    document({
      operators: {
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: [connection(), connection({ port: 2776 })],
        }),
        moov: operator({
          prefixes: ["22671"],
          price: 15,
          connections: [connection({ host: "SMSC.example.net" })],
        }),
      },
    }),
  );
  const rig = tenants(config);
  await rig.send(await rig.account(), "OTP", ["70000001"]);
  const views = () => smscAccounts(rig.store.read, config);
  expect(views()).toEqual([
    {
      account: "bendre@smsc.example.net:2775",
      operators: ["orange", "moov"],
      unmarked_receipts: "auto",
      receipts: phrase("link.receipts.unknown"),
    },
    {
      account: "bendre@smsc.example.net:2776",
      operators: ["orange"],
      unmarked_receipts: "auto",
      receipts: phrase("link.receipts.unknown"),
    },
  ]);
  await rig.store.write((tx) => {
    countUnmarked(tx, "bendre@smsc.example.net:2775", 1, 0);
    noteMarked(tx, "bendre@smsc.example.net:2776", 0);
  });
  expect(views().map(({ receipts }) => receipts)).toEqual([
    phrase("link.receipts.so_far", { numbers: 1, needed: 20 }),
    phrase("link.receipts.marked"),
  ]);
  await rig.close();
});
