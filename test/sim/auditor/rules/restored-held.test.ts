import { expect, test } from "vitest";
import { cloudHistory } from "../cloud-scene.ts";
import type { Scene } from "../scene.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { restoredHeld } from "./restored-held.ts";

const DONE = { data: {} };

/** A copy takes the place of the data that was made so long before. */
function restored(run: Scene, agoMs: number): void {
  const nowMs = run.observations.at(-1)?.atMs ?? 0;
  run.see({ kind: "restored", fromMs: nowMs - agoMs, toMs: nowMs - agoMs });
}
const decided = (run: Scene, waiting: string, more: object = {}) =>
  run.command("backup resume", { waiting, ...more }, DONE);

/** A text leaves behind a copy, the copy takes the place of the data, something happens, and the text leaves again. */
function leftAgain(meanwhile: (run: Scene) => void): string {
  const run = oneText();
  run.wait(60_000);
  const link = linkTo(run, "one", 1);
  link.bind();
  run.wait(1000);
  link.answer(link.submit(), 0, "A1");
  run.wait(1000);
  restored(run, 30_000);
  run.wait(1000);
  meanwhile(run);
  run.wait(1000);
  link.answer(link.submit(), 0, "A2");
  return found(atRest(run), restoredHeld);
}

test("nothing leaves while a restore is undecided", () => {
  expect(leftAgain(() => {})).toContain("nothing was decided until");
});

test("what may have left before leaves again where that was decided of its class, and nowhere else", () => {
  expect(leftAgain((run) => decided(run, "send"))).toBe("");
  expect(leftAgain((run) => decided(run, "send", { class: "MARKETING" }))).toContain("again at");
  expect(leftAgain((run) => decided(run, "hold"))).toContain("again at");
  expect(leftAgain((run) => decided(run, "give-up"))).toContain("again at");
});

/** A post behind a copy, the copy in the place of the data, a decision, and the same post again. */
function postedAgain(waiting: string | null): string {
  const history = cloudHistory(({ scene, submit, post }) => {
    submit(1, { messageClass: "TRANSACTIONAL" });
    scene.wait(60_000);
    post(1);
    scene.wait(1000);
    restored(scene, 30_000);
    scene.wait(1000);
    if (waiting !== null) decided(scene, waiting);
    scene.wait(1000);
    post(1);
  });
  return restoredHeld(history)
    .map(({ what }) => what)
    .join();
}

test("a post is made again by a decision to send alone, whatever its class says of a submit", () => {
  expect(postedAgain("send")).toBe("");
  expect(postedAgain("policy")).toContain("again at");
  expect(postedAgain(null)).toContain("nothing was decided until");
});
