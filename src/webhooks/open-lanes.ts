import { errorFields, type Log } from "../core/log.ts";
import type { Reader } from "../db/read.ts";
import type { Seal } from "../db/seal.ts";
import type { EnabledRow } from "./enabled-endpoints.ts";
import { readEndpointUrl } from "./endpoint-url.ts";
import { endpointById } from "./endpoints.ts";
import { type EndpointLane, type LaneDeps, openLane } from "./lane.ts";
import { signingKeys } from "./secrets.ts";

export type OpenLanesDeps = Omit<LaneDeps, "onEnd" | "onBroken"> & {
  readonly read: Reader;
  readonly log: Log;
  readonly seal: Seal;
  /** An attempt ended. `isOpen`: its lane is still the endpoint's. */
  readonly onEnd: (lane: EndpointLane, isOpen: boolean) => void;
  /** A lane was closed, so that its endpoint is to be looked at again. */
  readonly onDropped: () => void;
};

/** The lanes of the endpoints that can be told something. */
export type OpenLanes = {
  readonly count: () => number;
  readonly all: () => Iterable<EndpointLane>;
  /** Lanes that may have something to begin, in turn. */
  readonly ready: Set<EndpointLane>;
  /** Lanes whose attempts or cursors may have come to something since it was last written down. */
  readonly touched: Set<EndpointLane>;
  /**
   * The lane of an enabled endpoint, opened again where the endpoint changed; null where it can't be told anything as
   * it is, which is said once for each revision.
   */
  readonly laneOf: (row: EnabledRow) => EndpointLane | null;
  /** No lane takes notice any more of what it has in flight; what that comes to is there to be written down. */
  readonly leaveOff: () => void;
  /** Closes a lane; what it has in flight is told to nobody. */
  readonly drop: (lane: EndpointLane) => void;
};

export function openLanes(deps: OpenLanesDeps): OpenLanes {
  const { read, log } = deps;
  const lanes = new Map<number, EndpointLane>();
  // Endpoints that can't be told anything as they are, by the revision of which that was said.
  const unfit = new Map<number, number>();
  const ready = new Set<EndpointLane>();
  const touched = new Set<EndpointLane>();

  const drop = (lane: EndpointLane): void => {
    lane.close();
    ready.delete(lane);
    touched.delete(lane);
    deps.onDropped();
    if (lanes.get(lane.endpointId) === lane) lanes.delete(lane.endpointId);
  };

  const open = ({ id, revision }: EnabledRow): EndpointLane | null => {
    const endpoint = endpointById(read, id);
    if (endpoint?.status !== "ENABLED") return null;
    const keys = signingKeys(read, deps.seal, endpoint);
    const url = readEndpointUrl(endpoint.url);
    if (keys === null || "fault" in url) {
      const error = keys === null ? "its secrets cannot be opened: rotate them" : "its URL is not valid";
      log.error("webhook cannot be told anything", { webhook_id: endpoint.ulid, error });
      unfit.set(id, revision);
      return null;
    }
    const onEnd = (): void => {
      touched.add(lane);
      const isOpen = lanes.get(id) === lane;
      if (isOpen) ready.add(lane);
      deps.onEnd(lane, isOpen);
    };
    const onBroken = (error: unknown): void => {
      log.error("webhook event could not be made", { webhook_id: endpoint.ulid, ...errorFields(error) });
      drop(lane);
    };
    const lane = openLane({ ...deps, onEnd, onBroken }, { endpoint, target: url.target, keys });
    lanes.set(id, lane);
    return lane;
  };

  return {
    count: () => lanes.size,
    all: () => lanes.values(),
    ready,
    touched,
    laneOf: (row) => {
      const known = lanes.get(row.id);
      if (known?.revision === row.revision) return known;
      if (known) drop(known);
      return unfit.get(row.id) === row.revision ? null : open(row);
    },
    leaveOff: () => {
      for (const lane of lanes.values()) {
        lane.leaveOff();
        touched.add(lane);
      }
    },
    drop,
  };
}
