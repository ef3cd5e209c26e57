/** One state for each operator, out of those of its connections. */
import type { LiveConnection } from "../../server/live/live-view.ts";

type LampState = "UP" | "PART" | "REFUSING" | "PAUSED" | "CONNECTING" | "DOWN" | "OFF";

export type Lamp = { readonly operator: string; readonly state: LampState };

type Link = Pick<LiveConnection, "operator" | "state" | "paused" | "refusing">;

/** The lamp of each operator, in the order of their connections. Pure. */
export function operatorLamps(connections: readonly Link[]): readonly Lamp[] {
  return [...Map.groupBy(connections, ({ operator }) => operator)].map(([operator, own]) => ({
    operator,
    state: lampState(own),
  }));
}

function lampState(own: readonly Link[]): LampState {
  const wanted = own.filter(({ state }) => state !== "DISABLED");
  const bound = wanted.filter(({ state, paused }) => paused === null && state === "BOUND");
  const taking = bound.filter(({ refusing }) => refusing === null);
  if (wanted.length === 0) return "OFF";
  if (taking.length === wanted.length) return "UP";
  if (taking.length > 0) return "PART";
  if (bound.length > 0) return "REFUSING";
  if (wanted.every(({ paused }) => paused !== null)) return "PAUSED";
  const isTrying = wanted.some(({ state, paused }) => paused === null && TRYING.has(state));
  return isTrying ? "CONNECTING" : "DOWN";
}

const TRYING: ReadonlySet<string> = new Set(["CONNECTING", "BINDING"]);
