import { expect, test } from "vitest";
import { atRest, type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { lastAnswer, refusedInDoubt } from "./last-answer.ts";

/** A text leaves twice, and is FAILED by a refusal in the end. */
function verdict(does: (link: LinkScene, first: number, second: number) => void, code = "OPERATOR_REJECTED") {
  const run = oneText();
  const as_of = new Date(
    Date.parse("2026-01-01T00:00:00Z") + (run.observations.at(-1)?.atMs ?? 0),
  ).toISOString();
  run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: { as_of } } });
  const link = linkTo(run, "one", 1);
  link.bind();
  const first = link.submit();
  run.wait(20_000);
  const second = link.submit();
  run.wait(20_000);
  does(link, first, second);
  const endedAtMs = run.observations.at(-1)?.atMs ?? 0;
  const finalized_at = new Date(Date.parse("2026-01-01T00:00:00Z") + endedAtMs).toISOString();
  const error = { code, operator_code: "0x00000045" };
  return found(atRest(run, { status: "FAILED", error, finalized_at }), lastAnswer);
}

test("a refusal of every submit ends a message, and one of several does not", () => {
  const both = (link: LinkScene, first: number, second: number) => {
    link.answer(second, 0x45, "");
    link.answer(first, 0x45, "");
  };
  expect(verdict(both)).toBe("");
  expect(verdict((link, first) => link.answer(first, 0x45, ""))).toContain("last-answer");
});

test("what ends by its validity is not asked for, and what was accepted is in no doubt", () => {
  expect(verdict((link, first) => link.answer(first, 0x45, ""), "OPERATOR_THROTTLED")).toBe("");
  const accepted = (link: LinkScene, first: number) => link.answer(first, 0, "A1");
  expect(verdict(accepted)).toBe("");
});

/** A text leaves, is not answered, leaves once more and is refused; then it leaves a third time. */
function refused(status: number, before: (link: LinkScene, first: number) => void = () => {}) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  const first = link.submit();
  run.wait(20_000);
  const second = link.submit();
  run.wait(1000);
  link.answer(second, status, "");
  before(link, first);
  run.wait(1000);
  link.answer(link.submit(), 0, "A3");
  return found(atRest(run), refusedInDoubt);
}

test("what was refused for good does not leave again while another submit of it is in doubt", () => {
  expect(refused(0x0a)).toContain("refused-in-doubt");
  expect(refused(0x58)).toBe("");
  expect(refused(0x102)).toBe("");
  expect(refused(0x0a, (link, first) => link.answer(first, 0x0a, ""))).toBe("");
});
