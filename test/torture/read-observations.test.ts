import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Observation } from "../sim/observation.ts";
import { lineOf } from "./observation-lines.ts";
import { readObservations } from "./read-observations.ts";

const place = mkdtempSync(join(tmpdir(), "bendre-lines-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const long = `é${"x".repeat(5_000_000)}`;
const octetsOf = (count: number, value: number) => new Uint8Array(count).fill(value);
const pdu = (octets: Uint8Array) =>
  ({ kind: "pdu", centre: "one", link: 1, from: "centre", at: "centre", octets, atMs: 4 }) as const;

const WRITTEN: readonly Observation[] = [
  {
    kind: "request",
    id: 1,
    client: "a",
    method: "GET",
    path: "/x",
    headers: {},
    body: null,
    atMs: 1,
  } as Observation,
  { kind: "answer", id: 1, status: 200, headers: { a: "b" }, body: long, atMs: 2 },
  { kind: "event", id: 2, url: "https://r.invalid", headers: {}, body: "{}", atMs: 3 },
  pdu(octetsOf(20, 1)),
  pdu(octetsOf(16, 2)),
  { kind: "rest", atMs: 5 },
];

test("what was written is read again, bodies as often as they are asked for, also over the seams of what is read at once", () => {
  const path = join(place, "whole.jsonl");
  writeFileSync(path, `${WRITTEN.map(lineOf).join("\n")}\n`);
  const { seen, close } = readObservations(path);
  expect(seen).toEqual([...WRITTEN]);
  const [, answer] = seen;
  expect(answer?.kind === "answer" && answer.body === long && answer.body.length).toBe(long.length);
  close();
});

test("a last line that was cut off is left out", () => {
  const path = join(place, "cut.jsonl");
  writeFileSync(path, `${lineOf({ kind: "rest", atMs: 5 })}\n{"kind":"re`);
  const { seen, close } = readObservations(path);
  expect(seen).toEqual([{ kind: "rest", atMs: 5 }]);
  close();
});
