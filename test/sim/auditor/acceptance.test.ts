import { expect, test } from "vitest";
import { acceptanceKey, acceptanceOf } from "./acceptance.ts";
import { historyOf } from "./history.ts";
import { idOf, opening } from "./scene.ts";
import { atRest, linkTo, oneText } from "./wire-scene.ts";

const accepted = (run: ReturnType<typeof oneText>) =>
  acceptanceOf(historyOf(run.observations))?.get(acceptanceKey(idOf(1), 0));

test("a segment is surely accepted when its answer was heard in time, and may be when it was lost", () => {
  const heard = oneText();
  const link = linkTo(heard, "one", 1);
  link.answer(link.submit(), 0, "A1");
  expect(accepted(atRest(heard))).toEqual({ least: 1, most: 1 });
  const lost = oneText();
  const other = linkTo(lost, "one", 1);
  other.answer(other.submit(), 0, "A1", "lost");
  expect(accepted(atRest(lost))).toEqual({ least: 0, most: 1 });
});

test("a death right after the answer leaves both open", () => {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.answer(link.submit(), 0, "A1");
  run.see({ kind: "life", life: 1, what: "killed" });
  expect(accepted(run)).toEqual({ least: 0, most: 1 });
});

test("what was refused is not accepted, and what never left has no entry", () => {
  const refused = oneText();
  const link = linkTo(refused, "one", 1);
  link.answer(link.submit(), 0x45, "");
  expect(accepted(refused)).toEqual({ least: 0, most: 0 });
  const waiting = oneText();
  linkTo(waiting, "one", 1).bind();
  expect(accepted(waiting)).toBeUndefined();
});

test("nothing is said of a run without PDUs", () => {
  expect(acceptanceOf(historyOf(opening().observations))).toBeNull();
});
