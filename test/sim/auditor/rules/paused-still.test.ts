import { expect, test } from "vitest";
import { type Scene, SETTINGS } from "../scene.ts";
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

test("nothing leaves by a route that is paused, and by the others of its operator texts leave", () => {
  const connections = [
    { host: "one.invalid", port: 2775, system_id: "b", route: "direct" },
    { host: "three.invalid", port: 2775, system_id: "b", route: "agg" },
  ];
  const routes = { direct: { order: 1 }, agg: { order: 2 } };
  const orange = { ...SETTINGS.operators.orange, routes, connections };
  const routed = (run: Scene) => {
    run.see({ kind: "settings", document: { ...SETTINGS, operators: { ...SETTINGS.operators, orange } } });
    run.wait(10_000);
  };
  const by = (...does: readonly ((run: Scene) => void)[]) =>
    left((run) => {
      for (const each of [routed, ...does]) each(run);
    });
  const resume = (CODE: string) => (run: Scene) => run.command("operator resume", { CODE }, DONE);
  expect(by(pause({ CODE: "orange/direct" }))).toContain("paused-still");
  expect(by(pause({ CODE: "orange" }))).toContain("paused-still");
  expect(by(pause({ CODE: "orange/agg" }))).toBe("");
  expect(by(pause({ CODE: "orange/direct" }), resume("orange/agg"))).toContain("paused-still");
  expect(by(pause({ CODE: "orange/direct" }), resume("orange/direct"))).toBe("");
  expect(by(pause({ CODE: "orange/direct" }), resume("orange"))).toBe("");
});
