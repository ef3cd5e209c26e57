import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { idOf, type Scene } from "../scene.ts";
import { linkTo, oneText } from "../wire-scene.ts";
import { onlyOrdered } from "./only-ordered.ts";

const verdict = (run: Scene) =>
  audit(run.observations, [onlyOrdered])
    .findings.map(({ what }) => what)
    .join();

test("the text of an accepted recipient may leave, and no other, to no other, from no other", () => {
  const ordered = oneText();
  linkTo(ordered, "one", 1).submit();
  expect(verdict(ordered)).toBe("");
  for (const changes of [
    { octets: Buffer.from("Bonjour Ali") },
    { destination: "22607000009" },
    { source: "OTHER" },
    { octets: Buffer.from("Bonjour Aw\u0081", "latin1") },
  ]) {
    const run = oneText();
    linkTo(run, "one", 1).submit(changes);
    expect(verdict(run)).not.toBe("");
  }
});

test("a part of a long text is known by its place, and a part of another place is a finding", () => {
  const run = oneText({ body: "a".repeat(200) }, { total_segments: 2 });
  const link = linkTo(run, "one", 1);
  const part = (number: number, length: number) =>
    link.submit({
      esmClass: 0x40,
      octets: Buffer.from([5, 0, 3, 7, 2, number, ...Buffer.from("a".repeat(length))]),
    });
  part(1, 153);
  part(2, 47);
  expect(verdict(run)).toBe("");
  link.submit({ octets: Buffer.from("a".repeat(153)) });
  expect(verdict(run)).toContain("nobody ordered");
});

test("what is left of a long text may go as a text of its own where a connection's alphabet lacks a character of it", () => {
  const leaves = (default_alphabet: string, from = 0) => {
    const run = oneText({ body: `${"a".repeat(152)}€${"b".repeat(40)}` }, { total_segments: 2 });
    const connections = [{ host: "one.invalid", port: 2775, system_id: "b", default_alphabet }];
    const operators = { orange: { prefixes: ["22607"], price: 15, connections } };
    run.see({ kind: "settings", document: { defaults: { region: "BF" }, operators } });
    const payload = Buffer.from("a".repeat(152).slice(from), "utf16le").swap16();
    linkTo(run, "one", 1).submit({ octets: Buffer.from(""), dataCoding: 8, tlvs: [[0x0424, payload]] });
    return verdict(run);
  };
  expect(leaves("ascii")).toBe("");
  expect(leaves("gsm")).toContain("nobody ordered");
  expect(leaves("ascii", 1)).toContain("nobody ordered");
});

test("nothing leaves for a batch that was cancelled, but what was on its way", () => {
  const run = oneText();
  run.command("batch cancel", { BATCH: idOf(1), reason: "x" }, { data: { batch_id: idOf(1) } });
  const link = linkTo(run, "one", 1);
  link.submit();
  expect(verdict(run)).toBe("");
  run.wait(60_000);
  link.submit();
  expect(verdict(run)).toContain("was cancelled");
});

test("nothing leaves for a suspended account, until it is resumed", () => {
  const run = oneText();
  run.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
  run.wait(60_000);
  linkTo(run, "one", 1).submit();
  expect(verdict(run)).toContain("is suspended");
  const resumed = oneText();
  resumed.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
  resumed.wait(60_000);
  resumed.command("account resume", { ACCOUNT: "alpha" }, null);
  linkTo(resumed, "one", 1).submit();
  expect(verdict(resumed)).toBe("");
});

test("a suspension counts for nothing where a resumption was under way with it: who was last, nobody knows", () => {
  const run = oneText();
  run.see({ kind: "command", id: 901, name: "account resume", args: { ACCOUNT: "alpha" } });
  run.see({ kind: "command", id: 902, name: "account suspend", args: { ACCOUNT: "alpha", reason: "x" } });
  run.wait(10);
  run.see({ kind: "outcome", id: 902, ok: true, data: {} });
  run.see({ kind: "outcome", id: 901, ok: true, data: {} });
  run.wait(60_000);
  linkTo(run, "one", 1).submit();
  expect(verdict(run)).toBe("");
});

test("a part that was claimed before waits while submits without an answer fill the window, and no longer", () => {
  const leaves = (window: number, answered: boolean, afterMs: number) => {
    const run = oneText({ body: "a".repeat(200) }, { total_segments: 2 });
    const usual = { host: "one.invalid", port: 2775, system_id: "b", response_timeout_seconds: 20 };
    const operators = { orange: { prefixes: ["22607"], price: 15, connections: [{ ...usual, window }] } };
    run.see({ kind: "settings", document: { defaults: { region: "BF" }, operators } });
    const link = linkTo(run, "one", 1);
    const part = (number: number, length: number) =>
      link.submit({
        esmClass: 0x40,
        octets: Buffer.from([5, 0, 3, 7, 2, number, ...Buffer.from("a".repeat(length))]),
      });
    const first = part(1, 153);
    if (answered) link.answer(first, 0, "1");
    run.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
    run.wait(afterMs);
    part(2, 47);
    return verdict(run);
  };
  expect(leaves(1, false, 40_000)).toBe("");
  expect(leaves(1, false, 70_000)).toContain("is suspended");
  expect(leaves(1, true, 40_000)).toContain("is suspended");
  expect(leaves(2, false, 40_000)).toContain("is suspended");
});

test("nothing leaves before its time or after its validity", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const at = (scheduled_at: string | undefined, afterMs: number) => {
    const run = oneText(scheduled_at === undefined ? {} : { scheduled_at });
    const as_of = new Date(start + run.observations.at(-1)!.atMs + 20).toISOString();
    run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: { as_of } } });
    run.wait(afterMs);
    linkTo(run, "one", 1).submit();
    return verdict(run);
  };
  expect(at("2026-01-01T00:10:00Z", 600_000)).toBe("");
  expect(at("2026-01-01T00:10:00Z", 300_000)).toContain("was ordered for");
  expect(at(undefined, 23 * 3_600_000)).toBe("");
  expect(at(undefined, 25 * 3_600_000)).toContain("worth sending");
});
