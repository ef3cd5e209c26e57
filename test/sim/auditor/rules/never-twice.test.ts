import { describe, expect, test } from "vitest";
import { audit } from "../audit.ts";
import type { Scene } from "../scene.ts";
import { linkTo, oneText } from "../wire-scene.ts";
import { neverTwice } from "./never-twice.ts";

const verdict = (run: Scene) => audit(run.observations, [neverTwice]).findings.map(({ what }) => what);
const MARKETING = { message_class: "MARKETING" };

function sentOnce(run: Scene, answered: "heard" | "lost" | "refused") {
  const link = linkTo(run, "one", 1);
  link.bind();
  const sequence = link.submit();
  if (answered === "refused") link.answer(sequence, 0x58, "");
  else link.answer(sequence, 0, "A1", answered === "heard" ? "both ends" : "lost");
  return link;
}

function diesAndStarts(run: Scene) {
  run.see({ kind: "life", life: 1, what: "killed" });
  run.wait();
  run.see({ kind: "life", life: 2, what: "starting" });
  return linkTo(run, "one", 2);
}

describe("a text that left", () => {
  test("may leave again when no answer came in time, as its class is", () => {
    const run = oneText();
    const link = sentOnce(run, "lost");
    run.wait(20_000);
    link.submit();
    expect(verdict(run)).toEqual([]);
  });

  test("is a finding where it leaves again and its answer was there", () => {
    const run = oneText();
    const link = sentOnce(run, "heard");
    run.wait(20_000);
    link.submit();
    expect(verdict(run).join()).toContain("accepted as A1");
  });

  test("is a finding where it leaves again before its answer is overdue", () => {
    const run = oneText();
    const link = sentOnce(run, "lost");
    run.wait(5_000);
    link.submit();
    expect(verdict(run).join()).toContain("still waited for");
  });

  test("leaves again when the process takes its answer for overdue, though it was held up when it wrote it", () => {
    const run = oneText();
    run.see({ kind: "machine", state: "busy" });
    run.wait(15_000);
    const link = sentOnce(run, "lost");
    run.see({ kind: "machine", state: "well" });
    run.wait(5_000);
    link.submit();
    expect(verdict(run)).toEqual([]);
  });

  test("may leave again after its link ended, or the centre said later, or the network lost it", () => {
    const ended = oneText();
    sentOnce(ended, "lost").close();
    linkTo(ended, "one", 2).submit();
    const refused = oneText(MARKETING);
    sentOnce(refused, "refused").submit();
    const lost = oneText();
    const link = linkTo(lost, "one", 1);
    link.submit({}, "lost");
    link.submit();
    expect([verdict(ended), verdict(refused), verdict(lost)]).toEqual([[], [], []]);
  });

  test("of a class that waits is a finding where it leaves again unanswered", () => {
    const run = oneText(MARKETING);
    const link = sentOnce(run, "lost");
    run.wait(20_000);
    link.submit();
    expect(verdict(run).join()).toContain("MARKETING waits");
  });

  test("may leave again when a death came before the answer can have been kept, and not later", () => {
    const atOnce = oneText();
    sentOnce(atOnce, "heard");
    diesAndStarts(atOnce).submit();
    const later = oneText();
    sentOnce(later, "heard");
    later.wait(1_000);
    diesAndStarts(later).submit();
    expect([verdict(atOnce), verdict(later).length]).toEqual([[], 1]);
  });

  test("is a finding where a full disk is no reason any more", () => {
    const run = oneText();
    sentOnce(run, "heard");
    run.see({ kind: "disk", state: "full" });
    run.wait(60_000);
    const full = run.observations.length;
    diesAndStarts(run).submit();
    expect(verdict(run)).toEqual([]);
    run.observations.splice(full, 0, { kind: "disk", state: "well", atMs: run.observations[full - 1]!.atMs });
    expect(verdict(run)).toHaveLength(1);
  });

  test("may leave again after a stop that was asked for while the disk took nothing, but not after a later one", () => {
    const stopped = (wellForMs: number) => {
      const run = oneText();
      run.see({ kind: "disk", state: "full" });
      sentOnce(run, "heard");
      run.wait(1_000);
      if (wellForMs > 0) run.see({ kind: "disk", state: "well" });
      run.wait(wellForMs);
      run.see({ kind: "life", life: 1, what: "stopping" });
      run.wait(500);
      run.see({ kind: "disk", state: "well" });
      run.wait(5_000);
      run.see({ kind: "life", life: 1, what: "stopped" });
      run.wait(1_000);
      run.see({ kind: "life", life: 2, what: "starting" });
      run.see({ kind: "life", life: 2, what: "ready" });
      linkTo(run, "one", 2).submit();
      return verdict(run).length;
    };
    expect([stopped(0), stopped(5_000)]).toEqual([0, 1]);
  });

  test("is a finding where it leaves a fifth time", () => {
    const run = oneText();
    const link = sentOnce(run, "lost");
    for (let more = 0; more < 4; more++) {
      run.wait(20_000);
      link.submit();
    }
    expect(verdict(run).join()).toContain("left 5 times");
  });
});
