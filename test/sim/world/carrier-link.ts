/** One TCP connection between the appliance and an operator's centre, with whatever the network does to it. */

import type { Chance } from "../../../src/core/chance.ts";
import { said as saidOf } from "../../../src/i18n/phrase.ts";
import type { DialEvents, SmppSocket } from "../../../src/smpp/dial.ts";
import type { Wire, WireEvents } from "../actors.ts";
import { frameCutter } from "../frames.ts";
import type { Observe } from "../observation.ts";
import type { Scheduler } from "./scheduler.ts";
import { type Stream, stream } from "./stream.ts";

export type Direction = "to centre" | "to appliance";

export type CarrierLink = {
  readonly number: number;
  /** The appliance's end. */
  readonly socket: SmppSocket;
  readonly isOpen: () => boolean;
  /** Ends for both: "rst" at once, "fin" after what was written. */
  readonly drop: (how: "fin" | "rst", why: string) => void;
  readonly dropAfter: (octets: number, direction: Direction, how: "fin" | "rst") => void;
  /** Octets wait in the network. */
  readonly hold: (direction: Direction, isHeld: boolean) => void;
  /** The process is gone: the system sends what it was given, and closes; after a power cut nobody does. */
  readonly orphan: (how: "process" | "power") => void;
};

export type CarrierLinkOptions = {
  readonly time: Scheduler;
  readonly chance: Chance;
  readonly observe: Observe;
  readonly centre: string;
  readonly number: number;
  readonly latencyMs: () => readonly [number, number];
  /** What the process hears; nothing once it is gone. */
  readonly on: DialEvents;
  readonly accept: (link: number, wire: Wire) => WireEvents;
  readonly ended: () => void;
};

/** How long a centre takes to find that nobody is there any more. */
const ORPHAN_FOUND_MS = 40_000;

export function carrierLink(options: CarrierLinkOptions): CarrierLink {
  const { time, chance, observe, centre, number, latencyMs, on } = options;
  let isOpen = true;
  let isPaused = false;
  let isHeld = false;
  let hears = true;
  const watch = (from: "centre" | "appliance"): ((octets: Uint8Array) => void) => {
    const cut = frameCutter();
    return (some) => {
      for (const octets of cut(some).frames)
        observe({ kind: "pdu", centre, link: number, from, at: "appliance", octets });
    };
  };
  const seen = watch("centre");
  const said = watch("appliance");
  const toAppliance: Stream = stream({
    time,
    chance,
    latencyMs,
    drained: () => {},
    arrived: (octets) => {
      if (!hears) return;
      seen(octets);
      on.data(octets);
    },
  });
  const toCentre: Stream = stream({
    time,
    chance,
    latencyMs,
    arrived: (octets) => events.data(octets),
    drained: () => {
      if (hears) on.drain();
    },
  });
  const close = (why: string): void => {
    if (!isOpen) return;
    isOpen = false;
    toAppliance.cut();
    toCentre.cut();
    observe({ kind: "link", centre, link: number, state: "closed", why });
    options.ended();
    events.closed();
    if (hears) on.hungUp(saidOf(why));
    hears = false;
  };
  observe({ kind: "link", centre, link: number, state: "open" });
  const events = options.accept(number, {
    write: (octets) => {
      if (isOpen) toAppliance.write(octets);
    },
    close: (how) => {
      if (how === "rst") close("the centre reset the connection");
      else toAppliance.end(() => close("the centre closed the connection"));
    },
  });
  const drop: CarrierLink["drop"] = (how, why) => {
    if (how === "rst") close(why);
    else toAppliance.end(() => close(why));
  };
  return {
    number,
    isOpen: () => isOpen,
    socket: {
      write: (octets) => {
        const taken = isOpen && hears ? toCentre.write(octets) : 0;
        said(octets.subarray(0, taken));
        return taken;
      },
      pause: () => {
        isPaused = true;
        toAppliance.hold(true);
      },
      resume: () => {
        isPaused = false;
        toAppliance.hold(isHeld);
      },
      hangUp: () => {
        hears = false;
        toCentre.end(() => close("the appliance closed the connection"));
        time.after(1000, () => close("the appliance closed the connection"));
      },
    },
    drop,
    dropAfter: (octets, direction, how) => {
      const cut = direction === "to centre" ? toCentre : toAppliance;
      cut.cutAfter(octets, () => drop(how, `the connection broke after ${octets} octets ${direction}`));
    },
    hold: (direction, held) => {
      if (direction === "to centre") toCentre.hold(held);
      else {
        isHeld = held;
        toAppliance.hold(held || isPaused);
      }
    },
    orphan: (how) => {
      hears = false;
      if (how === "process") toCentre.end(() => close("the appliance is gone"));
      time.after(ORPHAN_FOUND_MS, () => close("nobody is there"));
    },
  };
}
