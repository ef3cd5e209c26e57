/** One TCP connection from a customer's SMPP client to the appliance, with whatever the network does to it. */
import type { Chance } from "../../../src/core/chance.ts";
import type { AcceptedEvents, AcceptedSocket } from "../../../src/smpp/listen.ts";
import type { Wire, WireEvents } from "../actors.ts";
import { frameCutter } from "../frames.ts";
import type { Observe } from "../observation.ts";
import type { Scheduler } from "./scheduler.ts";
import { type Stream, stream } from "./stream.ts";

export type ClientDirection = "to client" | "to appliance";

export type ClientLink = {
  /** Ends for both: "rst" at once, "fin" after what was written. */
  readonly drop: (how: "fin" | "rst", why: string) => void;
  readonly dropAfter: (octets: number, direction: ClientDirection, how: "fin" | "rst") => void;
  /** The process is gone: the system sends what it was given, and closes; after a power cut nobody does. */
  readonly orphan: (how: "process" | "power") => void;
};

export type ClientLinkOptions = {
  readonly time: Scheduler;
  readonly chance: Chance;
  readonly observe: Observe;
  /** The system_id that the client goes by. */
  readonly user: string;
  readonly number: number;
  readonly peer: string;
  /** The appliance takes it, or not. */
  readonly accept: (socket: AcceptedSocket) => AcceptedEvents | null;
  readonly opened: (wire: Wire) => WireEvents;
  readonly ended: () => void;
};

const LATENCY_MS: readonly [number, number] = [0.2, 3];
/** How long the system of a client takes to find that nobody is there any more. */
const ORPHAN_FOUND_MS = 40_000;

export function clientLink(options: ClientLinkOptions): ClientLink {
  const { time, chance, observe, user, number, peer } = options;
  let isOpen = true;
  let hears = true;
  let on: AcceptedEvents | null = null;
  const watch = (from: "client" | "appliance", at: "client" | "appliance") => {
    const cut = frameCutter();
    return (some: Uint8Array): void => {
      for (const octets of cut(some).frames)
        observe({ kind: "client pdu", user, link: number, from, at, octets });
    };
  };
  const [asked, arrived] = [watch("client", "client"), watch("client", "appliance")];
  const [said, heard] = [watch("appliance", "appliance"), watch("appliance", "client")];
  const latencyMs = () => LATENCY_MS;
  const toAppliance: Stream = stream({
    time,
    chance,
    latencyMs,
    drained: () => {},
    arrived: (octets) => {
      if (!hears) return;
      arrived(octets);
      on?.data(octets);
    },
  });
  const toClient: Stream = stream({
    time,
    chance,
    latencyMs,
    drained: () => {
      if (hears) on?.drain();
    },
    arrived: (octets) => {
      heard(octets);
      events.data(octets);
    },
  });
  const close = (why: string): void => {
    if (!isOpen) return;
    isOpen = false;
    toAppliance.cut();
    toClient.cut();
    observe({ kind: "client link", user, link: number, state: "closed", why });
    options.ended();
    events.closed();
    // As the runtime does: never before the call has returned that brought it.
    time.after(0, () => {
      if (hears) on?.closed();
      hears = false;
    });
  };
  observe({ kind: "client link", user, link: number, state: "open" });
  const events = options.opened({
    write: (octets) => {
      if (!isOpen) return;
      asked(octets);
      toAppliance.write(octets);
    },
    close: (how) => {
      if (how === "rst") close("the client reset the connection");
      else toAppliance.end(() => close("the client closed the connection"));
    },
  });
  on = options.accept({
    peer,
    write: (octets) => {
      const taken = isOpen && hears ? toClient.write(octets) : 0;
      said(octets.subarray(0, taken));
      return taken;
    },
    pause: () => toAppliance.hold(true),
    resume: () => toAppliance.hold(false),
    end: () => toClient.end(() => close("the appliance closed the connection")),
    terminate: () => close("the appliance closed the connection at once"),
  });
  if (on === null) close("the appliance took no connection");
  const drop: ClientLink["drop"] = (how, why) => {
    if (how === "rst") close(why);
    else toClient.end(() => close(why));
  };
  return {
    drop,
    dropAfter: (octets, direction, how) => {
      const cut = direction === "to client" ? toClient : toAppliance;
      cut.cutAfter(octets, () => drop(how, `the connection broke after ${octets} octets ${direction}`));
    },
    orphan: (how) => {
      hears = false;
      if (how === "process") toClient.end(() => close("the appliance is gone"));
      time.after(ORPHAN_FOUND_MS, () => close("nobody is there"));
    },
  };
}
