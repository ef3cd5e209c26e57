import { expect, test } from "vitest";
import { createReasonReader } from "../../../src/domain/messages/import-rows.ts";

const toldOf = (...rejections: readonly (readonly [string | null, string])[]) => {
  const told = createReasonReader();
  return rejections.map(([msisdn, reason_code]) => told({ msisdn, reason_code }));
};

test("a double of a row that gets the text misses nothing; one of a row that is refused does", () => {
  const told = toldOf(
    ["+22605112233", "DUPLICATE_IN_BATCH"],
    ["+22605112244", "MISSING_ATTRIBUTE"],
    ["+22605112244", "DUPLICATE_IN_BATCH"],
    ["+22605112244", "DUPLICATE_IN_BATCH"],
  );
  expect(told).toEqual([
    "DUPLICATE_IN_BATCH",
    "MISSING_ATTRIBUTE",
    "DUPLICATE_OF_REFUSED",
    "DUPLICATE_OF_REFUSED",
  ]);
});

test("numbers that nobody can read are nobody's doubles", () => {
  expect(toldOf([null, "INVALID_MSISDN"], [null, "DUPLICATE_IN_BATCH"])).toEqual([
    "INVALID_MSISDN",
    "DUPLICATE_IN_BATCH",
  ]);
});
