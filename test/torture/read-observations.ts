/**
 * The observations of a long run as an auditor can hold them: what is long of one, the body of a request, an answer or an event, stays
 * in the file and is read when it is asked for; the octets of PDUs lie side by side.
 */
import { closeSync, openSync, readSync } from "node:fs";
import type { Observation } from "../sim/observation.ts";
import { observationOf } from "./observation-lines.ts";

export type ReadObservations = {
  readonly seen: readonly Observation[];
  /** No body can be read afterwards. */
  readonly close: () => void;
};

/** Reads a file of lines. */
export function readObservations(path: string): ReadObservations {
  const file = openSync(path, "r");
  const octets = sideBySide();
  const shared = sharedWords();
  const seen: Observation[] = [];
  for (const { line, at, length } of linesOf(file)) {
    const observation = observationOf(line);
    const again = () => observationOf(textAt(file, at, length));
    seen.push(lean(observation, again, octets, shared));
  }
  return { seen, close: () => closeSync(file) };
}

function lean(
  one: Observation,
  again: () => Observation,
  octets: (own: Uint8Array) => Uint8Array,
  shared: (word: string) => string,
): Observation {
  switch (one.kind) {
    case "pdu":
      return { ...one, centre: shared(one.centre), octets: octets(one.octets) };
    case "request":
    case "answer":
    case "event":
      return withBodyOf(one, again);
    default:
      return one;
  }
}

/** The same, whose body is read from the file whenever it is asked for. */
function withBodyOf<T extends { readonly body: string | null }>(one: T, again: () => Observation): T {
  return Object.defineProperty({ ...one, body: null }, "body", {
    enumerable: true,
    get: () => {
      const read = again();
      return "body" in read ? read.body : null;
    },
  });
}

const SLAB = 1 << 20;

/** Copies octets one behind the other into a few large buffers: so many small ones cost more than what they hold. */
function sideBySide(): (own: Uint8Array) => Uint8Array {
  let slab = new Uint8Array(SLAB);
  let at = 0;
  return (own) => {
    if (own.length > SLAB) return own;
    if (at + own.length > SLAB) [slab, at] = [new Uint8Array(SLAB), 0];
    slab.set(own, at);
    at += own.length;
    return slab.subarray(at - own.length, at);
  };
}

/** Words that are said again and again are held once. */
function sharedWords(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word) ?? word;
    known.set(word, found);
    return found;
  };
}

type Line = { readonly line: string; readonly at: number; readonly length: number };

const CHUNK = 1 << 22;
const LINE_FEED = 10;

function* linesOf(file: number): Generator<Line> {
  let rest = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const chunk = Buffer.alloc(CHUNK);
    const got = readSync(file, chunk, 0, CHUNK, at + rest.length);
    const all = Buffer.concat([rest, chunk.subarray(0, got)]);
    let from = 0;
    for (let end = all.indexOf(LINE_FEED); end >= 0; end = all.indexOf(LINE_FEED, from)) {
      const line = all.toString("utf8", from, end);
      if (line !== "") yield { line, at: at + from, length: end - from };
      from = end + 1;
    }
    rest = Buffer.from(all.subarray(from));
    at += from;
    // A last line without its end was cut off by whoever ended the run.
    if (got === 0) return;
  }
}

function textAt(file: number, at: number, length: number): string {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, at);
  return bytes.toString("utf8");
}
