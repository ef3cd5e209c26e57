/** One page of what a profile saw. */

import { FRAME_BYTES } from "../../test/kit/log-frames.ts";
import type { Booked } from "../../test/kit/statement-book.ts";
import type { Figures } from "../bench/kit/goal.ts";
import { type Garbage, garbageIn } from "./garbage.ts";
import type { SeenHold } from "./holds.ts";
import type { Place, Sample } from "./samples.ts";
import type { Seen } from "./seen.ts";

export type Profile = {
  readonly title: string;
  /** What figures are divided by. */
  readonly items: number;
  readonly figures: Figures;
  readonly seen: Seen;
  readonly samples: readonly Sample[];
  /** Of each other thread. */
  readonly threads: readonly (readonly Sample[])[];
  readonly garbage: Garbage;
  /** All that was logged, a character an octet. */
  readonly log: string;
};

const HOTTEST = 25;
const INCLUSIVE = 20;
const HOTTEST_OF_A_THREAD = 10;
const STATEMENTS = 40;
/** A page is as wide as a terminal may be. */
const WIDTH = 150;

export function pageOf(profile: Profile): string {
  return [
    profile.title,
    ...sums(profile),
    "",
    ...rooms(profile),
    "",
    ...hottest(profile),
    "",
    ...inclusive(profile),
    ...profile.threads.flatMap(thread),
    "",
    ...statements(profile),
  ].join("\n");
}

const count = (value: number): string => Math.round(value).toLocaleString("en");
const fixed = (value: number, digits = 1): string => value.toFixed(digits);

function sums({ items, figures, seen, garbage, samples, log }: Profile): readonly string[] {
  const threads = Object.entries(seen.cpuByThread).toSorted(([, a], [, b]) => b - a);
  const cpu = threads.reduce((sum, [, seconds]) => sum + seconds, 0);
  const commits = seen.statements.filter(({ sql }) => sql === "COMMIT");
  const commitCount = commits.reduce((sum, { runs }) => sum + runs, 0);
  const commitMs = commits.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0) / 1e6;
  const runs = seen.statements.reduce((sum, booked) => sum + booked.runs, 0);
  const written = seen.logFrames * FRAME_BYTES;
  return [
    `${count(items)} in ${fixed(seen.seconds)} s under the profiler, which slows them: ${words(figures)}`,
    `CPU        ${fixed(cpu, 2)} s, ${fixed((cpu / items) * 10_000, 2)} for 10,000: ${threads.map(([name, seconds]) => `${name} ${fixed(seconds, 2)}`).join(", ")}`,
    `SQL        ${count(runs)} statements, ${fixed(runs / items, 2)} each`,
    `commits    ${count(commitCount)}, ${fixed(items / Math.max(1, commitCount))} to a commit, ${fixed(commitMs / Math.max(1, commitCount), 2)} ms mean`,
    `log (WAL)  ${fixed(written / 1e6)} MB, ${fixed(written / items / 1000, 2)} KB each`,
    `garbage    ${garbage.young} young and ${garbage.full} full collections, ${fixed(garbage.pauseMs)} ms of pauses, longest ${fixed(garbage.longestPauseMs)}; ` +
      `${fixed(garbage.allocated / 1e6)} MB allocated, ${fixed(garbage.allocated / items / 1000, 2)} KB each; ${seen.peakMib} MiB resident`,
    "",
    "the longest holds of the event loop, in milliseconds; own: without the wait for a core; the last five are parts of it",
    ...holds(seen.holds, log, samples),
  ];
}

function holds(seen: readonly SeenHold[], log: string, samples: readonly Sample[]): readonly string[] {
  const header = ["held", "own", "CPU", "garbage", "commit", "checkpoint", "SQL", "what ran most"];
  const rows = seen.map((hold) => {
    const garbage = garbageIn(log.slice(...hold.log)).pauseMs;
    const parts = [hold.ms, hold.ownMs, hold.cpuMs, garbage, hold.commitMs, hold.checkpointMs];
    return [...[...parts, hold.statementMs].map((ms) => fixed(ms)), during(hold, samples)];
  });
  return table([header, ...rows]);
}

const words = (figures: Figures): string =>
  Object.entries(figures)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

/** What ran while the event loop was held. */
function during({ ms, endedMs }: SeenHold, samples: readonly Sample[]): string {
  const endedUs = endedMs * 1000;
  const inside = samples.filter(({ atUs }) => atUs <= endedUs && atUs > endedUs - ms * 1000);
  const named = tally(
    inside,
    ({ stack, place, leaf }) => `${stack[0] ?? leaf}${place.startsWith("sql") ? ` ${place}` : ""}`,
  );
  return ranked(named, 3)
    .map(([name, times]) => `${name} ${Math.round((times / inside.length) * 100)} %`)
    .join(", ");
}

/** What another thread did, in short. */
function thread(samples: readonly Sample[]): readonly string[] {
  const [outermost = "nothing of src"] = ranked(
    tally(samples, ({ stack }) => stack.at(-1) ?? "nothing of src"),
    1,
  ).flat();
  const rooms = ranked(tally(samples, ({ room }) => room)).map(
    ([room, n]) => `${room} ${percent(n, samples).trim()}`,
  );
  const named = tally(samples, ({ leaf, stack }) =>
    leaf === stack[0] ? leaf : `${leaf} in ${stack[0] ?? "nothing of src"}`,
  );
  return [
    "",
    `another thread, mostly in ${outermost}: ${fixed(busySeconds(samples), 2)} s in JavaScript: ${rooms.join(", ")}`,
    ...ranked(named, HOTTEST_OF_A_THREAD).map(([name, n]) => `${percent(n, samples)}  ${name}`),
  ];
}

const PLACES: readonly Place[] = ["own", "libraries", "sqlPrepare", "sqlStep", "sqlCommit", "profiler"];

function rooms({ samples, items, seen }: Profile): readonly string[] {
  const main = seen.cpuByThread.main ?? 0;
  const each = busySeconds(samples) / samples.length;
  const byRoom = ranked(tally(samples, ({ room }) => room));
  const header = ["room", "share", "µs each", "own", "libraries", "prepare", "step", "commit", "profiler"];
  const rows = byRoom.map(([room, times]) => {
    const inRoom = tally(
      samples.filter((sample) => sample.room === room),
      ({ place }) => place,
    );
    const micro = (n: number) => fixed((n * each * 1e6) / items);
    return [
      room,
      percent(times, samples),
      micro(times),
      ...PLACES.map((place) => micro(inRoom.get(place) ?? 0)),
    ];
  });
  return [
    `the main thread by the room of the innermost function of src: ${fixed(busySeconds(samples), 2)} s in JavaScript, waits for the disk counted in; ` +
      `${fixed(main, 2)} s of CPU in all`,
    ...table([header, ...rows]),
  ];
}

/** Time in JavaScript: a sample stands for the time since the one before, but for idleness. */
function busySeconds(samples: readonly Sample[]): number {
  const gaps = samples.slice(1).map(({ atUs }, index) => atUs - (samples[index]?.atUs ?? atUs));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return gaps.reduce((sum, gap) => sum + Math.min(gap, 4 * usual), 0) / 1e6;
}

function hottest({ samples }: Profile): readonly string[] {
  const named = tally(samples, ({ leaf, stack }) =>
    leaf === stack[0] ? leaf : `${leaf} in ${stack[0] ?? "nothing of src"}`,
  );
  const lines = ranked(named, HOTTEST).map(([name, times]) => `${percent(times, samples)}  ${name}`);
  return [`the ${HOTTEST} hottest functions, by themselves`, ...lines];
}

function inclusive({ samples }: Profile): readonly string[] {
  const times = new Map<string, number>();
  for (const { stack } of samples) for (const name of stack) times.set(name, (times.get(name) ?? 0) + 1);
  const lines = ranked(times, INCLUSIVE).map(([name, n]) => `${percent(n, samples)}  ${name}`);
  return [`the ${INCLUSIVE} functions in which most was done, with all that they called`, ...lines];
}

function statements({ seen, items }: Profile): readonly string[] {
  const byTime = seen.statements.toSorted((a, b) => b.nanoseconds - a.nanoseconds);
  const row = ({ runs, nanoseconds, rows, connection, sql }: Booked) => [
    ...[
      fixed(runs / items, 2),
      count(runs),
      fixed(nanoseconds / 1e6),
      fixed(nanoseconds / runs / 1000),
      count(rows),
    ],
    `${connection === "reader" ? "R" : "W"} ${sql.replace(/\s+/g, " ").trim()}`.slice(0, WIDTH - 50),
  ];
  const header = ["each", "runs", "ms", "µs mean", "rows", "statement (W: on the connection that writes)"];
  const rest = byTime.slice(STATEMENTS);
  const restMs = rest.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0) / 1e6;
  return [
    `SQL by statement, the ${STATEMENTS} that took longest`,
    ...table([header, ...byTime.slice(0, STATEMENTS).map(row)]),
    `and ${rest.length} more statements: ${fixed(restMs)} ms`,
  ];
}

const percent = (times: number, samples: readonly Sample[]): string =>
  `${fixed((times / Math.max(1, samples.length)) * 100).padStart(5)} %`;

function tally<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + 1);
  return sums;
}

function ranked(
  sums: ReadonlyMap<string, number>,
  most = Number.POSITIVE_INFINITY,
): readonly [string, number][] {
  return [...sums].toSorted(([, a], [, b]) => b - a).slice(0, most);
}

/** Numbers to the right; the first column is to the left where it is no number, and so is the last. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => /[a-z(]/i.test(rows[1]?.[column] ?? "");
  const cell = (text: string, column: number) =>
    isText(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd());
}
