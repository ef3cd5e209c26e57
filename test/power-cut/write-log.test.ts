import { describe, expect, test } from "vitest";
import { markRecord, readWriteLog } from "./write-log.ts";

const HEAD_OCTETS = 40;

type Fields = {
  readonly kind: number;
  readonly name?: string;
  readonly other?: string;
  readonly inode?: number;
  readonly offset?: number;
  readonly text?: string;
  readonly isDirectory?: boolean;
};

/** A record as recorder.c writes it. */
function record({ kind, name = "", other = "", inode = 0, offset = 0, text = "", isDirectory }: Fields) {
  const rest = Buffer.from(name + other + text);
  const octets = Buffer.alloc(HEAD_OCTETS + rest.length);
  octets.writeUInt32LE(octets.length, 0);
  octets.writeUInt8(kind, 4);
  octets.writeUInt8(isDirectory ? 1 : 0, 5);
  octets.writeUInt16LE(name.length, 6);
  octets.writeUInt16LE(other.length, 8);
  octets.writeUInt16LE(12, 10);
  octets.writeUInt32LE(77, 12);
  octets.writeBigUInt64LE(BigInt(inode), 16);
  octets.writeBigInt64LE(BigInt(offset), 32);
  octets.set(rest, HEAD_OCTETS);
  return octets;
}

const read = (...records: readonly Uint8Array[]) => readWriteLog(Buffer.concat(records));

describe("a log that the recorder wrote", () => {
  test("tells what was done to a file, one after the other", () => {
    const entries = read(
      record({ kind: 1, name: "a", inode: 5 }),
      record({ kind: 2, name: "a", inode: 5, offset: 512, text: "octets" }),
      record({ kind: 3, name: "a", inode: 5, offset: 100 }),
      record({ kind: 4, name: "a", inode: 5 }),
      record({ kind: 4, name: "", isDirectory: true }),
    );
    expect(entries).toEqual([
      { kind: "create", file: 1, name: "a" },
      { kind: "write", file: 1, name: "a", offset: 512, octets: Buffer.from("octets") },
      { kind: "truncate", file: 1, name: "a", length: 100 },
      { kind: "sync", file: 1, name: "a" },
      { kind: "sync names" },
    ]);
  });

  test("knows a file that was made again from the one before, even where the disk gave it the same number", () => {
    const entries = read(
      record({ kind: 1, name: "a", inode: 5 }),
      record({ kind: 6, name: "a" }),
      record({ kind: 1, name: "a", inode: 5 }),
      record({ kind: 2, name: "a", inode: 5, text: "x" }),
    );
    expect(entries.map((entry) => ("file" in entry ? entry.file : entry.kind))).toEqual([1, "unlink", 2, 2]);
  });

  test("has what was said in between, and marks of others", () => {
    const entries = read(
      record({ kind: 9, offset: 2, text: "HTTP" }),
      markRecord("asked"),
      record({ kind: 10, offset: 1, text: "?" }),
      record({ kind: 5, name: "a", other: "b" }),
    );
    expect(entries).toEqual([
      { kind: "sent", socket: "77/12", isLocal: false, octets: Buffer.from("HTTP") },
      { kind: "mark", text: "asked" },
      { kind: "received", socket: "77/12", isLocal: true, octets: Buffer.from("?") },
      { kind: "rename", name: "a", to: "b" },
    ]);
  });

  test("ends with its last whole record", () => {
    const last = record({ kind: 2, name: "a", inode: 1, text: "torn" });
    expect(read(markRecord("whole"), last.subarray(0, last.length - 1))).toEqual([
      { kind: "mark", text: "whole" },
    ]);
  });

  test("of a kind that nobody writes is refused", () => {
    expect(() => read(record({ kind: 99 }))).toThrow("kind 99");
  });
});
