import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { pduOf, submitSm } from "../pdu-kit.ts";
import { type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { linkLimits } from "./link-limits.ts";

function verdict(does: (link: LinkScene, wait: (ms: number) => void) => void) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  does(link, run.wait);
  return audit(run.observations, [linkLimits])
    .findings.map(({ rule, what }) => `${rule}: ${what}`)
    .join();
}

const times = (count: number, does: (n: number) => void) =>
  Array.from({ length: count }, (_, n) => n).forEach(does);

test("a window that is full is no finding, and one more is", () => {
  expect(verdict((link) => times(10, () => link.submit()))).toBe("");
  expect(verdict((link) => times(11, () => link.submit()))).toContain("11 submits unanswered");
});

test("what was answered, or whose time is up, stands in no window", () => {
  const answered = (link: LinkScene) => times(20, () => link.answer(link.submit(), 0, "A", "lost"));
  expect(verdict(answered)).toBe("");
  const overdue = (link: LinkScene, wait: (ms: number) => void) => {
    times(10, () => link.submit());
    wait(20_000);
    times(10, () => link.submit());
  };
  expect(verdict(overdue)).toBe("");
});

test("the time for an answer runs from the writing, however slow the link is", () => {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  const text = { source: "BENDRE", destination: "22607000001", octets: Buffer.from("Bonjour Awa") };
  const written = Array.from({ length: 10 }, (_, n) => submitSm({ ...text, sequence: 100 + n }));
  const see = (octets: Uint8Array, at: "appliance" | "centre") =>
    run.see({ kind: "pdu", centre: "one", link: 1, from: "appliance", at, octets });
  for (const octets of written) see(octets, "appliance");
  run.wait(15_000);
  for (const octets of written) see(octets, "centre");
  run.wait(5_000);
  link.submit();
  expect(audit(run.observations, [linkLimits]).findings).toEqual([]);
});

test("a link that keeps its pace is no finding, and a faster one is", () => {
  const every = (ms: number) => (link: LinkScene, wait: (ms: number) => void) =>
    times(200, () => {
      link.answer(link.submit(), 0, "A");
      wait(ms - 10);
    });
  expect(verdict(every(34))).toBe("");
  expect(verdict(every(20))).toContain("throughput");
});

test("a link is held to the connection of its kind, in the configuration of its time", () => {
  const inFlight = (bind: string, count: number) => {
    const run = oneText();
    const connections = [
      { host: "one.invalid", bind: "transceiver", window: 3 },
      { host: "one.invalid", bind: "transmitter", window: 20 },
    ];
    run.see({ kind: "life", life: 1, what: "killed" });
    run.wait(20_000);
    run.see({ kind: "settings", document: { operators: { orange: { prefixes: ["22607"], connections } } } });
    run.see({ kind: "life", life: 2, what: "starting" });
    const link = linkTo(run, "one", 1);
    if (bind === "transceiver") link.bind();
    else link.pdu("appliance", pduOf(2, 0, 1, [...Buffer.from("b\0p\0\0"), 0x34, 0, 0, 0]));
    times(count, () => link.submit());
    return audit(run.observations, [linkLimits]).findings.length;
  };
  expect(inFlight("transceiver", 3)).toBe(0);
  expect(inFlight("transceiver", 4)).toBe(1);
  expect(inFlight("transmitter", 20)).toBe(0);
  expect(inFlight("transmitter", 21)).toBe(1);
});

test("connections of one shared pace are held to it together, and others each to its own", () => {
  const together = (words: readonly string[], ms: number) => {
    const run = oneText();
    const connections = words.map((shared_pace, place) => ({
      host: `${["one", "three"][place]}.invalid`,
      throughput: 30,
      ...(shared_pace !== "" && { shared_pace }),
    }));
    run.see({ kind: "settings", document: { operators: { orange: { prefixes: ["22607"], connections } } } });
    run.see({ kind: "life", life: 1, what: "killed" });
    run.see({ kind: "life", life: 2, what: "starting" });
    const links = [linkTo(run, "one", 1), linkTo(run, "three", 2)];
    for (const link of links) link.bind();
    times(100, () => {
      for (const link of links) link.answer(link.submit(), 0, "A");
      run.wait(ms - 20);
    });
    return audit(run.observations, [linkLimits])
      .findings.map(({ rule }) => rule)
      .join();
  };
  expect(together(["agg", "agg"], 40)).toBe("shared-pace");
  expect(together(["agg", "agg"], 68)).toBe("");
  expect(together(["agg", ""], 40)).toBe("");
});
