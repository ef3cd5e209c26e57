import { describe, expect, test } from "vitest";
import { encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";
import { writeQueue } from "../../src/smpp/socket-writer.ts";
import { dice } from "../fuzz/dice.ts";

const octets = (...values: number[]) => Uint8Array.from(values);

describe("writeQueue", () => {
  test("gives what waits as one piece, in order", () => {
    const queue = writeQueue();
    queue.add(octets(1, 2), 10);
    queue.add(octets(3), null);
    queue.add(octets(4, 5), 11);
    expect(new Uint8Array(queue.peek(100))).toEqual(octets(1, 2, 3, 4, 5));
    expect(queue.octets()).toBe(5);
    expect(queue.length()).toBe(3);
  });

  test("a piece is no longer than asked for", () => {
    const queue = writeQueue();
    for (let each = 0; each < 4; each++) queue.add(octets(each, each), null);
    expect(new Uint8Array(queue.peek(3))).toEqual(octets(0, 0, 1));
  });

  test("holds PDUs as they are encoded, and nothing of one that cannot be", () => {
    const queue = writeQueue();
    const submit = (sourceAddr: string): Pdu => ({
      command: "submit_sm",
      sequence: 7,
      status: 0,
      message: shortMessage({ sourceAddr, shortMessage: octets(1, 2, 3) }),
    });
    const alive: Pdu = { command: "enquire_link", sequence: 8, status: 0 };
    queue.add(submit("BENDRE"), 10);
    expect(() => queue.add(submit("Société"), 11)).toThrow("source_addr");
    expect(queue.unsent()).toEqual([10]);
    queue.add(alive, null);
    const expected = Buffer.concat([encodePdu(submit("BENDRE")), encodePdu(alive)]);
    expect(Buffer.from(queue.peek(1000)).toString("hex")).toBe(expected.toString("hex"));
    expect(Buffer.from(queue.newest()).toString("hex")).toBe(expected.subarray(-16).toString("hex"));
  });

  test("whatever is added, taken and withdrawn, the octets leave once and in order", () => {
    for (let seed = 0; seed < 200; seed++) {
      const { below, bytes } = dice(seed);
      const queue = writeQueue();
      let wanted: { rest: Uint8Array; ref: number | null; begun: boolean }[] = [];
      const largest = seed % 20 === 0 ? 60_000 : 200;
      for (let step = 0; step < 120; step++) {
        const ref = below(4) === 0 ? null : step;
        switch (below(5)) {
          case 0:
          case 1: {
            const added = bytes(1 + below(largest));
            queue.add(added, ref);
            wanted.push({ rest: added, ref, begun: false });
            break;
          }
          case 2:
          case 3: {
            const piece = queue.peek(1 + below(3 * largest));
            let count = below(piece.length + 1);
            const all = Buffer.concat(wanted.map(({ rest }) => rest));
            expect(Buffer.from(piece).equals(all.subarray(0, piece.length))).toBe(true);
            queue.took(count);
            for (const one of wanted) {
              const part = Math.min(count, one.rest.length);
              count -= part;
              one.begun ||= part > 0;
              one.rest = one.rest.subarray(part);
            }
            wanted = wanted.filter(({ rest }) => rest.length > 0);
            break;
          }
          default: {
            if (below(4) > 0) break;
            const gone = wanted.filter((one) => one.ref !== null && !one.begun);
            expect(queue.withdraw()).toEqual(gone.map((one) => one.ref as number));
            wanted = wanted.filter((one) => !gone.includes(one));
          }
        }
        expect(queue.octets()).toBe(wanted.reduce((sum, { rest }) => sum + rest.length, 0));
        expect(queue.length()).toBe(wanted.length);
        expect(queue.unsent()).toEqual(wanted.flatMap((one) => (one.ref === null ? [] : [one.ref])));
      }
    }
  });

  test("goes on in the middle of a PDU the socket took half of", () => {
    const queue = writeQueue();
    queue.add(octets(1, 2, 3), 10);
    queue.add(octets(4, 5, 6), 11);
    queue.took(1);
    queue.took(1);
    expect(new Uint8Array(queue.peek(100))).toEqual(octets(3, 4, 5, 6));
    queue.took(2);
    expect(new Uint8Array(queue.peek(100))).toEqual(octets(5, 6));
    queue.took(2);
    expect(queue.peek(100).length).toBe(0);
    expect(queue.octets()).toBe(0);
  });

  test("a submit is unsent until its last octet is taken", () => {
    const queue = writeQueue();
    queue.add(octets(1, 2), 10);
    queue.add(octets(3, 4), null);
    queue.add(octets(5, 6), 11);
    queue.took(1);
    expect(queue.unsent()).toEqual([10, 11]);
    queue.took(1);
    expect(queue.unsent()).toEqual([11]);
    queue.took(4);
    expect(queue.unsent()).toEqual([]);
  });

  test("gives submits back that have not begun to leave, and keeps the others", () => {
    const queue = writeQueue();
    queue.add(octets(1, 2), 10);
    queue.add(octets(3, 4), 11);
    queue.add(octets(5), null);
    queue.took(1);
    expect(queue.withdraw()).toEqual([11]);
    expect(new Uint8Array(queue.peek(100))).toEqual(octets(2, 5));
    expect(queue.octets()).toBe(2);
    queue.took(1);
    queue.add(octets(6), 12);
    expect(queue.withdraw()).toEqual([12]);
    expect(queue.unsent()).toEqual([]);
  });
});
