import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { MAX_UNDECIDED, socketReader } from "../../src/smpp/socket-reader.ts";
import { testClock } from "../kit/test-clock.ts";

/** A PDU of so many octets: what is in it does not matter here. */
function pdu(place: number, octets = 16): Uint8Array {
  const frame = Buffer.alloc(octets);
  frame.writeUInt32BE(octets, 0);
  frame.writeUInt32BE(place, 12);
  return new Uint8Array(frame);
}

const pdus = (count: number, octets = 16, from = 1): Uint8Array =>
  new Uint8Array(Buffer.concat(Array.from({ length: count }, (_, index) => pdu(from + index, octets))));

/** A reader of which every PDU is a deliver_sm that waits, on a clock whose turns are taken by hand. */
function taking({ isDeliver = true } = {}) {
  const turns: (() => void)[] = [];
  const clock: Clock = { ...testClock(), soon: (callback) => void turns.push(callback) };
  const read: number[] = [];
  const told: string[] = [];
  const taken = socketReader({
    clock,
    frame: (frame) => {
      read.push(Buffer.from(frame).readUInt32BE(12));
      if (isDeliver) taken.begun(frame.length);
    },
    fault: (fault) => {
      told.push(fault);
      taken.stop();
    },
    pause: () => told.push("pause"),
    resume: () => told.push("resume"),
    guarded: (work) => work(),
  });
  /** Takes turns until none is wanted; how many. */
  const settle = (): number => {
    let count = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      turn();
      count += 1;
    }
    return count;
  };
  return { taken, read, told, settle };
}

const inOrder = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("what a link reads", () => {
  test("is taken at once, in its order, while it is little", () => {
    const { taken, read, told, settle } = taking();
    taken.take(pdus(20).subarray(0, 200));
    taken.take(pdus(20).subarray(200));
    expect(read).toEqual(inOrder(20));
    expect(settle()).toBe(0);
    expect(told).toEqual([]);
  });

  test("waits while it is held, unread at the socket, and goes on where it was", () => {
    const { taken, read, told, settle } = taking({ isDeliver: false });
    taken.hold();
    taken.take(pdus(3));
    expect([read, told, settle()]).toEqual([[], ["pause"], 0]);
    taken.release();
    settle();
    expect([read, told]).toEqual([
      [1, 2, 3],
      ["pause", "resume"],
    ]);
    taken.release();
    expect(told).toEqual(["pause", "resume"]);
  });

  test("is taken a piece a turn of the event loop when it is much, and the socket is not read meanwhile", () => {
    const { taken, read, told, settle } = taking({ isDeliver: false });
    taken.take(pdus(1_050));
    expect(read).toEqual(inOrder(100));
    expect(told).toEqual(["pause"]);
    expect(settle()).toBe(10);
    expect(read).toEqual(inOrder(1_050));
    expect(told).toEqual(["pause", "resume"]);
  });

  test("is a smaller piece where PDUs are long", () => {
    const { taken, read } = taking({ isDeliver: false });
    taken.take(pdus(10, 60_000));
    expect(read.length).toBe(2);
  });

  test("ends at four hundred deliver_sm that nobody has decided, and goes on when half of them are", () => {
    const { taken, read, told, settle } = taking();
    taken.take(pdus(5_000));
    settle();
    expect(read.length).toBe(MAX_UNDECIDED);
    for (let each = 0; each < MAX_UNDECIDED / 2 - 1; each++) taken.decided(16);
    expect(settle()).toBe(0);
    taken.decided(16);
    settle();
    expect(read.length).toBe(MAX_UNDECIDED * 1.5);
    for (let undecided = MAX_UNDECIDED; undecided > 0; ) {
      const before = read.length;
      taken.decided(16);
      settle();
      undecided += read.length - before - 1;
      expect(undecided).toBeLessThanOrEqual(MAX_UNDECIDED);
    }
    expect(read).toEqual(inOrder(5_000));
    expect(told).toEqual(["pause", "resume"]);
  });

  test("ends sooner where they are long", () => {
    const { taken, read, settle } = taking();
    taken.take(pdus(200, 65_536));
    settle();
    expect(read.length).toBe(64);
  });

  test("is paused also by the last PDU of a chunk, and resumed when there is nothing left to read", () => {
    const { taken, told, settle } = taking();
    taken.take(pdus(MAX_UNDECIDED));
    settle();
    expect(told).toEqual(["pause"]);
    for (let each = 0; each < MAX_UNDECIDED; each++) taken.decided(16);
    expect(told).toEqual(["pause", "resume"]);
  });

  test("waits in its order when it comes although the socket is paused", () => {
    const { taken, read, settle } = taking();
    taken.take(pdus(1_500));
    taken.take(pdus(100, 16, 1_501));
    settle();
    expect(read.length).toBe(MAX_UNDECIDED);
    for (let decided = 0; decided < 1_600; decided++) {
      taken.decided(16);
      settle();
    }
    expect(read).toEqual(inOrder(1_600));
  });

  test("is read to its end when the other side is gone, whatever waits, and then the end is told", () => {
    const { taken, read, told, settle } = taking();
    taken.take(pdus(2_500));
    settle();
    taken.finish(() => told.push("ended"));
    settle();
    expect(read).toEqual(inOrder(2_500));
    expect(told).toEqual(["pause", "ended"]);
  });

  test("ends at once with the other side when nothing is left", () => {
    const { taken, told } = taking();
    taken.take(pdu(1).subarray(0, 9));
    taken.finish(() => told.push("ended"));
    expect(told).toEqual(["ended"]);
  });

  test("ends where its frames are lost, after those before", () => {
    const { taken, read, told, settle } = taking({ isDeliver: false });
    taken.take(new Uint8Array(Buffer.concat([pdus(150), Buffer.alloc(16), pdus(5)])));
    settle();
    expect(read).toEqual(inOrder(150));
    expect(told).toEqual(["pause", "command_length 0 is not between 16 and 65536"]);
  });

  test("is nothing more once it is stopped", () => {
    const { taken, read, settle } = taking();
    taken.take(pdus(300));
    taken.stop();
    settle();
    taken.decided(16);
    expect(read.length).toBe(100);
  });
});
