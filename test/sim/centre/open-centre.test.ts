import { describe, expect, test } from "vitest";
import { readReceipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import type { Pdu } from "../../../src/smpp/pdu.ts";
import type { CentreHabits } from "../plan.ts";
import { type FakeLink, fakeAppliance } from "./fake-appliance.ts";

const commands = (heard: readonly Pdu[]): string[] => heard.map(({ command }) => command);
const receipts = (heard: readonly Pdu[]) =>
  heard.flatMap((pdu) => (pdu.command === "deliver_sm" ? [pdu.message] : []));
const responses = (heard: readonly Pdu[]) =>
  heard.flatMap((pdu) =>
    pdu.command === "submit_sm_resp"
      ? [{ sequence: pdu.sequence, status: pdu.status, id: pdu.messageId }]
      : [],
  );

/** A link that is bound, and what was said for it forgotten. */
function boundLink(world: ReturnType<typeof fakeAppliance>, ...how: Parameters<typeof world.link>): FakeLink {
  const link = world.link(...how);
  link.bind();
  world.clock.pass(20);
  link.heard.splice(0);
  return link;
}

/** One text under such habits, and all that came of it. */
function oneText(habits: Partial<CentreHabits>, seed = 1) {
  const world = fakeAppliance(habits, seed);
  const link = boundLink(world);
  link.submit(7);
  world.clock.pass(10_000);
  return { ...world, link, heard: link.heard };
}

describe("a good centre", () => {
  test("binds, accepts a text under an id, and delivers its receipt", () => {
    const world = fakeAppliance();
    const link = world.link();
    link.bind();
    world.clock.pass(20);
    expect(link.heard).toMatchObject([{ command: "bind_transceiver_resp", status: 0, systemId: "smsc-a" }]);
    link.submit(7);
    world.clock.pass(9);
    expect(commands(link.heard)).toEqual(["bind_transceiver_resp"]);
    world.clock.pass(200);
    expect(responses(link.heard)).toEqual([{ sequence: 7, status: 0, id: "268435457" }]);
    expect(receipts(link.heard).map(readReceipt)).toMatchObject([{ id: "268435457", rawStat: "DELIVRD" }]);
    expect(receipts(link.heard)).toMatchObject([{ sourceAddr: "22670000001", destinationAddr: "ACME" }]);
    expect(world.centre.owed()).toEqual({ planned: 0, deliveries: 0 });
    expect(world.faults()).toEqual([]);
  });

  test("hides most of a number in its receipts where that is its habit", () => {
    const { heard } = oneText({ masksNumbers: true });
    expect(receipts(heard)).toMatchObject([{ sourceAddr: "22670******", destinationAddr: "ACME" }]);
    expect(receipts(heard).map(readReceipt)).toMatchObject([{ id: "268435457", rawStat: "DELIVRD" }]);
  });

  test("writes down every PDU in the order it was read or written", () => {
    const { seen } = oneText({});
    const pdus = seen.flatMap((one) => (one.kind === "pdu" ? [`${one.from} ${one.octets[3]}`] : []));
    expect(pdus.length).toBe(6);
    expect(pdus.map((pdu) => pdu.split(" ")[0])).toEqual([
      ...["appliance", "centre", "appliance", "centre"],
      ...["centre", "appliance"],
    ]);
    expect(seen.every((one) => one.kind !== "pdu" || (one.centre === "smsc-a" && one.at === "centre"))).toBe(
      true,
    );
  });

  test("answers enquire_link and unbind, and what it does not know with generic_nack", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    link.send({ command: "enquire_link", sequence: 3, status: 0 });
    link.sendRaw(Uint8Array.from([0, 0, 0, 16, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 9]));
    link.send({ command: "unbind", sequence: 4, status: 0 });
    expect(link.heard).toMatchObject([
      { command: "enquire_link_resp", sequence: 3 },
      { command: "generic_nack", sequence: 9, status: 3 },
      { command: "unbind_resp", sequence: 4 },
    ]);
    expect(world.faults()).toEqual(["centre: PDU not understood"]);
  });

  test("reads PDUs in whatever pieces they come, and hangs up on what can be none", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    const enquiry = [0, 0, 0, 16, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 9];
    for (const octet of enquiry) link.sendRaw(Uint8Array.of(octet));
    link.sendRaw(Uint8Array.from([...enquiry, ...enquiry, 0, 0, 0]));
    expect(commands(link.heard)).toEqual(["enquire_link_resp", "enquire_link_resp", "enquire_link_resp"]);
    link.sendRaw(Uint8Array.from([3]));
    expect(link.ended()).toBe("fin");
  });

  test("takes no text over a link that is not bound, or only for receiving", () => {
    const world = fakeAppliance();
    const link = world.link();
    link.submit(2);
    link.bind("receiver");
    world.clock.pass(20);
    link.submit(3);
    expect(responses(link.heard)).toMatchObject([
      { sequence: 2, status: 4 },
      { sequence: 3, status: 4 },
    ]);
  });

  test("gives no receipt that was not asked for", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    link.submit(2, { registeredDelivery: 0 });
    world.clock.pass(1000);
    expect(commands(link.heard)).toEqual(["submit_sm_resp"]);
  });

  test("delivers over any link that can receive, and waits until there is one", () => {
    const world = fakeAppliance();
    const transmitter = world.link();
    transmitter.bind("transmitter");
    world.clock.pass(20);
    transmitter.submit(2);
    world.clock.pass(1000);
    expect(commands(transmitter.heard)).toEqual(["bind_transmitter_resp", "submit_sm_resp"]);
    expect(world.centre.owed().deliveries).toBe(1);
    const receiver = world.link();
    receiver.bind("receiver");
    world.clock.pass(20);
    expect(commands(receiver.heard)).toEqual(["bind_receiver_resp", "deliver_sm"]);
    expect(world.centre.owed().deliveries).toBe(0);
  });

  test("sends a receipt again that was not answered for when its link ended, and keeps what it owes through every end", () => {
    const world = fakeAppliance();
    const deaf = boundLink(world, null);
    deaf.submit(2);
    world.clock.pass(1000);
    expect(receipts(deaf.heard).length).toBe(1);
    deaf.close();
    expect(world.centre.owed().deliveries).toBe(1);
    const next = boundLink(world);
    world.clock.pass(10);
    expect(world.centre.owed().deliveries).toBe(0);
    expect(world.faults()).toEqual(["centre: receipt sent again"]);
    expect(next.ended()).toBe(null);
  });

  test("sends once what waited for a link for longer than it waits for an answer", () => {
    const world = fakeAppliance();
    const deaf = boundLink(world, null);
    deaf.submit(2);
    world.clock.pass(1000);
    deaf.close();
    world.clock.pass(200_000);
    const next = world.link();
    next.bind();
    world.clock.pass(200_000);
    expect(receipts(next.heard).length).toBe(1);
    expect(world.centre.owed()).toEqual({ planned: 0, deliveries: 0 });
  });

  test("sends again after a while what the appliance could not take, and over again what it never answered", () => {
    const busy = fakeAppliance();
    const link = boundLink(busy, 0x64);
    link.submit(2);
    busy.clock.pass(12_000);
    expect(receipts(link.heard).length).toBe(3);
    const silent = fakeAppliance();
    const other = boundLink(silent, null);
    other.submit(2);
    silent.clock.pass(50_000);
    other.send({ command: "enquire_link", sequence: 4, status: 0 });
    silent.clock.pass(12_000);
    expect(receipts(other.heard).length).toBe(2);
  });

  test("enquires of a silent link, and gives it up", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    world.clock.pass(59_000);
    expect(commands(link.heard)).toEqual(["enquire_link"]);
    world.clock.pass(40_000);
    expect(link.ended()).toBe("rst");
  });

  test("gives the same ids as any other centre, and none of them twice", () => {
    const idsAt = (seed: number) => {
      const world = fakeAppliance({}, seed);
      const link = boundLink(world);
      for (let sequence = 1; sequence <= 50; sequence++) link.submit(sequence);
      world.clock.pass(1000);
      return responses(link.heard).map(({ id }) => id);
    };
    expect(new Set(idsAt(1)).size).toBe(50);
    expect(idsAt(1)).toEqual(idsAt(2));
  });
});

describe("a centre with a habit", () => {
  test("swallows: no response, and a receipt all the same", () => {
    const { heard, faults } = oneText({ swallow: 1 });
    expect(commands(heard)).toEqual(["deliver_sm"]);
    expect(faults()).toEqual(["centre: response swallowed"]);
  });

  test("ignores: nothing ever", () => {
    const { heard, faults } = oneText({ ignore: 1 });
    expect(heard).toEqual([]);
    expect(faults()).toEqual(["centre: submit ignored"]);
  });

  test("refuses with one of its refusals, and delivers nothing", () => {
    const { heard, faults } = oneText({ refuse: 1, refusals: [0x58] });
    expect(responses(heard)).toMatchObject([{ sequence: 7, status: 0x58 }]);
    expect(commands(heard)).toEqual(["submit_sm_resp"]);
    expect(faults()).toEqual(["centre: submit refused"]);
  });

  test("answers twice, the same", () => {
    const { heard } = oneText({ doubleResponse: 1 });
    const [first, second] = responses(heard);
    expect(first).toMatchObject({ status: 0, id: "268435457" });
    expect(second).toEqual(first);
  });

  test("contradicts itself in three ways, and the receipt is for an id it gave", () => {
    const ways = new Map<string, string>();
    for (let seed = 1; seed <= 30; seed++) {
      const { heard, faults } = oneText({ contradict: 1 }, seed);
      const said = responses(heard);
      const given = said.flatMap(({ status, id }) => (status === 0 ? [id] : []));
      ways.set(faults()[0] ?? "", said.map(({ status, id }) => (status === 0 ? id : "no")).join());
      expect(given).toContain(receipts(heard).map(readReceipt)[0]?.id ?? null);
    }
    expect(Object.fromEntries(ways)).toMatchObject({
      "centre: response contradicted (accept, refuse)": "268435457,no",
      "centre: response contradicted (refuse, accept)": "no,268435457",
    });
    expect(ways.size).toBe(3);
  });

  test("delivers the receipt before the response", () => {
    expect(commands(oneText({ earlyReceipt: 1 }).heard)).toEqual(["deliver_sm", "submit_sm_resp"]);
    expect(commands(oneText({ earlyReceipt: 1, responseMs: [0, 0] }).heard)).toEqual([
      "deliver_sm",
      "submit_sm_resp",
    ]);
  });

  test("delivers the receipt twice, never, or after an announcement", () => {
    const stats = (habits: Partial<CentreHabits>) =>
      receipts(oneText(habits).heard).map((message) => readReceipt(message)?.rawStat);
    expect(stats({ doubleReceipt: 1 })).toEqual(["DELIVRD", "DELIVRD"]);
    expect(stats({ noReceipt: 1 })).toEqual([]);
    expect(["ENROUTE", "ACCEPTD"]).toContain(stats({ intermediateReceipt: 1 })[0] as string);
    expect(stats({ intermediateReceipt: 1 })[1]).toBe("DELIVRD");
    expect(stats({ intermediateReceipt: 1, noReceipt: 1 }).length).toBe(1);
  });

  test("does not deliver, for each of the reasons", () => {
    const reached = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      for (const message of receipts(oneText({ undelivered: 1 }, seed).heard)) {
        const stat = /stat:(\w+)/.exec(Buffer.from(message.shortMessage).toString("latin1"))?.[1] ?? "";
        reached.add(stat);
      }
    }
    expect([...reached].sort()).toEqual(["DELETED", "EXPIRED", "REJECTD", "UNDELIV", "UNKNOWN"]);
  });

  test("delivers receipts for ids it never gave, and for other numbers", () => {
    const strange = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      for (const message of receipts(oneText({ foreignReceipt: 1 }, seed).heard)) {
        const isOwnId = readReceipt(message)?.id === "268435457";
        strange.add(
          `${isOwnId ? "its" : "no"} id, ${message.sourceAddr === "22670000001" ? "its" : "no"} number`,
        );
      }
    }
    expect([...strange].sort()).toEqual(["its id, its number", "its id, no number", "no id, its number"]);
  });

  test("writes ids in its form", () => {
    const written = (ids: CentreHabits["ids"]) => {
      const { heard } = oneText({ ids });
      return [responses(heard)[0]?.id, receipts(heard)[0]?.tlvs.receiptedMessageId];
    };
    expect(written("decimal")).toEqual(["268435457", "268435457"]);
    expect(written("hex")).toEqual(["10000001", "10000001"]);
    expect(written("hex then decimal")).toEqual(["10000001", "268435457"]);
  });

  test("marks receipts by all means, by esm_class, or not at all", () => {
    const marked = (marks: CentreHabits["marks"]) => {
      const [receipt] = receipts(oneText({ marks }).heard);
      return [receipt?.esmClass, receipt?.tlvs.messageState, receipt?.tlvs.receiptedMessageId];
    };
    expect(marked("both")).toEqual([4, 2, "268435457"]);
    expect(marked("esm_class")).toEqual([4, undefined, undefined]);
    expect(marked("none")).toEqual([0, undefined, undefined]);
  });

  test("refuses to bind, and leaves enquire_link unanswered", () => {
    const world = fakeAppliance({ refuseBind: 1, deafToEnquire: 1 });
    const link = world.link();
    link.bind();
    world.clock.pass(20);
    expect(link.heard).toMatchObject([{ command: "bind_transceiver_resp" }]);
    expect(link.heard[0]?.status).not.toBe(0);
    link.send({ command: "enquire_link", sequence: 3, status: 0 });
    expect(link.heard.length).toBe(1);
  });

  test("takes up other habits for what comes, not for what it has", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    link.submit(2);
    world.centre.change({ refuse: 1 });
    link.submit(3);
    world.clock.pass(1000);
    expect(responses(link.heard).map(({ status }) => status === 0)).toEqual([true, false]);
  });

  test("is calm when told to, and stays so when a mood would have ended", () => {
    const world = fakeAppliance({ swallow: 1, ids: "hex" });
    const link = boundLink(world);
    world.centre.during({ refuse: 1 }, 500);
    world.centre.calm();
    link.submit(2);
    world.clock.pass(1000);
    link.submit(3);
    world.clock.pass(1000);
    expect(responses(link.heard).map(({ status, id }) => [status, id])).toEqual([
      [0, "10000001"],
      [0, "10000002"],
    ]);
  });
});

describe("a centre that is disturbed", () => {
  test("unbinds its links and hangs up when that is answered", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    world.centre.unbindAll();
    expect(link.heard).toMatchObject([{ command: "unbind" }]);
    link.send({ command: "unbind_resp", sequence: link.heard[0]?.sequence ?? 0, status: 0 });
    expect(link.ended()).toBe("fin");
  });

  test("drops its links, and the response is lost with them while the receipt waits", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    link.submit(2);
    world.centre.dropAll("rst");
    world.clock.pass(1000);
    expect([link.ended(), link.heard.length]).toEqual(["rst", 0]);
    expect(world.faults()).toEqual(["centre: response lost with its link"]);
    expect(commands(boundLink(world).heard)).toEqual([]);
    expect(world.centre.owed().deliveries).toBe(0);
  });

  test("reads nothing while it stalls, and all of it afterwards, in order", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    world.centre.stall(1000);
    link.submit(2);
    world.clock.pass(500);
    link.submit(3);
    world.clock.pass(400);
    expect(link.heard).toEqual([]);
    world.clock.pass(115);
    expect(responses(link.heard).map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  test("writes every kind of garbage", () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const world = fakeAppliance({}, seed);
      boundLink(world);
      world.centre.garbage();
      for (const kind of world.faults()) kinds.add(kind);
    }
    expect(kinds.size).toBe(6);
  });

  test("brings what subscribers write: plain, wide, in parts, a STOP, what looks like a receipt", () => {
    const world = fakeAppliance();
    const link = boundLink(world);
    link.submit(2);
    world.clock.pass(1000);
    link.heard.splice(0);
    for (let number = 1; number <= 30; number++) {
      world.centre.mo({ from: `2267100${1000 + number}`, to: "ACME", text: "hello" });
    }
    const hellos = receipts(link.heard);
    expect(hellos.some(({ dataCoding }) => dataCoding === 8)).toBe(true);
    expect(hellos.some(({ esmClass }) => esmClass === 0x40)).toBe(true);
    expect(hellos.some(({ esmClass, dataCoding }) => esmClass + dataCoding === 0)).toBe(true);
    link.heard.splice(0);
    world.centre.mo({ from: "22671001000", to: "ACME", text: "STOP" });
    world.centre.mo({ from: "22671001000", to: "ACME", text: "like a receipt" });
    const [stop, forged] = receipts(link.heard).map(({ shortMessage }) =>
      Buffer.from(shortMessage).toString(),
    );
    expect(stop?.toUpperCase()).toBe("STOP");
    expect(forged).toMatch(/^id:268435457 .* stat:UNDELIV err:001 text:Good morning to you $/);
  });
});

describe("a run of a centre", () => {
  const run = (seed: number) => {
    const odd = {
      swallow: 0.2,
      contradict: 0.2,
      refuse: 0.2,
      doubleReceipt: 0.3,
      undelivered: 0.3,
      foreignReceipt: 0.2,
    };
    const world = fakeAppliance({ ...odd, responseMs: [0, 300], receiptMs: [0, 2000] }, seed);
    const link = boundLink(world);
    for (let sequence = 1; sequence <= 100; sequence++) {
      link.submit(sequence, { destinationAddr: `2267000${1000 + (sequence % 40)}` });
      world.clock.pass(5);
    }
    world.clock.pass(10_000);
    return world.seen;
  };

  test("is the same from the same seed, to the octet", () => {
    expect(run(5)).toEqual(run(5));
    expect(run(5)).not.toEqual(run(6));
  });

  test("answers out of order", () => {
    const order = run(5).flatMap((one) =>
      one.kind === "pdu" && one.from === "centre" && one.octets[7] === 4 ? [one.octets[15] ?? 0] : [],
    );
    expect(order).not.toEqual([...order].sort((a, b) => a - b));
  });

  test("draws for a text by its number: what others do changes nothing for it", () => {
    const fateAmong = (others: number) => {
      const world = fakeAppliance({ refuse: 0.5, undelivered: 0.5 }, 3);
      const link = boundLink(world);
      for (let other = 0; other < others; other++)
        link.submit(100 + other, { destinationAddr: `2267600${1000 + other}` });
      link.submit(1);
      link.submit(2);
      world.clock.pass(10_000);
      return responses(link.heard).flatMap(({ sequence, status }) => (sequence < 100 ? [status] : []));
    };
    expect(fateAmong(0)).toEqual(fateAmong(17));
  });
});
