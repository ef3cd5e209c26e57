/** Who sells, on what a client is given on paper. */
import { expect, test } from "vitest";
import { BATCH_REPORT_ROUTES } from "../../../src/console/server/routes/batch-report.ts";
import { WALLET_ROUTES } from "../../../src/console/server/routes/wallet.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inEnglish } from "../english-words.ts";

const SELLER = { name: "Faso SMS SARL", address: ["01 BP 1234"], tax_numbers: ["IFU 00012345 A"] };

/** The seller of an invoice, of a statement and of the report of a batch. */
async function sellersWith(seller: typeof SELLER) {
  const fixture = adminFixture();
  const { config } = fixture.context;
  const context = {
    ...fixture.context,
    config: { ...config, seller: { ...config.seller, ...seller } },
  };
  const account = await fixture.account();
  const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
  const asked = {
    context,
    user: 1,
    session: 1,
    files: createUploads(fixture.clock),
    account: null,
    seesMoney: true,
    may: () => true,
    language: "fr" as const,
    translate: inEnglish,
  };
  const ofAccount = { params: { account }, query: {}, body: undefined };
  const invoice = granted(await WALLET_ROUTES["GET /accounts/:account/invoice"].run(asked, ofAccount));
  const statement = granted(await WALLET_ROUTES["GET /accounts/:account/statement"].run(asked, ofAccount));
  const ofBatch = { params: { batch }, query: undefined, body: undefined };
  const report = granted(await BATCH_REPORT_ROUTES["GET /batches/:batch/report"].run(asked, ofBatch));
  await fixture.close();
  return [invoice.seller ?? null, statement.seller, report.seller];
}

test("who sells stands on an invoice, a statement and the report of a batch", async () => {
  expect(await sellersWith(SELLER)).toEqual([SELLER, SELLER, SELLER]);
});

test("nobody stands there where the configuration names nobody", async () => {
  expect(await sellersWith({ name: "", address: [], tax_numbers: [] })).toEqual([null, null, null]);
});
