import { describe, expect, test } from "vitest";
import { writeQueue } from "../../src/smpp/write-queue.ts";

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

  test("a piece ends with the PDU that reaches the length asked for", () => {
    const queue = writeQueue();
    for (let each = 0; each < 4; each++) queue.add(octets(each, each), null);
    expect(new Uint8Array(queue.peek(3))).toEqual(octets(0, 0, 1, 1));
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
