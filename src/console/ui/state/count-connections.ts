import type { LiveConnection } from "../../server/live/live-view.ts";

/** How many connections take messages, and how many somebody has paused. Pure. */
export function countConnections(connections: readonly Pick<LiveConnection, "state" | "paused">[]) {
  const paused = connections.filter((one) => one.paused !== null).length;
  const up = connections.filter((one) => one.paused === null && one.state === "BOUND").length;
  return { up, paused };
}
