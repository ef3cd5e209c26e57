import type { Clock } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import type { Store } from "../store/store.ts";
import { type EnabledRow, enabledAfter, PAGE } from "./enabled-endpoints.ts";
import type { OpenLanes } from "./open-lanes.ts";
import { dueRetries } from "./outcomes.ts";
import { type Delays, longestWaitMs } from "./schedule.ts";

export type EndpointLook = {
  /** Looks where something was committed since the last look, or something is due. Whether it looked. */
  readonly look: () => Promise<boolean>;
  /** The next look sees everything, whatever the last one saw. */
  readonly again: () => void;
  readonly stop: () => void;
};

/** After a look, at least as many times as long as it took nobody looks again: thousands of endpoints cost few hundredths. */
const REST = 20;
/** Due retries taken over at a time. */
const RETRIES_A_LOOK = 32;

/** Goes through the enabled endpoints: opens their lanes, and tells them how far the logs go and what is due. */
export function endpointLook(
  store: Pick<Store, "read" | "version">,
  clock: Clock,
  delays: Delays,
  lanes: OpenLanes,
): EndpointLook {
  const longestMs = longestWaitMs(delays);
  // What the last look saw; nothing has changed for anybody until there is another version or this moment has come.
  let lookedAt: number | null = null;
  let nextDueMs = Number.POSITIVE_INFINITY;
  let restUntilMs = 0;
  let isStopping = false;

  const attend = (row: EnabledRow): void => {
    const nowMs = clock.nowMs();
    const lane = lanes.laneOf(row);
    if (!lane) return;
    lane.grow(row);
    // What is due later than any delay lasts was dated by a clock that was set back since, like all after it.
    const dueBy = (row.dueAt ?? 0) > nowMs + longestMs ? Number.MAX_SAFE_INTEGER : nowMs;
    if (row.dueAt !== null && row.dueAt <= dueBy) {
      lane.due(dueRetries(store.read, row.id, dueBy, RETRIES_A_LOOK));
    }
    // What is due already is the lane's: its end is written down.
    for (const atMs of [row.dueAt ?? 0, lane.restsUntilMs()]) {
      if (atMs > nowMs) nextDueMs = Math.min(nextDueMs, atMs);
    }
    lanes.ready.add(lane);
  };

  const lookAround = async (): Promise<void> => {
    const pause = slicer(clock);
    const enabled = new Set<number>();
    let workedMs = 0;
    for (let after = 0; !isStopping; ) {
      const beganMs = clock.steadyMs();
      const rows = enabledAfter(store.read, after);
      for (const row of rows) {
        enabled.add(row.id);
        attend(row);
      }
      workedMs += clock.steadyMs() - beganMs;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last.id;
      await pause();
    }
    for (const lane of lanes.all()) if (!isStopping && !enabled.has(lane.endpointId)) lanes.drop(lane);
    restUntilMs = clock.steadyMs() + workedMs * REST;
  };

  return {
    look: async () => {
      if (clock.steadyMs() < restUntilMs) return false;
      if (store.version() === lookedAt && clock.nowMs() < nextDueMs) return false;
      lookedAt = store.version();
      nextDueMs = Number.POSITIVE_INFINITY;
      try {
        await lookAround();
      } catch (error) {
        // What it did not come to must not wait until something else is committed.
        lookedAt = null;
        throw error;
      }
      return true;
    },
    again: () => {
      lookedAt = null;
    },
    stop: () => {
      isStopping = true;
    },
  };
}
