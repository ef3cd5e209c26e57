import type { Clock } from "../core/clock.ts";
import { slicer } from "../core/slices.ts";
import type { Reader } from "../db/read.ts";
import type { Store } from "../db/store.ts";
import { type EnabledRow, enabledAfter, PAGE } from "./enabled-endpoints.ts";
import type { EndpointLane } from "./lane.ts";
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
  delays: () => Delays,
  lanes: OpenLanes,
): EndpointLook {
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
    takeOverDue(store.read, lane, row, nowMs, longestWaitMs(delays()));
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

  const hasNothingNew = (): boolean =>
    clock.steadyMs() < restUntilMs || (store.version() === lookedAt && clock.nowMs() < nextDueMs);

  return {
    look: async () => {
      if (hasNothingNew()) return false;
      lookedAt = store.version();
      nextDueMs = Number.POSITIVE_INFINITY;
      // What a look that failed did not come to must not wait until something else is committed.
      await lookAround().catch((error: unknown) => {
        lookedAt = null;
        throw error;
      });
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

/** Hands a lane its retries that are due. */
function takeOverDue(
  read: Reader,
  lane: EndpointLane,
  { id, dueAt }: EnabledRow,
  nowMs: number,
  longestMs: number,
): void {
  if (dueAt === null) return;
  // What is due later than any delay lasts was dated by a clock that was set back since, like all after it.
  const dueBy = dueAt > nowMs + longestMs ? Number.MAX_SAFE_INTEGER : nowMs;
  if (dueAt <= dueBy) lane.due(dueRetries(read, id, dueBy, RETRIES_A_LOOK));
}
