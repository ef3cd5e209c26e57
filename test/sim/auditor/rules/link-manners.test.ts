import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { deliverSmResp, pduOf } from "../pdu-kit.ts";
import type { Scene } from "../scene.ts";
import { type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { linkManners } from "./link-manners.ts";

function verdict(does: (link: LinkScene, run: Scene) => void, isBound = true) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  if (isBound) link.bind();
  does(link, run);
  run.wait(600_000);
  run.see({ kind: "rest" });
  return audit(run.observations, [linkManners])
    .findings.map(({ what }) => what)
    .join();
}

const enquire = pduOf(0x15, 0, 900, []);

test("a bind, then submits, answers to what comes, and an unbind are no finding", () => {
  const well = (link: LinkScene) => {
    link.submit();
    link.receipt({ id: "A1", stat: "DELIVRD" });
    link.pdu("centre", enquire);
    link.pdu("appliance", pduOf(0x80000015, 0, 900, []));
    link.pdu("appliance", pduOf(6, 0, 999_999, []));
  };
  expect(verdict(well)).toBe("");
});

test("a submit before the bind was accepted, or after an unbind, is a finding", () => {
  expect(verdict((link) => void link.submit(), false)).toContain("begins with submit_sm");
  expect(verdict((link) => void link.submit(), false)).toContain("before its bind");
  const leaves = (link: LinkScene) => {
    link.pdu("appliance", pduOf(6, 0, 2, []));
    link.submit();
    link.submit();
  };
  expect(verdict(leaves)).toContain("after its unbind");
});

test("a sequence number that was used before, and an unreadable PDU, are findings", () => {
  expect(verdict((link) => link.pdu("appliance", pduOf(0x15, 0, 1, [])))).toContain(
    "sequence number 1 after 1",
  );
  expect(verdict((link) => link.pdu("appliance", pduOf(4, 0, 9, [1])))).toContain("unreadable");
});

test("a deliver_sm or an enquire_link that nobody answers is a finding while its link is up", () => {
  const asks = (link: LinkScene) => {
    link.receipt({ id: "A1", stat: "DELIVRD" }, null);
    link.pdu("centre", enquire);
  };
  expect(verdict(asks)).toContain("deliver_sm");
  expect(verdict(asks)).toContain("enquire_link");
  const closes = (link: LinkScene) => {
    asks(link);
    link.close();
  };
  expect(verdict(closes)).toBe("");
  expect(verdict((link) => link.pdu("centre", enquire, "lost"))).toBe("");
});

test("a deliver_sm that is refused is a finding, unless the disk takes nothing", () => {
  const refuses = (link: LinkScene) => link.receipt({ id: "A1", stat: "DELIVRD" }, 0x64);
  expect(verdict(refuses)).toContain("0x64");
  const full = (link: LinkScene, run: Scene) => {
    run.see({ kind: "disk", state: "full" });
    refuses(link);
    run.see({ kind: "disk", state: "well" });
  };
  expect(verdict(full)).toBe("");
  expect(verdict((link) => link.pdu("appliance", deliverSmResp(7, 0)))).toBe("");
});
