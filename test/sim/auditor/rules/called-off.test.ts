import { describe, expect, test } from "vitest";
import { idOf, type Scene } from "../scene.ts";
import { linkTo, oneText } from "../wire-scene.ts";
import { calledOff } from "./called-off.ts";
import { found } from "./found.ts";

const cancel = (run: Scene) =>
  void run.command("batch cancel", { BATCH: idOf(1), reason: "x" }, { data: { batch_id: idOf(1) } });
const suspend = (run: Scene) =>
  void run.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
const resume = (run: Scene) => void run.command("account resume", { ACCOUNT: "alpha" }, { data: {} });

describe("a batch that was called off", () => {
  test("may leave what was claimed before, soon after", () => {
    const run = oneText();
    const link = linkTo(run, "one", 1);
    cancel(run);
    run.wait(500);
    link.submit();
    expect(found(run, calledOff)).toBe("");
  });

  test("may leave late what was written before its link stalled", () => {
    const run = oneText();
    const link = linkTo(run, "one", 1);
    cancel(run);
    run.wait(60_000);
    link.submit();
    expect(found(run, calledOff)).toBe("");
  });

  test("is a finding where a text leaves long after, or on a new link", () => {
    const late = oneText();
    const link = linkTo(late, "one", 1);
    cancel(late);
    late.wait(60_000);
    link.bind();
    late.wait(10_000);
    link.submit();
    expect(found(late, calledOff)).toContain("left for the first time");

    const anew = oneText();
    cancel(anew);
    anew.wait(500);
    linkTo(anew, "one", 2).submit();
    expect(found(anew, calledOff)).toContain("on link 2");
  });

  test("is a finding while its account is suspended, and none after it was resumed", () => {
    const run = oneText();
    suspend(run);
    run.wait(500);
    linkTo(run, "one", 1).submit();
    expect(found(run, calledOff)).toContain("account suspend");

    const again = oneText();
    suspend(again);
    resume(again);
    linkTo(again, "one", 1).submit();
    expect(found(again, calledOff)).toBe("");
  });
});
