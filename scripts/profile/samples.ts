/** Samples of the main thread, as an inspector gives them, read as: which room, which function, in SQLite or not. */

import { roomOfPath } from "../test-times.ts";

type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number };
type Node = { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] };

/** Times in microseconds; `startTime` since the epoch. */
export type CpuProfile = {
  readonly nodes: readonly Node[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

export type Place = "own" | "libraries" | "sqlPrepare" | "sqlStep" | "sqlCommit" | "profiler";

/** `stack`: functions of src from the innermost outwards, each once. */
export type Sample = {
  readonly atUs: number;
  readonly room: string;
  readonly place: Place;
  readonly leaf: string;
  readonly stack: readonly string[];
};

const OUTSIDE = "outside src";

export function samplesOf({ nodes, startTime, samples, timeDeltas }: CpuProfile): readonly Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const read = new Map<number, Omit<Sample, "atUs">>();
  let atUs = startTime;
  return samples.map((id, index) => {
    atUs += timeDeltas[index] ?? 0;
    const known = read.get(id) ?? sampleOf(framesOf(id, byId, parents));
    read.set(id, known);
    return { atUs, ...known };
  });
}

/** From the leaf outwards. */
function framesOf(id: number, byId: ReadonlyMap<number, Node>, parents: ReadonlyMap<number, number>) {
  const frames: Frame[] = [];
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at);
    if (node) frames.push(node.callFrame);
  }
  return frames;
}

function sampleOf(frames: readonly Frame[]): Omit<Sample, "atUs"> {
  const [leaf] = frames;
  const inSrc = frames.findIndex(({ url }) => url.includes("/src/"));
  const before = inSrc < 0 ? frames : frames.slice(0, inSrc);
  const sql = SQL.find((name) =>
    before.some(({ functionName, url }) => functionName === name && isProfilers(url)),
  );
  // A statement is whose who runs it, not of the room that has it run.
  const ours = frames.filter(
    ({ url }) => url.includes("/src/") && !(sql === "sqlStep" && RUNS_SQL.test(url)),
  );
  const stack = ours.map(nameOf);
  return {
    room: roomOf(ours[0]),
    place:
      sql ?? (before.some(({ url }) => isProfilers(url)) ? "profiler" : inSrc === 0 ? "own" : "libraries"),
    leaf: sql ?? (leaf ? nameOf(leaf) : "(nothing)"),
    stack: [...new Set(stack)],
  };
}

/** The functions of the book of statements. */
const SQL = ["sqlPrepare", "sqlStep", "sqlCommit"] as const;
const RUNS_SQL = /\/src\/db\/(read|write)\.ts$/;
const isProfilers = (url: string): boolean => /\/(scripts\/profile\/|test\/kit\/statement-book)/.test(url);

function roomOf(frame: Frame | undefined): string {
  const path = frame?.url.split("/src/").at(-1);
  if (path === undefined) return OUTSIDE;
  return roomOfPath(path) || "(top)";
}

/** `name file:line` for ours, `name (library)` for others', `name` for the runtime's. */
function nameOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName || "(anonymous)";
  const library = url.split("/node_modules/").at(-1);
  if (url.includes("/node_modules/")) return `${name} (${library?.split("/").slice(0, 2).join("/")})`;
  const path = url.split("/src/").at(-1);
  if (url.includes("/src/")) return `${name} ${path}:${lineNumber + 1}`;
  return url.startsWith("node:") || url.startsWith("bun:") ? `${name} (${url})` : `${name} (native)`;
}
