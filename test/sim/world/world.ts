/**
 * A simulated world: one appliance with its disk, the operators, the receivers and the people around it, and everything that
 * happens to them, on one clock and from one plan.
 */
import type { Clock } from "../../../src/core/clock.ts";
import type { SpaceOf } from "../../../src/ops/disk-monitor.ts";
import type { ActorEdges, Command, Receive } from "../actors.ts";
import { type Centre, openCentre } from "../centre/open-centre.ts";
import { forked } from "../chance.ts";
import { type Cloud, openCloud } from "../cloud/open-cloud.ts";
import { type Disk, openDisk } from "../disk/disk.ts";
import type { Observation, Observe } from "../observation.ts";
import type { Plan } from "../plan.ts";
import { eventNumbers, openReceiver, type Receiver } from "../receiver/open-receiver.ts";
import { openPeople, type Workload } from "../workload/people.ts";
import { type CarrierNetwork, carrierNetwork } from "./carrier-network.ts";
import { type ClientNetwork, clientNetwork } from "./client-network.ts";
import { withCloud } from "./cloud-network.ts";
import { commandLine } from "./command-line.ts";
import { type HttpNetwork, httpNetwork } from "./http-network.ts";
import type { WallClock } from "./life-clock.ts";
import { hashPasswordsAtOnce } from "./passwords.ts";
import { receiverNetwork } from "./receiver-network.ts";
import { type Scheduler, scheduler } from "./scheduler.ts";

export type World = {
  readonly plan: Plan;
  readonly time: Scheduler;
  readonly wall: WallClock;
  readonly observe: Observe;
  readonly observations: Observation[];
  readonly disk: Disk;
  /** What the file system says of the disk. */
  readonly spaceOf: SpaceOf;
  /** What is free on the disk. */
  freeBytes: number;
  /** Whether others keep the machine busy. */
  isBusy: boolean;
  readonly centres: ReadonlyMap<string, Centre>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  /** Null in a world without WhatsApp. */
  readonly cloud: Cloud | null;
  readonly carriers: CarrierNetwork;
  readonly http: HttpNetwork;
  /** Where customers' SMPP clients connect. */
  readonly clients: ClientNetwork;
  /** How a process asks receivers, until it is no more. */
  readonly receiverNetwork: ReturnType<typeof receiverNetwork>;
  readonly command: Command;
  readonly people: Workload;
  /** A fault for coverage and the story. */
  readonly fault: (name: string, detail: string) => void;
};

/** What is free, by how the disk is: the reserve is 256 MB. */
export const FREE_BYTES = {
  well: 20_000_000_000,
  "read only": 20_000_000_000,
  reserved: 200_000_000,
  spent: 100_000_000,
  full: 0,
};

/** Makes the world of a plan around an empty disk in `directory`. */
export function openWorld(plan: Plan, directory: string): World {
  const { seed } = plan;
  const time = scheduler();
  const wall: WallClock = { startMs: plan.wallStartMs, setByMs: 0 };
  const observations: Observation[] = [];
  const observe: Observe = (seen) => {
    observations.push({ ...seen, atMs: time.nowMs() });
  };
  const edgesOf = (...names: readonly string[]): ActorEdges => ({
    clock: trueClock(time, plan.wallStartMs),
    chance: forked(seed, ...names),
    observe,
  });
  const centres = new Map(
    plan.centres.map((centre) => [centre.name, openCentre(edgesOf("centre", centre.name), centre)]),
  );
  const number = eventNumbers();
  const receivers = new Map(
    plan.receivers.map((each) => [each.name, openReceiver(edgesOf("receiver", each.name), each, number)]),
  );
  const hosts = new Map<string, Receive>(
    plan.receivers.flatMap(({ name, url }) => {
      const receiver = receivers.get(name);
      return receiver ? [[new URL(url).hostname, receiver.receive] as const] : [];
    }),
  );
  const http = httpNetwork(time, seed, observe);
  const clients = clientNetwork(time, seed, observe);
  hashPasswordsAtOnce();
  const cloud = plan.cloud ? openCloud(edgesOf("cloud"), plan.cloud, http.call) : null;
  const network = receiverNetwork({ time, seed, receivers: hosts });
  const command = commandLine(http, observe, directory);
  const world: World = {
    plan,
    time,
    wall,
    observe,
    observations,
    centres,
    receivers,
    cloud,
    http,
    clients,
    command,
    disk: openDisk(directory),
    carriers: carrierNetwork({
      time,
      seed,
      observe,
      centres: new Map([...centres].map(([name, { accept }]) => [name, accept])),
    }),
    receiverNetwork:
      cloud && plan.cloud ? withCloud({ time, seed, host: plan.cloud.host, cloud }, network) : network,
    people: openPeople(plan, edgesOf("people"), { ask: http.ask, command, connect: clients.connect }),
    fault: (name, detail) => observe({ kind: "fault", name, detail }),
    freeBytes: FREE_BYTES.well,
    isBusy: false,
    spaceOf: () => ({ freeBytes: world.freeBytes, totalBytes: 2 * FREE_BYTES.well }),
  };
  return world;
}

/** The clock of everybody but the appliance: nobody sets it wrong. */
function trueClock(time: Scheduler, startMs: number): Clock {
  return {
    nowMs: () => Math.floor(startMs + time.nowMs()),
    steadyMs: time.nowMs,
    doubt: () => null,
    after: time.after,
    soon: (callback) => {
      time.after(0, callback);
    },
  };
}
