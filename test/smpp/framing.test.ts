import { describe, expect, test } from "vitest";
import { frameSplitter } from "../kit/frame-splitter.ts";

function frame(length: number, fill: number): Uint8Array {
  const octets = Buffer.alloc(length, fill);
  octets.writeUInt32BE(length, 0);
  return new Uint8Array(octets);
}

const frames = [frame(16, 1), frame(17, 2), frame(300, 3), frame(65_536, 4), frame(16, 5)];
const stream = new Uint8Array(Buffer.concat(frames));

/** Every frame that comes out when the stream goes in by pieces of one size, copied as they come. */
function cut(pieceLength: number): Uint8Array[] {
  const split = frameSplitter();
  const out: Uint8Array[] = [];
  for (let offset = 0; offset < stream.length; offset += pieceLength) {
    const { frames, fault } = split(stream.slice(offset, offset + pieceLength));
    expect(fault).toBe(null);
    for (const one of frames) out.push(new Uint8Array(one));
  }
  return out;
}

describe("frameSplitter", () => {
  for (const length of [1, 2, 3, 5, 15, 16, 17, 33, 1_000, stream.length]) {
    test(`frames come out whole from pieces of ${length} octets`, () => {
      expect(cut(length)).toEqual(frames);
    });
  }

  test("a chunk may be used again once the call is over", () => {
    const split = frameSplitter();
    const chunk = frame(32, 7).slice(0, 20);
    split(chunk);
    chunk.fill(0);
    expect(split(new Uint8Array(12).fill(7)).frames).toEqual([frame(32, 7)]);
  });

  for (const length of [0, 4, 15, 65_537, 0xffff_ffff]) {
    test(`a length of ${length} is a fault for good, after the frames before it`, () => {
      const wrong = Buffer.alloc(16);
      wrong.writeUInt32BE(length, 0);
      const split = frameSplitter();
      const first = split(new Uint8Array(Buffer.concat([frame(16, 1), wrong])));
      expect(first.frames).toEqual([frame(16, 1)]);
      expect(first.fault).toContain(String(length));
      expect(split(frame(16, 1))).toEqual({ frames: [], fault: first.fault });

      const dribbled = frameSplitter();
      let fault: string | null = null;
      for (const octet of wrong) fault = dribbled(Uint8Array.of(octet)).fault;
      expect(fault).toBe(first.fault);
    });
  }
});
