import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import type { Scene } from "../scene.ts";
import { atRest, type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { receiptsKept } from "./receipts-kept.ts";

const SENT = { status: "SENT", error: { code: "RECEIPT_NOT_RECEIVED", operator_code: null } };

function verdict(brings: (link: LinkScene, run: Scene) => void, message: Readonly<Record<string, unknown>>) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  link.answer(link.submit(), 0, "A1");
  brings(link, run);
  return audit(atRest(run, message).observations, [receiptsKept])
    .findings.map(({ what }) => what)
    .join();
}

test("a receipt that was answered and counts is no finding, and one that does not count is", () => {
  const delivered = (link: LinkScene) => link.receipt({ id: "A1", stat: "DELIVRD" });
  expect(verdict(delivered, {})).toBe("");
  expect(verdict(delivered, SENT)).toContain("every part was delivered");
  expect(verdict((link) => link.receipt({ id: "A1", stat: "UNDELIV" }), SENT)).toContain("not delivered");
});

test("a receipt that was answered counts though the process died after it", () => {
  const dies = (link: LinkScene, run: Scene) => {
    run.wait(5_000);
    link.receipt({ id: "A1", stat: "DELIVRD" });
    run.see({ kind: "life", life: 1, what: "power lost" });
  };
  expect(verdict(dies, SENT)).toContain("every part was delivered");
});

test("a receipt that was not answered, is of another id or may be contradicted by another need not count", () => {
  expect(verdict((link) => link.receipt({ id: "A1", stat: "DELIVRD" }, null), SENT)).toBe("");
  expect(verdict((link) => link.receipt({ id: "B2", stat: "DELIVRD" }), SENT)).toBe("");
  expect(verdict((link) => link.receipt({ id: "A1", stat: "ENROUTE" }), SENT)).toBe("");
  const contradicts = (link: LinkScene) => {
    link.receipt({ id: "A1", stat: "UNDELIV" });
    link.receipt({ id: "A1", stat: "DELIVRD" });
  };
  expect(verdict(contradicts, { status: "FAILED" })).toBe("");
  expect(verdict(contradicts, {})).toBe("");
});

test("a receipt that refuses one copy of a text that left twice need not count while the other is on its way", () => {
  const oneRefused = (link: LinkScene) => {
    link.answer(link.submit(), 0, "A2");
    link.receipt({ id: "A2", stat: "UNDELIV" });
  };
  const bothRefused = (link: LinkScene) => {
    oneRefused(link);
    link.receipt({ id: "A1", stat: "UNDELIV" });
  };
  expect(verdict(oneRefused, SENT)).toBe("");
  expect(verdict(bothRefused, SENT)).toContain("not delivered");
});
