import { describe, expect, test } from "vitest";
import { seededChance } from "../kit/test-chance.ts";
import { survivorsOf } from "./crash-states.ts";
import { diskOf, step } from "./disk.ts";
import type { Medium } from "./fates.ts";
import { type Judge, replay, type Told } from "./replay.ts";
import type { Entry } from "./write-log.ts";

const RECORD_OCTETS = 8;
const write = (number: number): Entry => ({
  kind: "write",
  file: 1,
  name: "book",
  offset: (number - 1) * RECORD_OCTETS,
  octets: Buffer.from(String(number).padStart(RECORD_OCTETS, "#")),
});
const tell = (number: number): Entry => ({ kind: "mark", text: String(number) });
const SYNC: Entry = { kind: "sync", file: 1, name: "book" };
const SYNC_NAMES: Entry = { kind: "sync names" };
const CREATE: Entry = { kind: "create", file: 1, name: "book" };

const drawing = (drawn: number, medium: Medium = "files") => ({ chance: seededChance(1), drawn, medium });

/** A program that writes numbers into a book and tells each: what it promises with a number is that the book has it. */
function run(turn: (number: number) => readonly Entry[], beginning = [CREATE, SYNC_NAMES]) {
  const entries = [...beginning, ...[1, 2, 3, 4].flatMap(turn)];
  const told = entries.flatMap((entry, at): Told<string>[] =>
    entry.kind === "mark" ? [{ at, promise: entry.text }] : [],
  );
  const judge: Judge<string> = (files, promises) => {
    const book = Buffer.from(files.get("book") ?? []).toString("latin1");
    return promises.filter((number) => !book.includes(`#${number}`)).map((number) => `${number} is missing`);
  };
  return replay(entries, told, judge, { ...drawing(20), mostFindings: 1000 });
}

describe("a replay", () => {
  test("finds nothing in a program that tells what it has synced", async () => {
    const { states, findings } = await run((number) => [write(number), SYNC, tell(number)]);
    expect(states).toBeGreaterThan(20);
    expect(findings).toEqual([]);
  });

  test("catches a program that tells before it has synced", async () => {
    const { findings } = await run((number) => [write(number), tell(number), SYNC]);
    expect(new Set(findings.map(({ problem }) => problem))).toEqual(
      new Set([1, 2, 3, 4].map((number) => `${number} is missing`)),
    );
  });

  test("catches one that syncs every second time", async () => {
    const { findings } = await run((number) => [
      write(number),
      ...(number % 2 === 0 ? [SYNC] : []),
      tell(number),
    ]);
    expect(new Set(findings.map(({ problem }) => problem))).toEqual(
      new Set(["1 is missing", "3 is missing"]),
    );
  });

  test("catches one that never syncs the directory", async () => {
    const { findings } = await run((number) => [write(number), SYNC, tell(number)], [CREATE]);
    expect(findings.length).toBeGreaterThan(0);
  });

  test("ends after so many findings", async () => {
    const entries = [CREATE, SYNC_NAMES, write(1), SYNC, write(2), SYNC];
    const replayed = await replay(entries, [], () => ["bad"], {
      ...drawing(5),
      mostFindings: 2,
    });
    expect(replayed.findings.length).toBe(2);
  });
});

describe("what may survive", () => {
  const disk = diskOf();
  for (const entry of [CREATE, SYNC_NAMES, write(1), write(2), write(3)]) step(disk, entry);

  test("is every combination of a few writes", () => {
    const found = [...survivorsOf(disk, drawing(0))].map(({ survivors }) =>
      survivors.fates.map((fate) => (fate === "kept" ? "1" : "0")).join(""),
    );
    expect(found.sort()).toEqual(["000", "001", "010", "011", "100", "101", "110", "111"]);
  });

  test("is drawn the same from the same seed, and has torn writes and zeros", () => {
    const drawn = (medium: Medium = "files") => JSON.stringify([...survivorsOf(disk, drawing(50, medium))]);
    expect(drawn()).toBe(drawn());
    expect(drawn()).toContain('"zeros"');
    expect(drawn()).toContain('"from"');
    expect(drawn("device")).not.toContain('"zeros"');
  });
});
