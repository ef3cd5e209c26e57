import { afterEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../src/core/clock.ts";
import { decodePdu, encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import type { Accept, Wire } from "../actors.ts";
import { forked } from "../chance.ts";
import { frameCutter } from "../frames.ts";
import { stillClock } from "../kit.ts";
import type { Seen } from "../observation.ts";
import { GOOD_HABITS, TEXT } from "./fake-appliance.ts";
import { type Centre, openCentre } from "./open-centre.ts";
import { serveCentre, type TcpCentre } from "./over-tcp.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

function serve(accept: Accept, seen: Seen[] = []): TcpCentre {
  let links = 0;
  const served = serveCentre({
    centre: "smsc-a",
    accept,
    nextLink: () => ++links,
    observe: (one) => seen.push(one),
  });
  ends.push(served.stop);
  return served;
}

function realCentre(clock: Clock = systemClock): { centre: Centre; seen: Seen[]; port: number } {
  const seen: Seen[] = [];
  const observe = (one: Seen) => void seen.push(one);
  const habits = { ...GOOD_HABITS, responseMs: [0, 2], receiptMs: [0, 5] } as const;
  const centre = openCentre({ clock, chance: forked(1), observe }, { name: "smsc-a", habits });
  return { centre, seen, port: serve(centre.accept, seen).port };
}

/** A client of a test: PDUs in and out, and how many octets came. */
async function dial(port: number) {
  const heard: Pdu[] = [];
  const cut = frameCutter();
  const state = { octets: 0, isClosed: false, last: 0 };
  const pending: Uint8Array[] = [];
  const flush = (socket: Bun.Socket<undefined>) => {
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const taken = Math.max(0, socket.write(next));
      if (taken < next.length) {
        pending[0] = next.subarray(taken);
        return;
      }
      pending.shift();
    }
  };
  const socket = await Bun.connect<undefined>({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_socket, chunk) => {
        state.octets += chunk.length;
        state.last = chunk.at(-1) ?? 0;
        for (const frame of cut(chunk).frames) {
          const read = decodePdu(frame);
          if (!read.ok) continue;
          heard.push(read.pdu);
          const { command, sequence } = read.pdu;
          if (command === "deliver_sm")
            send({ command: "deliver_sm_resp", sequence, status: 0, messageId: "" });
        }
      },
      drain: flush,
      close: () => {
        state.isClosed = true;
      },
    },
  });
  const send = (pdu: Pdu) => {
    if (pending.push(encodePdu(pdu)) === 1) flush(socket);
  };
  ends.push(() => socket.terminate());
  return { heard, state, socket, send, unsent: () => pending.length };
}

const BIND: Pdu = {
  command: "bind_transceiver",
  sequence: 1,
  status: 0,
  bind: {
    systemId: "bendre",
    password: "secret",
    systemType: "",
    interfaceVersion: 0x34,
    addrTon: 0,
    addrNpi: 0,
    addressRange: "",
  },
};

describe("a centre over TCP", () => {
  test("binds, accepts, delivers a receipt, and notes when a link opens and closes", async () => {
    const { centre, seen, port } = realCentre();
    const client = await dial(port);
    client.send(BIND);
    await until(() => client.heard.length === 1);
    client.send({ command: "submit_sm", sequence: 2, status: 0, message: shortMessage(TEXT) });
    await until(() => client.heard.length === 3);
    await until(() => centre.owed().deliveries === 0);
    expect(client.heard.map(({ command }) => command)).toEqual([
      ...["bind_transceiver_resp", "submit_sm_resp", "deliver_sm"],
    ]);
    client.socket.end();
    await until(() => seen.at(-1)?.kind === "link");
    expect(seen.filter(({ kind }) => kind === "link")).toEqual([
      { kind: "link", centre: "smsc-a", link: 1, state: "open" },
      {
        kind: "link",
        centre: "smsc-a",
        link: 1,
        state: "closed",
        why: "the appliance closed the connection",
      },
    ]);
  });

  test("that stalls lets the buffers of its clients fill up, and reads all of it afterwards", async () => {
    const clock = stillClock();
    const { centre, port } = realCentre(clock);
    const client = await dial(port);
    const heard = async (count: number) => {
      for (; client.heard.length < count; await turn()) clock.pass(1);
    };
    client.send(BIND);
    await heard(1);
    centre.stall(1000);
    const tlvs = { messagePayload: new Uint8Array(60_000) };
    const message = shortMessage({ ...TEXT, registeredDelivery: 0, shortMessage: new Uint8Array(0), tlvs });
    const count = 300;
    for (let sequence = 2; sequence < count + 2; sequence++) {
      client.send({ command: "submit_sm", sequence, status: 0, message });
    }
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(client.unsent()).toBeGreaterThan(0);
    expect(client.heard.length).toBe(1);
    clock.pass(1000);
    await heard(count + 1);
    expect(client.unsent()).toBe(0);
  });

  test("writes all it has to a client that reads late, in order, before it hangs up", async () => {
    let wire: Wire | null = null;
    const { port } = serve((_number, opened) => {
      wire = opened;
      return { data: () => {}, closed: () => {} };
    });
    const client = await dial(port);
    await until(() => wire !== null);
    client.socket.pause();
    for (let piece = 0; piece < 100; piece++) wire!.write(new Uint8Array(100_000).fill(piece));
    wire!.close("fin");
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(client.state.octets).toBe(0);
    client.socket.resume();
    await until(() => client.state.isClosed);
    expect([client.state.octets, client.state.last]).toEqual([10_000_000, 99]);
  });

  test("resets a connection when told to, and tells the centre of it once", async () => {
    const { centre, seen, port } = realCentre();
    const client = await dial(port);
    client.send(BIND);
    await until(() => client.heard.length === 1);
    centre.dropAll("rst");
    await until(() => client.state.isClosed);
    expect(seen.filter((one) => one.kind === "link" && one.state === "closed").length).toBe(1);
  });

  test("that is stopped is gone for its clients, and takes none any more", async () => {
    const served = serve(() => ({ data: () => {}, closed: () => {} }));
    const client = await dial(served.port);
    served.stop();
    await until(() => client.state.isClosed);
    await expect(dial(served.port)).rejects.toThrow();
  });
});
