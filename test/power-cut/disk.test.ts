import { describe, expect, test } from "vitest";
import { type Disk, diskOf, type Fate, filesAfter, step } from "./disk.ts";
import type { Entry } from "./write-log.ts";

const create = (file: number, name: string): Entry => ({ kind: "create", file, name });
const write = (file: number, offset: number, text: string): Entry => ({
  kind: "write",
  file,
  name: "",
  offset,
  octets: Buffer.from(text),
});
const truncate = (file: number, length: number): Entry => ({ kind: "truncate", file, name: "", length });
const sync = (file: number): Entry => ({ kind: "sync", file, name: "" });

function diskAfter(...entries: readonly Entry[]): Disk {
  const disk = diskOf();
  for (const entry of entries) step(disk, entry);
  return disk;
}

function found(disk: Disk, fates: readonly Fate[], namings = disk.namings.length): Record<string, string> {
  const files = filesAfter(disk, { fates, namings });
  return Object.fromEntries(
    [...files].map(([name, octets]) => [name, Buffer.from(octets).toString("latin1")]),
  );
}

describe("what is on the disk after a power cut", () => {
  test("what was synced is there, under a name that was synced", () => {
    const disk = diskAfter(create(1, "a"), write(1, 0, "one"), sync(1), { kind: "sync names" });
    expect(found(disk, [])).toEqual({ a: "one" });
  });

  test("a name whose directory was not synced may be gone with a file that was", () => {
    const disk = diskAfter(create(1, "a"), write(1, 0, "one"), sync(1));
    expect([found(disk, [], 0), found(disk, [], 1)]).toEqual([{}, { a: "one" }]);
  });

  test("each write since the sync is there or not, and what is missing before another is a hole", () => {
    const disk = diskAfter(create(1, "a"), { kind: "sync names" }, write(1, 0, "one"), write(1, 3, "two"));
    expect(found(disk, ["lost", "lost"])).toEqual({ a: "" });
    expect(found(disk, ["kept", "lost"])).toEqual({ a: "one" });
    expect(found(disk, ["lost", "kept"])).toEqual({ a: "\0\0\0two" });
  });

  test("a write may be torn, or leave zeros", () => {
    const disk = diskAfter(create(1, "a"), { kind: "sync names" }, write(1, 0, "onetwo"));
    expect(found(disk, [{ from: 0, to: 2 }])).toEqual({ a: "on" });
    expect(found(disk, [{ from: 4, to: 6 }])).toEqual({ a: "\0\0\0\0wo" });
    expect(found(disk, ["zeros"])).toEqual({ a: "\0\0\0\0\0\0" });
  });

  test("a sync keeps the writes of its file, not those of another", () => {
    const disk = diskAfter(
      ...[create(1, "a"), create(2, "b"), { kind: "sync names" } as const],
      ...[write(1, 0, "one"), write(2, 0, "two"), sync(1)],
    );
    expect(found(disk, ["lost"])).toEqual({ a: "one", b: "" });
  });

  test("a truncation may be lost, and what is cut off does not come back when the file grows", () => {
    const disk = diskAfter(create(1, "a"), write(1, 0, "onetwo"), sync(1), { kind: "sync names" });
    step(disk, truncate(1, 1));
    step(disk, write(1, 4, "x"));
    expect(found(disk, ["lost", "lost"])).toEqual({ a: "onetwo" });
    expect(found(disk, ["kept", "lost"])).toEqual({ a: "o" });
    expect(found(disk, ["kept", "kept"])).toEqual({ a: "o\0\0\0x" });
    expect(found(disk, ["lost", "kept"])).toEqual({ a: "onetxo" });
  });

  test("names change in their order: a file that took another's name is there, or the other still is", () => {
    const disk = diskAfter(create(1, "a"), create(2, "b"), { kind: "sync names" });
    step(disk, write(2, 0, "new"));
    step(disk, sync(2));
    step(disk, { kind: "rename", name: "b", to: "a" });
    step(disk, { kind: "link", name: "a", to: "c" });
    step(disk, { kind: "unlink", name: "a" });
    expect([0, 1, 2, 3].map((namings) => found(disk, [], namings))).toEqual([
      { a: "", b: "new" },
      { a: "new" },
      { a: "new", c: "new" },
      { c: "new" },
    ]);
  });

  test("a file that is made again under its name begins empty", () => {
    const disk = diskAfter(create(1, "a"), write(1, 0, "one"), sync(1), { kind: "sync names" });
    step(disk, { kind: "unlink", name: "a" });
    step(disk, create(2, "a"));
    expect([0, 1, 2].map((namings) => found(disk, [], namings))).toEqual([{ a: "one" }, {}, { a: "" }]);
  });
});
