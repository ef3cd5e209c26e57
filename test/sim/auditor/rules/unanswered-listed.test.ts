import { expect, test } from "vitest";
import { idOf } from "../scene.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { unansweredListed } from "./unanswered-listed.ts";

type Told = { readonly waitMs: number; readonly rows: readonly unknown[]; readonly isAnswered?: boolean };

/** A text that left, and what the list says of it a while later. */
function listed({ waitMs, rows, isAnswered = false }: Told): string {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  const sequence = link.submit();
  if (isAnswered) link.answer(sequence, 0, "A1");
  run.wait(waitMs);
  run.command("operator unanswered", { limit: "1000" }, { data: { messages: rows, has_more: false } });
  run.wait();
  if (!isAnswered) link.answer(sequence, 0, "A1");
  return found(atRest(run), unansweredListed);
}

const ROW = { message_id: idOf(500), resends: 0 };

test("a text without an answer is listed once its time is over, and not before", () => {
  expect(listed({ waitMs: 30_000, rows: [ROW] })).toBe("");
  expect(listed({ waitMs: 15_000, rows: [] })).toBe("");
  expect(listed({ waitMs: 30_000, rows: [] })).toContain("is not in the list");
});

test("a text that was answered in time is not listed", () => {
  expect(listed({ waitMs: 30_000, rows: [], isAnswered: true })).toBe("");
  expect(listed({ waitMs: 30_000, rows: [ROW], isAnswered: true })).toContain("was answered in time");
});

test("a text is not listed as sent again more often than three times", () => {
  expect(listed({ waitMs: 30_000, rows: [{ ...ROW, resends: 4 }] })).toContain("sent again 4 times");
});
