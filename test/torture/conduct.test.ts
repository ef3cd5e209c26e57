import { expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { newStory, type Run, stop } from "./conduct.ts";
import type { ProcessLife } from "./process-life.ts";

/** A life that refuses its start with a line, while it is asked to stop. */
function refusing(line: string): ProcessLife {
  let end: (ended: { code: number; signal: null }) => void = () => {};
  const ended = new Promise<{ code: number; signal: null }>((resolve) => {
    end = resolve;
  });
  return {
    ready: ended.then(() => false),
    ended,
    isOver: () => false,
    kill: () => {},
    stop: () => end({ code: 1, signal: null }),
    lines: [line],
  };
}

/** A run on a disk that can be filled, or on one that cannot. */
function runOn(disk: Run["place"]["disk"]): Run {
  const recorder = { observe: () => {}, counts: new Map() } as unknown as Run["recorder"];
  return { clock: systemClock, recorder, place: { disk }, story: newStory() } as unknown as Run;
}

const DISK = { fill: () => {}, empty: () => {} };
const FULL = "bendre: the disk is full: nothing was started";

test("a start that a full disk refuses while it is asked to stop is a refused start", async () => {
  const run = runOn(DISK);
  await stop(run, refusing(FULL), null);
  expect(run.story).toMatchObject({ mishaps: [], refusedStarts: 1, stops: 0 });
});

test("any other end that is no orderly stop is a mishap", async () => {
  const other = runOn(DISK);
  await stop(other, refusing("bendre: a bug"), null);
  const undiskly = runOn(null);
  await stop(undiskly, refusing(FULL), null);
  for (const { story } of [other, undiskly]) {
    expect(story).toMatchObject({
      mishaps: [{ life: 0, what: "it was asked to stop: exit 1" }],
      refusedStarts: 0,
    });
  }
});
