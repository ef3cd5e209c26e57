import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { pduOf } from "../pdu-kit.ts";
import { type Scene, SETTINGS } from "../scene.ts";
import { type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { orderlyStop } from "./orderly-stop.ts";

/** A text leaves, and a stop is asked for soon after. */
function verdict(does: (link: LinkScene, sequence: number, run: Scene) => void) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  const sequence = link.submit();
  run.see({ kind: "life", life: 1, what: "stopping" });
  does(link, sequence, run);
  run.wait(2000);
  if (!run.observations.some((seen) => seen.kind === "life" && seen.what === "failed"))
    run.see({ kind: "life", life: 1, what: "stopped" });
  return audit(run.observations, [orderlyStop])
    .findings.map(({ rule }) => rule)
    .join();
}

const unbind = (link: LinkScene) => link.pdu("appliance", pduOf(6, 0, 99, []));

test("a stop that waits for its answer and sends nothing is no finding", () => {
  const waits = (link: LinkScene, sequence: number) => {
    link.answer(sequence, 0, "A");
    unbind(link);
  };
  expect(verdict(waits)).toBe("");
});

test("a submit that is written after a stop was asked for is a finding", () => {
  const goesOn = (link: LinkScene, _: number, run: Scene) => {
    run.wait(100);
    link.submit();
  };
  expect(verdict(goesOn)).toBe("stop-claims-nothing");
});

test("an unbind before an answer is a finding, until the time of that is over", () => {
  expect(verdict((link) => unbind(link))).toBe("stop-waits");
  const patient = (link: LinkScene, _: number, run: Scene) => {
    run.wait(5000);
    unbind(link);
  };
  expect(verdict(patient)).toBe("");
});

test("the time of an answer begins when a process that was held up handed its submit over", () => {
  const unbindsAfter = (ms: number, isHeldUp: boolean) => {
    const run = oneText();
    const [operator] = Object.entries(SETTINGS.operators);
    const connections = [{ host: "one.invalid", port: 2775, system_id: "b", response_timeout_seconds: 2 }];
    run.see({
      kind: "settings",
      document: { ...SETTINGS, operators: { orange: { ...operator?.[1], connections } } },
    });
    const link = linkTo(run, "one", 1);
    link.bind();
    if (isHeldUp) run.see({ kind: "machine", state: "busy" });
    run.wait(500);
    link.submit();
    if (isHeldUp) run.see({ kind: "machine", state: "well" });
    run.see({ kind: "life", life: 1, what: "stopping" });
    run.wait(ms);
    unbind(link);
    run.see({ kind: "life", life: 1, what: "stopped" });
    return audit(run.observations, [orderlyStop])
      .findings.map(({ rule }) => rule)
      .join();
  };
  expect(unbindsAfter(1_800, false)).toBe("stop-waits");
  expect(unbindsAfter(1_800, true)).toBe("");
  expect(unbindsAfter(1_000, true)).toBe("stop-waits");
});

test("a stop that does not end in its time is a finding, and one that a failing disk ended before is none", () => {
  const failing = (afterMs: number) =>
    verdict((_link, _sequence, run) => {
      run.wait(afterMs);
      run.see({ kind: "life", life: 1, what: "failed" });
      run.see({ kind: "life", life: 2, what: "starting" });
    });
  expect(failing(9_500)).toBe("stop-ends");
  expect(failing(500)).toBe("");
});
