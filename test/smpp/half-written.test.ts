import { expect, test } from "vitest";
import { openConnection } from "../../src/smpp/connection.ts";
import type { Dial, DialEvents, SmppSocket } from "../../src/smpp/dial.ts";
import { encodePdu } from "../../src/smpp/pdu.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

const RESPONSE_TIMEOUT_MS = 20_000;
const message = shortMessage({ destinationAddr: "22670123456", shortMessage: new Uint8Array(100) });

/** A socket that takes no more octets than it is given room for. */
function narrowDial() {
  let events: DialEvents | null = null;
  let room = Number.POSITIVE_INFINITY;
  const socket: SmppSocket = {
    write: (octets) => {
      const count = Math.min(room, octets.length);
      room -= count;
      return count;
    },
    pause: () => {},
    resume: () => {},
    hangUp: () => {},
  };
  const dial: Dial = (_profile, _clock, on) => {
    events = on;
    return socket;
  };
  return {
    dial,
    on: () => events!,
    roomFor: (octets: number) => {
      room = octets;
    },
  };
}

test("what becomes of a submit that has half left when its time is over is told once, whether the rest leaves at the end or not", async () => {
  for (const roomAtEnd of [0, Number.POSITIVE_INFINITY]) {
    const told: string[] = [];
    const clock = testClock();
    const { dial, on, roomFor } = narrowDial();
    const connection = openConnection({
      dial,
      profile: {
        host: "127.0.0.1",
        port: 2775,
        tls: null,
        bind: "transceiver" as const,
        systemId: "bendre",
        password: "secret",
        systemType: "",
        interfaceVersion: 0x34,
        addrTon: 0,
        addrNpi: 0,
        addressRange: "",
        window: 3,
        responseTimeoutMs: RESPONSE_TIMEOUT_MS,
        reconnectMs: 5_000,
        enquireLinkMs: 60_000,
      },
      clock,
      chance: seededChance(1),
      log: testLog(),
      on: {
        bound: () => {},
        resumed: () => {},
        unbound: () => told.push("unbound"),
        response: () => {},
        lateResponse: () => {},
        unanswered: (refs) => told.push(`unanswered ${refs}`),
        unsent: (refs) => told.push(`unsent ${refs}`),
        deliver: () => {},
      },
    });
    on().connected();
    await clock.advance(0);
    const bound = { sequence: 1, status: 0, systemId: "SMSC", scInterfaceVersion: 0x34 };
    on().data(encodePdu({ command: "bind_transceiver_resp", ...bound }));
    const octets = encodePdu({ command: "submit_sm", sequence: 2, status: 0, message }).length;
    // The first leaves whole, of the second half.
    roomFor(Math.floor(octets * 1.5));
    for (const ref of [1, 2, 3]) connection.submit(ref, message);
    await clock.advance(0);
    roomFor(roomAtEnd);
    await clock.advance(RESPONSE_TIMEOUT_MS);
    expect(told).toEqual(
      roomAtEnd === 0 ? ["unanswered 1", "unsent 2,3", "unbound"] : ["unanswered 1,2", "unsent 3", "unbound"],
    );
  }
});
