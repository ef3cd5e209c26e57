/** How many connections are up. */
import type { LiveConnection } from "../../server/live/live-view.ts";

/** Counts the connections that take messages, and those that are paused. Pure. */
export function countConnections(connections: readonly Pick<LiveConnection, "state" | "paused">[]) {
  const paused = connections.filter((one) => one.paused !== null).length;
  const up = connections.filter((one) => one.paused === null && one.state === "BOUND").length;
  return { up, paused };
}
