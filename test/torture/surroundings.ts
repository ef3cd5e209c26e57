/** The operators and the receivers of a run of torture, over real connections, and what the world does to them. */
import type { Chance } from "../../src/core/chance.ts";
import type { ActorEdges } from "../sim/actors.ts";
import { type Centre, openCentre } from "../sim/centre/open-centre.ts";
import { serveCentre } from "../sim/centre/over-tcp.ts";
import { forked, seedFrom } from "../sim/chance.ts";
import type { ReceiverPlan } from "../sim/plan.ts";
import { eventNumbers, openReceiver } from "../sim/receiver/open-receiver.ts";
import { serveReceiver } from "../sim/receiver/over-https.ts";
import { CENTRES, RECEIVERS } from "./cast.ts";
import { type Door, doorOf } from "./door.ts";
import { freePort } from "./free-port.ts";
import type { Disk } from "./place.ts";
import type { WorldsStep } from "./torture-plan.ts";
import { openTroubles } from "./troubles.ts";

type Document = Readonly<Record<string, unknown>>;

export type Surroundings = {
  readonly receivers: readonly ReceiverPlan[];
  /** The same document for a process of this machine: centres and authorities where they really are. */
  readonly realDocument: (document: Document) => Document;
  readonly trouble: (step: WorldsStep) => void;
  /** Ends all trouble; resolves when everybody is there. */
  readonly calm: () => Promise<void>;
  readonly close: () => void;
};

type OpenCentre = { readonly port: number; readonly door: Door; readonly centre: Centre };

/** Opens operators and receivers on free ports of this machine. */
export async function openSurroundings(edges: ActorEdges, disk: Disk | null): Promise<Surroundings> {
  const ports = forked(edges.clock.nowMs(), "ports");
  const centres = await openCentres(edges, ports);
  const { receivers, doors } = await openReceivers(edges, ports);
  const troubles = openTroubles(edges, centres, doors, disk);
  return {
    receivers,
    realDocument: (document) => withPlaces(document, centres),
    trouble: troubles.begin,
    calm: troubles.endAll,
    close: () => {
      for (const { door } of centres.values()) door.shut();
      for (const door of doors.values()) door.shut();
    },
  };
}

async function openCentres(edges: ActorEdges, ports: Chance): Promise<ReadonlyMap<string, OpenCentre>> {
  const centres = new Map<string, OpenCentre>();
  const { observe } = edges;
  let links = 0;
  const nextLink = () => ++links;
  for (const plan of CENTRES) {
    const centre = openCentre({ ...edges, chance: forked(seedFrom(edges.chance)) }, plan);
    const port = await freePort(ports);
    const { accept } = centre;
    const door = doorOf(() => serveCentre({ centre: plan.name, accept, nextLink, observe, port }));
    await door.open();
    centres.set(plan.name, { port, door, centre });
  }
  return centres;
}

async function openReceivers(edges: ActorEdges, ports: Chance) {
  const nextEvent = eventNumbers();
  const doors = new Map<string, Door>();
  const receivers: ReceiverPlan[] = [];
  for (const { name, habits } of RECEIVERS) {
    const port = await freePort(ports);
    const plan: ReceiverPlan = { name, habits, url: `https://localhost:${port}/hook` };
    // What is written while nobody is connected any more arrives nowhere.
    const observe: ActorEdges["observe"] = (seen) =>
      edges.observe(seen.kind === "event answer" && !door.isOpen() ? { ...seen, answer: "broken" } : seen);
    const chance = forked(seedFrom(edges.chance));
    const { receive } = openReceiver({ ...edges, chance, observe }, plan, nextEvent);
    const door: Door = doorOf(() => serveReceiver(receive, port));
    await door.open();
    doors.set(name, door);
    receivers.push(plan);
  }
  return { receivers, doors };
}

/** Centres are reached at ports of this machine, and receivers trusted by an authority of our own. */
function withPlaces(document: Document, centres: ReadonlyMap<string, OpenCentre>): Document {
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, placed(member)] as const);
    const table = Object.fromEntries(members);
    const centre = centres.get(String(table.host).replace(".invalid", ""));
    return centre ? { ...table, host: "127.0.0.1", port: centre.port } : table;
  };
  const table = placed(document) as Record<string, Document>;
  return { ...table, webhooks: { ...table.webhooks, ca_file: "ca.pem" } };
}
