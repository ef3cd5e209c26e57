/** What comes from whoever can reach the address: over real sockets, and nobody else fares worse for it. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { createBindGate } from "../../../src/ingress/smpp/binds.ts";
import type { AcceptedEvents, AcceptedSocket } from "../../../src/smpp/listen.ts";
import { encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { diceOf } from "../../fuzz/dice.ts";
import { anyPdu, damagedFrame } from "../../fuzz/pdus.ts";
import { seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import {
  bindOf,
  PASSWORD,
  type SmppClient,
  type SmppRig,
  SYSTEM_ID,
  smppRig,
  submitOf,
  textOf,
} from "./rig.ts";

let rig: SmppRig;
afterEach(async () => {
  vi.restoreAllMocks();
  await rig.close();
});

const octetsOf = (request: ReturnType<typeof bindOf>, sequence = 1): Uint8Array =>
  encodePdu({ ...request, sequence, status: 0 } as Pdu);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function countBatches(): Promise<number> {
  const headers = { "x-api-key": rig.client.apiKey };
  const response = await fetch(`${rig.stage.url()}/public/v1/batches`, { headers });
  return ((await response.json()) as { data: { batches: unknown[] } }).data.batches.length;
}

/** Addresses that the next connections come from; then that of this machine. */
let peers: string[] = [];
const fromPeers = {
  between: (socket: AcceptedSocket) => ({ ...socket, peer: peers.shift() ?? socket.peer }),
};
/** A client that the door sees coming from an address. */
async function connectFrom(peer: string): Promise<SmppClient> {
  peers.push(peer);
  const client = await rig.connect();
  await client.until(() => peers.length === 0);
  return client;
}

describe("octets", () => {
  test("that come one by one are the PDUs that they are, and half a submit leaves nothing behind", async () => {
    rig = await smppRig();
    const client = await rig.connect();
    const torn = async (octets: Uint8Array): Promise<void> => {
      for (const octet of octets) {
        client.octets(Uint8Array.of(octet));
        await turn();
      }
    };
    await torn(octetsOf(bindOf("transceiver"), 1));
    expect((await client.responseTo(1)).status).toBe(0);
    await torn(octetsOf(submitOf(), 2));
    expect((await client.responseTo(2)).status).toBe(0);
    const half = octetsOf(submitOf({ shortMessage: textOf("only half") }), 3);
    client.octets(half.subarray(0, half.length - 1));
    await turn();
    client.close();
    const other = await rig.bind();
    expect((await other.submit({ shortMessage: textOf("whole") })).status).toBe(0);
    expect(await countBatches()).toBe(2);
  });

  test.each([0, 15, 70_001, 16 * 1024 * 1024, 0x7fff_ffff, 0xffff_ffff])(
    "of a PDU that says it has %d are answered generic_nack and closed, bound or not",
    async (length) => {
      rig = await smppRig();
      const other = await rig.bind();
      for (const client of [await rig.connect(), await rig.bind()]) {
        const octets = Buffer.alloc(64 * 1024);
        octets.writeUInt32BE(length, 0);
        client.octets(octets);
        await client.until(client.isClosed, 10);
        expect(client.received.at(-1)).toMatchObject({ command: "generic_nack", status: 0x02 });
      }
      expect((await other.submit()).status).toBe(0);
    },
  );

  test.each(seeds(3))(
    "of whatever a bound client writes end its own session at most (seed %d)",
    async (seed) => {
      rig = await smppRig();
      const other = await rig.bind();
      const { spendable } = await rig.client.balance();
      let client = await rig.bind("receiver");
      for (let index = 0; index < 300; index++) {
        const rolls = diceOf(seed, "hostile", index);
        const frame = rolls.below(2) === 0 ? Buffer.from(encodePdu(anyPdu(rolls))) : damagedFrame(rolls);
        client.octets(frame);
        if (index % 10 === 0) await turn();
        // Some of it says unbind, or has no possible length.
        if (client.isClosed()) client = await rig.bind("receiver");
      }
      const asked = 0x0fff_0000;
      if (!client.isClosed()) client.octets(octetsOf({ command: "enquire_link" }, asked));
      await client.until(
        () => client.isClosed() || client.received.some((pdu) => pdu.sequence === asked),
        10,
      );
      expect((await rig.client.balance()).spendable).toBe(spendable);
      expect((await other.submit()).status).toBe(0);
      expect(rig.stage.log().filter(({ level }) => level === "error")).toEqual([]);
    },
  );
});

describe("connections without a bind", () => {
  test("are twenty an address, however many come, and customers bind meanwhile", async () => {
    rig = await smppRig({}, {}, fromPeers);
    const bound = await rig.bind();
    const silent: SmppClient[] = [];
    for (let count = 0; count < 1_000; count += 50) {
      peers = Array.from({ length: 50 }, () => "192.0.2.1");
      silent.push(...(await Promise.all(Array.from({ length: 50 }, () => rig.connect()))));
    }
    const open = () => silent.filter((client) => !client.isClosed()).length;
    await bound.until(() => open() === 20);
    const elsewhere = await rig.bind();
    expect((await elsewhere.submit()).status).toBe(0);
    await rig.stage.clock.advance(11_000);
    await bound.until(() => open() === 0, 100);
    expect([bound.isClosed(), elsewhere.isClosed()]).toEqual([false, false]);
  });

  test("are two hundred in all: the oldest of the address that has most makes room", async () => {
    rig = await smppRig({}, {}, fromPeers);
    const most: SmppClient[] = [];
    for (let count = 0; count < 20; count++) most.push(await connectFrom("192.0.2.1"));
    const others: SmppClient[] = [];
    for (let count = 0; count < 180; count++) others.push(await connectFrom(`198.51.100.${count % 18}`));
    expect([...most, ...others].filter((client) => client.isClosed())).toEqual([]);
    const another = await connectFrom("203.0.113.1");
    const [oldest, next] = most;
    await another.until(() => oldest?.isClosed() === true);
    expect([next?.isClosed(), another.isClosed()]).toEqual([false, false]);
    expect(others.filter((client) => client.isClosed())).toEqual([]);
    expect((await another.ask(bindOf("transceiver"))).status).toBe(0);
  });
});

describe("a flood of wrong binds", () => {
  /** Passwords whose hash is worked out now, until they are released; how many at most at once. */
  function holdHashes(): {
    readonly most: () => number;
    readonly now: () => number;
    readonly release: () => void;
  } {
    let [now, most] = [0, 0];
    const released = Promise.withResolvers<void>();
    vi.spyOn(Bun.password, "verify").mockImplementation(async () => {
      now += 1;
      most = Math.max(most, now);
      await released.promise;
      now -= 1;
      return false;
    });
    return { most: () => most, now: () => now, release: released.resolve };
  }

  test("has two hashes worked out at once, and who was right before binds meanwhile", async () => {
    rig = await smppRig({}, {}, fromPeers);
    const before = await rig.bind();
    await before.ask({ command: "unbind" });
    const hashes = holdHashes();
    const wrong: SmppClient[] = [];
    for (let count = 0; count < 100; count++) {
      const client = await connectFrom(`198.51.100.${count}`);
      client.send(bindOf("transceiver", "wrong"));
      wrong.push(client);
    }
    await before.until(() => hashes.now() === 2);
    const again = await rig.bind();
    expect((await again.submit()).status).toBe(0);
    expect(rig.status()?.sessions).toHaveLength(1);
    hashes.release();
    for (const client of wrong) await client.until(client.isClosed, 100);
    expect(hashes.most()).toBe(2);
    expect(wrong.every(({ received }) => received.every(({ status }) => status === 0x0d))).toBe(true);
  });

  test("of one system_id from one address has one hash worked out at once", async () => {
    rig = await smppRig();
    const hashes = holdHashes();
    const wrong = await Promise.all(Array.from({ length: 20 }, () => rig.connect()));
    for (const client of wrong) client.send(bindOf("transceiver", "wrong"));
    const [first] = wrong;
    await first?.until(() => hashes.now() === 1);
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(hashes.most()).toBe(1);
    hashes.release();
    for (const client of wrong) await client.until(client.isClosed, 100);
    expect(hashes.most()).toBe(1);
  });

  test("has five hundred wait for theirs, and more refused without one", async () => {
    rig = await smppRig();
    const hashes = holdHashes();
    const { store, clock } = rig.stage.context();
    const gate = createBindGate({ store, clock, chance: seededChance(1) });
    const attempts = Array.from({ length: 600 }, (_, count) =>
      gate.judge({
        systemId: SYSTEM_ID,
        password: "wrong",
        peer: `198.51.${count >> 8}.${count & 0xff}`,
        isTls: false,
      }),
    );
    for (let turns = 0; turns < 100; turns++) await turn();
    hashes.release();
    const verdicts = (await Promise.all(attempts)).map((verdict) => (verdict.ok ? "ok" : verdict.why));
    const count = (why: string) => verdicts.filter((one) => one === why).length;
    expect([count("WRONG_PASSWORD"), count("TOO_BUSY")]).toEqual([502, 98]);
    expect(hashes.most()).toBe(2);
  });

  test("of a hundred from an address has all from there refused until the minute is over, and nobody elsewhere", async () => {
    rig = await smppRig({}, {}, fromPeers);
    for (let round = 0; round < 5; round++) {
      const strangers: SmppClient[] = [];
      for (let count = 0; count < 20; count++) strangers.push(await connectFrom("192.0.2.1"));
      for (const [count, client] of strangers.entries())
        client.send(bindOf("transceiver", "wrong", `nobody-${round}-${count}`));
      for (const client of strangers) await client.until(client.isClosed, 100);
    }
    const there = await connectFrom("192.0.2.1");
    expect((await there.ask(bindOf("transceiver"), 100)).status).toBe(0x0d);
    expect(rig.status()?.refusals[0]?.reason).toBe("TOO_MANY_WRONG_BINDS");
    const elsewhere = await connectFrom("198.51.100.1");
    expect((await elsewhere.ask(bindOf("transceiver"))).status).toBe(0);
    await rig.stage.clock.advance(61_000);
    const later = await connectFrom("192.0.2.1");
    expect((await later.ask(bindOf("transceiver"))).status).toBe(0);
  });
});

describe("what is kept of refused binds", () => {
  type Entry = {
    readonly action: string;
    readonly subject: string;
    readonly detail: Record<string, unknown>;
  };
  const recorded = async (): Promise<Entry[]> => {
    const { entries } = (await rig.stage.admin("audit list")) as { readonly entries: readonly Entry[] };
    return entries.filter(({ action }) => action === "smpp bind refused");
  };
  const refuse = async (times: number, systemId: string): Promise<void> => {
    for (let count = 0; count < times; count++) {
      const client = await rig.connect();
      expect((await client.ask(bindOf("transceiver", "wrong", systemId), 200)).status).toBe(0x0d);
    }
  };

  test("is an entry of the audit at once and one a minute, with how many, and nothing of unknown ids", async () => {
    rig = await smppRig();
    // At once: the clock moves on while one waits for a hash.
    vi.spyOn(Bun.password, "verify").mockResolvedValue(false);
    await refuse(5, SYSTEM_ID);
    await refuse(2, "nobody");
    const counts = async () => (await recorded()).map(({ detail }) => detail.times).toSorted();
    expect(await counts()).toEqual([1]);
    await rig.stage.clock.advance(61_000);
    expect(await counts()).toEqual([1, 4]);
    await rig.stage.clock.advance(200_000);
    expect(await counts()).toEqual([1, 4]);
    await refuse(2, SYSTEM_ID);
    await rig.stage.stop();
    await rig.stage.start();
    expect(await counts()).toEqual([1, 1, 1, 4]);
    expect((await recorded()).every(({ subject }) => subject === SYSTEM_ID)).toBe(true);
  });

  test("has no password, and the log neither, nor a text or a whole number", async () => {
    rig = await smppRig();
    await refuse(2, SYSTEM_ID);
    const client = await rig.bind();
    await client.submit({ shortMessage: textOf("a secret text"), registeredDelivery: 1 });
    await client.submit({ shortMessage: textOf("a secret text"), sourceAddr: "OTHERS" });
    await client.until(() => client.delivered().length === 1, 100);
    await client.ask({ command: "unbind" });
    const kept = JSON.stringify([rig.stage.log(), await rig.stage.admin("audit list")]);
    for (const secret of [PASSWORD, 'wrong"', "a secret text", "22670123456"])
      expect(kept).not.toContain(secret);
    expect(kept).toContain(SYSTEM_ID);
  });
});

describe("binds that fight", () => {
  test("for one place leave it to who has it, as long as that one answers", async () => {
    rig = await smppRig({ maxBinds: 1 });
    const first = await rig.bind();
    for (let attempt = 0; attempt < 5; attempt++) {
      const second = await rig.connect();
      expect((await second.ask(bindOf("transceiver"), 100)).status).toBe(0x0d);
      await rig.stage.clock.advance(6_000);
      expect((await first.submit({ shortMessage: textOf(`still ${attempt}`) })).status).toBe(0);
    }
    expect(rig.status()?.refusals.map(({ reason }) => reason)).toEqual(Array(5).fill("TOO_MANY_BINDS"));
    expect(first.received.filter(({ command }) => command === "unbind")).toEqual([]);
  });

  test("at once for one place give it to one of them", async () => {
    rig = await smppRig({ maxBinds: 1 });
    const clients = await Promise.all(Array.from({ length: 5 }, () => rig.connect()));
    const answers = await Promise.all(clients.map((client) => client.ask(bindOf("transceiver"), 20)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([0, 0x0d, 0x0d, 0x0d, 0x0d]);
    expect(rig.status()?.sessions).toHaveLength(1);
  });
});

test("a stream that was recorded and is sent again has the same ids, one message and one price", async () => {
  rig = await smppRig();
  const texts = ["one", "two", "three"];
  const recorded = texts.map((text, index) => octetsOf(submitOf({ shortMessage: textOf(text) }), index + 2));
  const play = async (): Promise<(string | null)[]> => {
    const client = await rig.connect();
    client.octets(octetsOf(bindOf("transceiver")));
    await client.responseTo(1);
    client.octets(Buffer.concat(recorded));
    const ids: (string | null)[] = [];
    for (const [index] of recorded.entries()) {
      const answer = await client.responseTo(index + 2);
      ids.push("messageId" in answer ? answer.messageId : null);
    }
    client.close();
    await client.until(client.isClosed);
    return ids;
  };
  const first = await play();
  const { spendable } = await rig.client.balance();
  for (let times = 0; times < 5; times++) expect(await play()).toEqual(first);
  expect((await rig.client.balance()).spendable).toBe(spendable);
  expect(await countBatches()).toBe(texts.length);
});

describe("a client that does not read", () => {
  /** What the door hands to a socket that takes nothing, or at last all that waits for it, and then nothing again. */
  function stuck() {
    const seen: { takes: "all" | "nothing" | "what waits"; offered: number; waited: number } = {
      takes: "all",
      offered: 0,
      waited: 0,
    };
    const between = (socket: AcceptedSocket): AcceptedSocket => ({
      ...socket,
      write: (octets) => {
        if (seen.takes === "all") return socket.write(octets);
        seen.offered = octets.length;
        if (seen.takes === "nothing") return 0;
        seen.waited += octets.length;
        queueMicrotask(() => {
          seen.takes = "nothing";
        });
        return octets.length;
      },
    });
    const doors: AcceptedEvents[] = [];
    /** How much waits for the first connection: its socket has room for all of it once, and says so. */
    const waited = (): number => {
      seen.takes = "what waits";
      doors[0]?.drain();
      return seen.waited;
    };
    return { seen, waited, world: { between, taken: (on: AcceptedEvents) => void doors.push(on) } };
  }
  /** Twenty times what it may have written, if each were answered. */
  const asks = Buffer.concat(
    Array.from({ length: 80_000 }, (_, index) => octetsOf({ command: "enquire_link" }, index + 100)),
  );

  test("has at most 64 KiB written for it", async () => {
    const { seen, waited, world } = stuck();
    rig = await smppRig({}, {}, world);
    const client = await rig.bind();
    seen.takes = "nothing";
    client.octets(asks.subarray(0, 480_000));
    await client.until(() => seen.offered > 65_000);
    for (let turns = 0; turns < 1_000; turns++) await turn();
    const octets = waited();
    expect(octets).toBeGreaterThan(65_000);
    expect(octets).toBeLessThanOrEqual(65_536);
  });

  test("is cut after a minute in which it took nothing", async () => {
    const { seen, world } = stuck();
    rig = await smppRig({}, {}, world);
    const client = await rig.bind();
    seen.takes = "nothing";
    client.octets(asks.subarray(0, 160_000));
    await client.until(() => seen.offered > 65_000);
    await rig.stage.clock.advance(59_000);
    expect(client.isClosed()).toBe(false);
    await rig.stage.clock.advance(2_000);
    await client.until(client.isClosed);
    expect(rig.status()?.sessions).toEqual([]);
    const told = rig.stage.log().map(({ message }) => message);
    expect(told).toContain("a customer's session took nothing and was cut");
  });

  test("has no more submits read than may be answered, and what was accepted stays accepted", async () => {
    const { seen, waited, world } = stuck();
    rig = await smppRig({ window: 1_000, throughput: 5_000 }, {}, world);
    const client = await rig.bind();
    seen.takes = "nothing";
    const submits = Array.from({ length: 3_000 }, (_, index) =>
      octetsOf(submitOf({ shortMessage: textOf(`text ${index}`) }), index + 2),
    );
    client.octets(Buffer.concat(submits));
    await client.until(() => seen.offered > 40_000, 5);
    for (let steps = 0; steps < 50; steps++) await rig.stage.clock.advance(20);
    expect(waited()).toBeLessThanOrEqual(65_536);
    await client.until(client.isClosed, 500);
    const { spendable } = await rig.client.balance();
    seen.takes = "all";
    const again = await rig.bind();
    expect((await again.submit({ shortMessage: textOf("text 0") })).status).toBe(0);
    expect((await rig.client.balance()).spendable).toBe(spendable);
  });

  test("over a socket whose memory is full is read no further, and others are", async () => {
    rig = await smppRig();
    const other = await rig.bind();
    let written = 0;
    const reader = await Bun.connect({
      hostname: "127.0.0.1",
      port: rig.port(),
      socket: { data: () => {}, error: () => {} },
    });
    reader.write(octetsOf(bindOf("transceiver")));
    await other.until(() => rig.status()?.sessions.length === 2);
    reader.pause();
    // Sixteen octets are answered by sixteen: once the answers fill what the machine holds for them, none is read.
    for (let quiet = 0; quiet < 200; ) {
      const taken = reader.write(asks);
      written += Math.max(0, taken);
      quiet = taken > 0 ? 0 : quiet + 1;
      await turn();
      if (written > 256 * 1024 * 1024) break;
    }
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect((await other.submit()).status).toBe(0);
    await rig.stage.clock.advance(30_000);
    await other.until(() => rig.status()?.sessions.length === 1, 1_000);
    expect(other.isClosed()).toBe(false);
    reader.terminate();
  });
});
