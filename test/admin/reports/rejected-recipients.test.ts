/** Why somebody did not get a text, by their number. */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findRejectedRecipient,
  type RejectedFilters,
} from "../../../src/admin/reports/rejected-recipients.ts";
import { LEFT_OUT_STEP } from "../../../src/domain/messages/number-records.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, granted } from "../operations/fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const AWA = "+22605112233";
const NONE: RejectedFilters = { number: "05 11 22 33", account: null, from: null, to: null, limit: 50 };
const find = async (filters: Partial<RejectedFilters> = {}) =>
  granted(await findRejectedRecipient(fixture.context, { ...NONE, ...filters }));
const DAY_MS = 86_400_000;

const without = (reason: string, msisdn = AWA, of = account, status = "SENDING") =>
  plantBatch(fixture, { account: of, status, messages: ["SENT"], rejections: [{ reason, msisdn }] });

test("each batch that left a number out is found with its reason, the newest first, and nobody else's number", async () => {
  const stop = await without("SUPPRESSED");
  fixture.clock.setBy(60_000);
  await without("SUPPRESSED", "+22605112234");
  const night = await without("QUIET_HOURS");
  const found = await find();
  expect(found).toMatchObject({
    msisdn: AWA,
    is_more: false,
    searched_back_to: null,
    left_out: [
      { batch_id: night, reason_code: "QUIET_HOURS", account_id: account, sender: "SHOP", index: 1 },
      { batch_id: stop, reason_code: "SUPPRESSED" },
    ],
  });
  expect(await find({ limit: 1 })).toMatchObject({ left_out: [{ batch_id: night }], is_more: true });
});

test("those of one account are found alone, and none of a batch that nobody was answered for", async () => {
  const other = await fixture.account();
  const own = await without("SUPPRESSED");
  const theirs = await without("SUPPRESSED", AWA, other);
  await without("SUPPRESSED", AWA, account, "VALIDATING");
  const idsOf = async (of: string | null) =>
    (await find({ account: of })).left_out.map(({ batch_id }) => batch_id);
  expect(await idsOf(account)).toEqual([own]);
  expect(await idsOf(other)).toEqual([theirs]);
  expect((await idsOf(null)).toSorted()).toEqual([own, theirs].toSorted());
});

test("without dates it looks 31 days back; with them, at that time alone", async () => {
  const old = await without("SUPPRESSED");
  fixture.clock.setBy(40 * DAY_MS);
  const recent = await without("FREQUENCY_CAP_DAILY");
  const idsOf = async (filters: Partial<RejectedFilters>) =>
    (await find(filters)).left_out.map(({ batch_id }) => batch_id);
  expect(await idsOf({})).toEqual([recent]);
  expect(await idsOf({ from: "60d" })).toEqual([recent, old]);
  expect(await idsOf({ from: "60d", to: "30d" })).toEqual([old]);
});

test("it goes on behind the rows that one step looks at, in the middle of a batch too", async () => {
  const others = Array.from({ length: LEFT_OUT_STEP + 500 }, (_, at) => ({
    reason: "UNROUTABLE_PREFIX",
    msisdn: `+2267${String(at).padStart(7, "0")}`,
  }));
  const rejections = [{ reason: "SUPPRESSED", msisdn: AWA }, ...others];
  const first = await plantBatch(fixture, { account, status: "SENDING", rejections });
  await plantBatch(fixture, { account, status: "SENDING", rejections: others });
  expect((await find()).left_out).toMatchObject([{ batch_id: first, index: 0, reason_code: "SUPPRESSED" }]);
});

test("a number that no operator knows is found as it was refused; what is none is refused here", async () => {
  const batch = await without("INVALID_MSISDN", "+22699112233");
  expect((await find({ number: "99 11 22 33" })).left_out).toMatchObject([{ batch_id: batch }]);
  expect(await findRejectedRecipient(fixture.context, { ...NONE, number: "Awa" })).toMatchObject({
    ok: false,
    refusal: { code: "INVALID_MSISDN" },
  });
});
