import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { delivered, idOf, opening, page } from "../scene.ts";
import { statusHistory } from "./status-history.ts";

/** The first message of a batch as several reads showed it, one after the other. */
function verdict(...reads: readonly Readonly<Record<string, unknown>>[]) {
  const run = opening();
  for (const changes of reads) {
    run.ask(
      { client: "alpha", path: "/messages?status_changed_since=2026-01-01" },
      page([delivered(idOf(1), 0, changes)]),
    );
    run.wait();
  }
  return audit(run.observations, [statusHistory])
    .findings.map(({ what }) => what)
    .join();
}

const at = (micros: number) => `2026-01-01T00:00:00.${String(micros).padStart(6, "0")}Z`;
const is = (status: string, micros: number, is_final = false) => ({
  status,
  is_final,
  status_changed_at: at(micros),
});

test("states that follow the table are no finding, those passed unseen among them", () => {
  expect(
    verdict(is("QUEUED", 1), is("SUBMITTED", 2), is("QUEUED", 3), is("SENT", 4), is("DELIVERED", 5, true)),
  ).toBe("");
  expect(verdict(is("QUEUED", 1), is("CANCELLED", 9, true))).toBe("");
  expect(verdict(is("SENT", 1), is("SENT", 2, true), is("SENT", 2, true))).toBe("");
});

test("a way that the table does not have is a finding", () => {
  expect(verdict(is("SENT", 1), is("SUBMITTED", 2))).toContain("no such way");
  expect(verdict(is("SENT", 1), is("CANCELLED", 2, true))).toContain("no such way");
});

test("a final state that changes is a finding, and so is a stamp that tells two things", () => {
  expect(verdict(is("FAILED", 1, true), is("DELIVERED", 2, true))).toContain("it was final");
  expect(verdict(is("SENT", 1, true), is("DELIVERED", 2, true))).toContain("it was final");
  expect(verdict({ ...is("SENT", 1, true), amount: 15 }, { ...is("SENT", 1, true), amount: 0 })).toContain(
    "two ways",
  );
});

test("a waiting message goes by the new code of its operator after a rename, under the stamp it had, and changes nothing else", () => {
  const renamed = (OLD: string, before: object, after: object) => {
    const run = opening();
    const read = (changes: object) =>
      run.ask({ client: "alpha", path: "/messages" }, page([delivered(idOf(1), 0, { ...changes })]));
    read(before);
    run.command("operator rename", { OLD, NEW: "orange2" }, { data: {} });
    read(after);
    return audit(run.observations, [statusHistory])
      .findings.map(({ what }) => what)
      .join();
  };
  const old = { ...is("QUEUED", 1), operator: "orange" };
  const now = { ...is("QUEUED", 1), operator: "orange2" };
  expect(renamed("orange", old, now)).toBe("");
  expect(renamed("moov", old, now)).toContain("two ways");
  expect(renamed("orange", now, old)).toContain("two ways");
  expect(renamed("orange", old, { ...now, amount: 3 })).toContain("two ways");
  const final = { ...is("SENT", 1, true), operator: "orange" };
  expect(renamed("orange", final, { ...final, operator: "orange2" })).toContain("two ways");
});

test("a later read that shows an earlier state is a finding", () => {
  expect(verdict(is("SENT", 5), is("QUEUED", 2))).toContain("went back");
});

test("a stamp that two messages of an account share is a finding", () => {
  const other = { message_id: idOf(77), index: 7 };
  expect(verdict(is("QUEUED", 1), { ...is("QUEUED", 1), ...other })).toContain("share the stamp");
  expect(verdict(is("QUEUED", 1), { ...is("QUEUED", 2), ...other })).toBe("");
});

test("more than ninety stamps in a millisecond are a finding", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...is("QUEUED", n), message_id: idOf(1000 + n), index: n }));
  expect(verdict(...many(90))).toBe("");
  expect(verdict(...many(91))).toContain("91 stamps");
});
