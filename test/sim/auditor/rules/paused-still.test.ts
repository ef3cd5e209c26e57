import { expect, test } from "vitest";
import type { Scene } from "../scene.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { pausedStill } from "./paused-still.ts";

const DONE = { data: {} };

/** A link is bound, something happens, a text leaves by it, and something happens again. */
function left(before: (run: Scene) => void, after: (run: Scene) => void = () => {}): string {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  before(run);
  run.wait();
  link.answer(link.submit(), 0, "A1");
  after(run);
  return found(atRest(run), pausedStill);
}

const pause = (args: Readonly<Record<string, string>>) => (run: Scene) => {
  run.command("operator pause", { reason: "x", ...args }, DONE);
};

test("nothing leaves by an operator that is paused, nor by a connection that is", () => {
  expect(left(pause({ CODE: "orange" }))).toContain("paused-still");
  expect(left(pause({ CODE: "orange", CONNECTION: "1" }))).toContain("paused-still");
});

test("by another operator, or by another connection, texts leave", () => {
  expect(left(pause({ CODE: "moov" }))).toBe("");
  expect(left(pause({ CODE: "orange", CONNECTION: "2" }))).toBe("");
});

test("texts leave before the pause is answered, after a pause that was refused, and from when a resume is asked for", () => {
  expect(left(() => {}, pause({ CODE: "orange" }))).toBe("");
  const refused = (run: Scene) => {
    run.command("operator pause", { CODE: "orange", reason: "x" }, { code: "INVALID_REASON", detail: "no" });
  };
  expect(left(refused)).toBe("");
  const resumed = (run: Scene) => {
    pause({ CODE: "orange" })(run);
    run.command("operator resume", { CODE: "orange" }, DONE);
  };
  expect(left(resumed)).toBe("");
});
