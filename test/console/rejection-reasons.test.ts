import { expect, test } from "vitest";
import { toReasonPhrase } from "../../src/console/server/rejection-reasons.ts";
import { CODES_IN_FRENCH } from "../../src/console/server/routes/rejected-rows.ts";
import { REJECTION_REASONS } from "../../src/domain/submission/rejections.ts";
import { said } from "../../src/i18n/phrase.ts";

const OF_CONSOLE = [
  "SENDER_NOT_REGISTERED",
  "UNREADABLE_ROW",
  "DUPLICATE_OF_REFUSED",
  "TURN_BEFORE",
  "SERVED_BEFORE",
  "FAILED_BEFORE",
];
const ALL = [...REJECTION_REASONS, ...OF_CONSOLE];

test("every reason to reject a recipient has words, and one that has none is shown as it is", () => {
  expect(ALL.map((reason) => toReasonPhrase(reason).code)).toEqual(
    ALL.map((reason) => `row.reason.${reason}`),
  );
  expect(toReasonPhrase("OF_A_NEWER_SERVER")).toEqual(said("OF_A_NEWER_SERVER"));
});

test("every reason has a code of its own in French", () => {
  const codes = Object.values(CODES_IN_FRENCH);
  expect(Object.keys(CODES_IN_FRENCH).sort()).toEqual([...ALL].sort());
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[A-Z_]+$/.test(code))).toEqual([]);
});
