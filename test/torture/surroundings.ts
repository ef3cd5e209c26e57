/** The operators and the receivers of a run of torture, over real connections, and what the world does to them. */
import type { Chance } from "../../src/base/chance.ts";
import type { ActorEdges } from "../sim/actors.ts";
import { type Centre, openCentre } from "../sim/centre/open-centre.ts";
import { forked, seedFrom } from "../sim/chance.ts";
import type { ReceiverPlan } from "../sim/plan.ts";
import { eventNumbers, openReceiver } from "../sim/receiver/open-receiver.ts";
import { CENTRES, receiversOn } from "./cast.ts";
import { freePort } from "./free-port.ts";
import { httpsDoor } from "./https-door.ts";
import type { Disk } from "./place.ts";
import { type TcpDoor, tcpDoor } from "./tcp-door.ts";
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

type OpenCentre = { readonly port: number; readonly door: TcpDoor; readonly centre: Centre };

/** Opens operators and receivers on free ports of this machine. */
export async function openSurroundings(edges: ActorEdges, disk: Disk | null): Promise<Surroundings> {
  const ports = forked(edges.clock.nowMs(), "ports");
  const centres = await openCentres(edges, ports);
  const httpsPort = await freePort(ports);
  const receivers = receiversOn(httpsPort);
  const nextEvent = eventNumbers();
  const opened = receivers.map((plan) => {
    const receiver = openReceiver({ ...edges, chance: forked(seedFrom(edges.chance)) }, plan, nextEvent);
    return [plan.name, receiver.receive] as const;
  });
  const hooks = httpsDoor(httpsPort, new Map(opened));
  await hooks.open();
  const troubles = openTroubles(edges, centres, hooks, disk);
  return {
    receivers,
    realDocument: (document) => withPlaces(document, centres),
    trouble: troubles.begin,
    calm: troubles.endAll,
    close: () => {
      hooks.shut();
      for (const { door } of centres.values()) door.shut();
    },
  };
}

async function openCentres(edges: ActorEdges, ports: Chance): Promise<ReadonlyMap<string, OpenCentre>> {
  const centres = new Map<string, OpenCentre>();
  let links = 0;
  for (const plan of CENTRES) {
    const centre = openCentre({ ...edges, chance: forked(seedFrom(edges.chance)) }, plan);
    const port = await freePort(ports);
    const door = tcpDoor({ centre: plan.name, port, accept: centre.accept }, edges.observe, () => ++links);
    await door.open();
    centres.set(plan.name, { port, door, centre });
  }
  return centres;
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
