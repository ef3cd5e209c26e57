import { expect, test } from "vitest";
import { garbageOf } from "../../scripts/profile/garbage.ts";
import { samplesOf } from "../../scripts/profile/samples.ts";

const frame = (functionName: string, url = "", lineNumber = -1) => ({ functionName, url, lineNumber });

test("a sample is put down to the room of the innermost function of ours, and one in SQLite to who asked", () => {
  const nodes = [
    { id: 1, callFrame: frame("(root)"), children: [2] },
    { id: 2, callFrame: frame("submit", "file:///x/src/domain/submission/submit.ts", 9), children: [3, 4] },
    { id: 3, callFrame: frame("toString"), children: [] },
    { id: 4, callFrame: frame("get", "file:///x/src/db/read.ts", 40), children: [5] },
    { id: 5, callFrame: frame("sqlStep", "file:///x/test/kit/statement-book.ts", 1), children: [6] },
    { id: 6, callFrame: frame("get"), children: [] },
  ];
  const profile = { nodes, startTime: 1000, samples: [2, 3, 6, 1], timeDeltas: [0, 500, 500, 500] };
  expect(samplesOf(profile)).toMatchObject([
    { atUs: 1000, room: "domain/submission", place: "own", leaf: "submit domain/submission/submit.ts:10" },
    { atUs: 1500, room: "domain/submission", place: "libraries", leaf: "toString (native)" },
    {
      atUs: 2000,
      room: "domain/submission",
      place: "sqlStep",
      stack: ["submit domain/submission/submit.ts:10"],
    },
    { atUs: 2500, room: "outside src", place: "libraries" },
  ]);
});

test("of the garbage collector's words those between the beginning and the end of the profile count", () => {
  const log = [
    "[GC<0x1>: START M 1kb => FullCollection, p=9.5ms (max 9.5)...]",
    "== the profile begins",
    "Requesting GC because bytes allocated this cycle: 1000 exceed bytes allowed: 800",
    "[GC<0x1>: START M 1kb => EdenCollection, p=1.5ms (max 9.5)...]",
    "[GC<0x1>: M a=1kb => 1kb, p=0.5ms (max 9.5), cycle 2ms END]",
    "== the profile ends",
    "[GC<0x1>: START M 1kb => EdenCollection, p=7.5ms (max 9.5)...]",
  ].join("\n");
  expect(garbageOf(log)).toEqual({ young: 1, full: 0, pauseMs: 2, longestPauseMs: 1.5, allocated: 1000 });
});
