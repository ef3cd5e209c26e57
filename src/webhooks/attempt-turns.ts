import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { FlightRoom } from "./flight-room.ts";
import type { EndpointLane } from "./lane.ts";
import type { OpenLanes } from "./open-lanes.ts";

/** How long starting attempts may hold the event loop. */
const TURN_MS = 2;

export type AttemptTurns = {
  /** Lets lanes that are ready begin attempts, on the next turn of the event loop. */
  readonly soon: () => void;
  /** Nothing is begun any more. */
  readonly stop: () => void;
};

/** Lets each lane that is ready begin one attempt after the other, in turn, so that none delays the others. */
export function attemptTurns(
  { ready, touched, drop }: OpenLanes,
  room: FlightRoom,
  clock: Clock,
  log: Log,
): AttemptTurns {
  let isDue = false;
  let isStopping = false;

  /** A disk that can't be read ends nobody's process: the lane is opened again. */
  const startOne = (lane: EndpointLane): ReturnType<EndpointLane["startOne"]> => {
    try {
      return lane.startOne();
    } catch (error) {
      log.error("webhook events could not be read", { webhook_id: lane.webhookId, ...errorFields(error) });
      drop(lane);
      return "nothing";
    }
  };

  const turn = (): void => {
    isDue = false;
    if (isStopping) return;
    const untilMs = clock.steadyMs() + TURN_MS;
    for (const lane of ready) {
      ready.delete(lane);
      touched.add(lane);
      const started = room.hasRoom(lane.accountId, lane.inFlight()) ? startOne(lane) : "nothing";
      if (started === "started") room.began(lane.accountId);
      if (started !== "nothing") ready.add(lane);
      if (clock.steadyMs() >= untilMs) break;
    }
    soon();
  };

  const soon = (): void => {
    if (isDue || isStopping || ready.size === 0) return;
    isDue = true;
    clock.soon(turn);
  };

  return {
    soon,
    stop: () => {
      isStopping = true;
    },
  };
}
