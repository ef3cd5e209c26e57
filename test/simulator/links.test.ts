import { afterEach, describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { GARBAGE_KINDS, type GarbageKind } from "../../src/simulator/garbage.ts";
import type { SmscOptions } from "../../src/simulator/server.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { testClock } from "../kit/test-clock.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../smpp/server-certificate.ts";
import { type Esme, esme, submit } from "./esme.ts";

/** The kinds after each of which the stream can be followed no further. */
const isFatal = (kind: GarbageKind): boolean => ["short_length", "huge_length", "random"].includes(kind);

const opened: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function operator(options: Partial<SmscOptions> = {}): Promise<TestSmsc> {
  const smsc = await testSmsc(options);
  opened.push(smsc.stop);
  return smsc;
}

async function client(smsc: TestSmsc, tls?: Bun.TLSOptions): Promise<Esme> {
  const link = await esme(smsc.port, tls);
  opened.push(link.close);
  return link;
}

async function bound(smsc: TestSmsc): Promise<Esme> {
  const link = await client(smsc);
  await link.bind();
  return link;
}

const TO = "22670123456";

describe("binds", () => {
  test("are refused so many times, with the status asked for, and then taken", async () => {
    const smsc = await operator({ quirks: { refuseBinds: 1, refuseBindStatus: 0x0e } });
    const refused = await client(smsc);
    expect(await refused.bind()).toMatchObject({ status: 0x0e });
    await refused.closed;
    expect(await (await client(smsc)).bind()).toMatchObject({ status: 0 });
  });

  test("above the most that one system_id may have are refused until one has left", async () => {
    const smsc = await operator({ quirks: { maxBinds: 1 } });
    const first = await bound(smsc);
    const second = await client(smsc);
    expect(await second.bind()).toMatchObject({ status: 0x05 });
    expect(await (await client(smsc)).bind("transceiver", "autre")).toMatchObject({ status: 0 });
    first.close();
    await smsc.until(({ events }) => events.some(({ kind }) => kind === "closed"));
    await smsc.until(({ stats }) => stats().links === 1);
    expect(await (await client(smsc)).bind()).toMatchObject({ status: 0 });
  });

  test("may be answered late, and submits before that are out of place", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { bindDelayMs: 500 } });
    const link = await client(smsc);
    const answer = link.bind();
    link.write(submit(2, TO));
    expect(await link.until("submit_sm_resp")).toMatchObject([{ status: 0x04 }]);
    await clock.advance(500);
    expect(await answer).toMatchObject({ status: 0 });
  });

  test("may be invited by an outbind", async () => {
    const link = await client(await operator({ quirks: { outbind: true } }));
    expect(await link.until("outbind")).toMatchObject([{ systemId: "BENDRE-SMSC" }]);
    expect(await link.bind()).toMatchObject({ status: 0 });
  });

  test("work inside TLS", async () => {
    const smsc = await operator({ tls: { key: SERVER_KEY, certificate: SERVER_CERTIFICATE } });
    const link = await client(smsc, { ca: SERVER_CERTIFICATE, serverName: "smsc.example.test" });
    expect(await link.bind()).toMatchObject({ status: 0 });
  });
});

describe("a link is dropped", () => {
  test.each(["rst", "fin", "mid_pdu"] as const)("by %s, at most so often", async (dropMode) => {
    const smsc = await operator({ quirks: { dropAfter: 1, dropTimes: 1, dropMode } });
    const link = await bound(smsc);
    link.write(submit(2, TO));
    await link.closed;
    expect(link.received.some(({ command }) => command === "submit_sm_resp")).toBe(false);
    const next = await bound(smsc);
    next.write(submit(2, "22670123457"));
    expect(await next.until("submit_sm_resp")).toMatchObject([{ status: 0 }]);
    expect(smsc.stats()).toMatchObject({ dropped: 1, unanswered: 1, accepted: 2, violations: 0 });
  });

  test("in the middle of a PDU: half an answer arrives", async () => {
    const smsc = await operator({ quirks: { dropAfter: 1, dropMode: "mid_pdu" } });
    const link = await bound(smsc);
    const before = link.octets();
    link.write(submit(2, TO));
    await link.closed;
    expect(link.octets() - before).toBe(10);
  });

  test("by half: it stays open, and nothing is read or written", async () => {
    const smsc = await operator({ quirks: { dropAfter: 1, dropMode: "half_open" } });
    const link = await bound(smsc);
    link.write(submit(2, TO));
    link.write({ command: "enquire_link", sequence: 3, status: 0 });
    await smsc.until(({ stats }) => stats().dropped === 1);
    const other = await bound(smsc);
    other.write({ command: "enquire_link", sequence: 3, status: 0 });
    await other.until("enquire_link_resp");
    expect(link.received.map(({ command }) => command)).toEqual(["bind_transceiver_resp"]);
    expect(smsc.stats().links).toBe(2);
  });

  test("with answers still to come, which are counted as never given", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { responseDelayMs: 100 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3]) link.write(submit(sequence, TO));
    link.write({ command: "enquire_link", sequence: 4, status: 0 });
    await link.until("enquire_link_resp");
    smsc.dropLinks();
    await link.closed;
    await smsc.until(({ stats }) => stats().unanswered === 2);
    expect(smsc.events.filter(({ kind }) => kind === "submit")).toMatchObject([
      { status: null },
      { status: null },
    ]);
  });
});

describe("a link", () => {
  test("is not read for a time, then everything is answered", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { stallAfter: 1, stallMs: 3000 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3]) link.write(submit(sequence, TO));
    await link.until("submit_sm_resp");
    link.write(submit(4, TO));
    await clock.advance(2000);
    expect(smsc.stats().submits).toBe(1);
    await clock.advance(1000);
    expect(await link.until("submit_sm_resp", 3)).toMatchObject([
      { sequence: 2 },
      { sequence: 3 },
      { sequence: 4 },
    ]);
  });

  test("that is never read again is still seen to close", async () => {
    const smsc = await operator({ quirks: { stallAfter: 1 } });
    const link = await bound(smsc);
    link.write(submit(2, TO));
    await link.until("submit_sm_resp");
    link.close();
    await smsc.until(({ stats }) => stats().links === 0);
  });

  test("is asked to unbind, and stays until it has", async () => {
    const smsc = await operator({ quirks: { unbindAfter: 1 } });
    const link = await bound(smsc);
    link.write(submit(2, TO));
    const [asked] = await link.until("unbind");
    await link.until("submit_sm_resp");
    link.write({ command: "unbind_resp", sequence: asked!.sequence, status: 0 });
    await link.closed;
  });

  test("gets no answer to enquire_link", async () => {
    const link = await bound(await operator({ quirks: { ignoreEnquireLink: true } }));
    link.write({ command: "enquire_link", sequence: 2, status: 0 });
    link.write(submit(3, TO));
    await link.until("submit_sm_resp");
    expect(link.received.some(({ command }) => command === "enquire_link_resp")).toBe(false);
  });

  test("is asked whether it is there as often as wished", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { enquireLinkMs: 200 } });
    const link = await bound(smsc);
    const late = await client(smsc);
    await clock.advance(200);
    await link.until("enquire_link");
    expect(await late.bind()).toMatchObject({ status: 0 });
  });

  test("gets every octet apart, and whole PDUs all the same", async () => {
    const smsc = await operator({ quirks: { byteWrites: true } });
    const link = await bound(smsc);
    link.write(submit(2, TO));
    await link.until("submit_sm_resp");
    await link.until("deliver_sm");
  });

  test("gets each kind of garbage in turn, and its refusals are no violation", async () => {
    const smsc = await operator({ quirks: { garbageEvery: 1, garbageKind: "cycle" } });
    const harmless = GARBAGE_KINDS.filter((kind) => !isFatal(kind));
    const link = await client(smsc);
    link.tolerate();
    await link.bind();
    for (const sequence of harmless.keys()) link.write(submit(2 + sequence, TO));
    await smsc.until(({ stats }) => stats().garbage === harmless.length);
    expect(smsc.events.flatMap((event) => (event.kind === "garbage" ? [event.garbage] : []))).toEqual(
      harmless,
    );
    link.write({ command: "generic_nack", sequence: 2, status: 3 });
    link.write({ command: "enquire_link", sequence: 99, status: 0 });
    await link.until("enquire_link_resp");
    expect(smsc.stats().violations).toBe(0);
  });

  test.each(GARBAGE_KINDS.filter(isFatal))("can be followed no further after %s", async (garbageKind) => {
    const smsc = await operator({ quirks: { garbageEvery: 1, garbageKind } });
    const link = await client(smsc);
    link.tolerate();
    await link.bind();
    link.write(submit(2, TO));
    await link.lostTrack;
  });
});

describe("what is asked of a running operator", () => {
  test("falls on every link: unbind, stall, garbage", async () => {
    const clock = testClock();
    const smsc = await operator({ clock });
    const links = [await bound(smsc), await bound(smsc)];
    smsc.sendGarbage("stray_response");
    smsc.stallLinks(100);
    for (const link of links) link.write(submit(2, TO));
    await clock.advance(100);
    smsc.unbindLinks();
    for (const link of links) await link.until("unbind");
    expect(smsc.stats()).toMatchObject({ garbage: 2, accepted: 2 });
  });
});

describe("what is counted", () => {
  test("is the most in a second, and what goes above it", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { throughputCheck: 2 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3]) link.write(submit(sequence, TO));
    await link.until("submit_sm_resp", 2);
    await clock.advance(1000);
    for (const sequence of [4, 5, 6]) link.write(submit(sequence, TO));
    await link.until("submit_sm_resp", 5);
    expect(smsc.stats()).toMatchObject({
      mostInASecondOnLink: 3,
      broken: [{ what: phrase("simulator.rule.throughput", { most: 2 }), times: 1 }],
    });
  });

  test("stands in the operator's last event", async () => {
    const smsc = await testSmsc();
    const link = await esme(smsc.port);
    await link.bind();
    link.write(submit(2, "+1"));
    await link.until("submit_sm_resp");
    await smsc.stop();
    expect(smsc.events.at(-1)).toMatchObject({
      kind: "stopped",
      stats: { submits: 1, refused: 1, violations: 1 },
    });
  });
});
