import { expect, test } from "vitest";
import { findMixedDates } from "../../../src/console/server/send/mixed-dates.ts";

/** What is told of one column, a value a line behind the names. */
const told = (...values: readonly string[]) => {
  const recipients = values.map((value) => ({ msisdn: "05112233", attributes: { Échéance: value } }));
  const lines = values.map((_, place) => place + 2);
  const [found] = findMixedDates(recipients, lines, ["Échéance"]);
  return found ? [found.usual, found.other].map(({ value, line }) => `${value} (${line})`) : null;
};

test("dates that a spreadsheet rewrote are told with a row of the usual way and one of the other", () => {
  expect(told("30/11", "05/12", "30-nov")).toEqual(["30/11 (2)", "30-nov (4)"]);
  expect(told("30-nov", "30/11", "1/12")).toEqual(["30/11 (3)", "30-nov (2)"]);
  expect(told("30/11/2026", "2026-11-30", "30/11/2026")).toEqual(["30/11/2026 (2)", "2026-11-30 (3)"]);
  expect(told("30/11/2026", "30/11/26", "1/12/2026")).toEqual(["30/11/2026 (2)", "30/11/26 (3)"]);
  expect(told("5 août", "5 août", "05-août")).toEqual(["5 août (2)", "05-août (4)"]);
  expect(told("30 novembre 2026", "1er décembre 2026", "30-Nov-26")).toEqual([
    ...["30 novembre 2026 (2)", "30-Nov-26 (4)"],
  ]);
  expect(told("30/11 08:00", "30/11", "1/12 9h30")).toEqual(["30/11 08:00 (2)", "30/11 (3)"]);
});

test("the number that a workbook keeps a date as is told among dates, and is a number alone", () => {
  expect(told("30/11/2026", "46356", "01/12/2026")).toEqual(["30/11/2026 (2)", "46356 (3)"]);
  expect(told("46356", "45000")).toBe(null);
});

test("dates that are written alike are not told of, nor are values that are no dates", () => {
  expect(told("30/11", "1/12", " 02/12 ")).toBe(null);
  expect(told("30-nov.", "1-déc.", "2-janv.")).toBe(null);
  expect(told("lundi", "30/11", "")).toBe(null);
  expect(told("1500", "12 500", "F 30/11", "mai", "15.000", "3-4 jours")).toBe(null);
  expect(told("10.50", "10/12")).toBe(null);
  expect(told()).toBe(null);
});

test("columns that the text does not fill in are not looked at, and each tag is told apart", () => {
  const recipients = ["30/11", "30-nov"].map((value) => ({
    msisdn: "05112233",
    attributes: { a: value, b: value },
  }));
  expect(findMixedDates(recipients, [2, 3], [])).toEqual([]);
  expect(findMixedDates(recipients, [2, 3], ["b"]).map(({ tag }) => tag)).toEqual(["b"]);
  expect(findMixedDates(recipients, [2, 3], ["a", "b"]).length).toBe(2);
});
