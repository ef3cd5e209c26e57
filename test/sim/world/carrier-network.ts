/** The network between the appliance and the operators' centres, and its troubles. */
import { said } from "../../../src/i18n/phrase.ts";
import type { Dial } from "../../../src/smpp/dial.ts";
import type { Accept } from "../actors.ts";
import { between, forked, happens } from "../chance.ts";
import type { Observe } from "../observation.ts";
import { type CarrierLink, carrierLink, type Direction } from "./carrier-link.ts";
import type { Scheduler } from "./scheduler.ts";

export type CarrierNetwork = {
  /** How the process dials, until `isAlive` says no. */
  readonly dialFor: (isAlive: () => boolean) => Dial;
  /** The process is gone with all its connections. */
  readonly orphan: (how: "process" | "power") => void;
  readonly drop: (centre: string, how: "fin" | "rst", afterOctets: number, direction: Direction) => void;
  /** Octets vanish, and nobody is told; later they come after all, or the connection breaks. */
  readonly halfOpen: (centre: string, direction: Direction | "both", forMs: number) => void;
  readonly slow: (centre: string, latencyMs: number, forMs: number) => void;
  /** The centre reads nothing. */
  readonly stall: (centre: string, forMs: number) => void;
  readonly unreachable: (centre: string, forMs: number) => void;
  /** Every trouble is over. */
  readonly calm: () => void;
};

export type CarrierNetworkOptions = {
  readonly time: Scheduler;
  readonly seed: number;
  readonly observe: Observe;
  /** By the name of the centre. */
  readonly centres: ReadonlyMap<string, Accept>;
};

/** What a centre's network is like. */
type Route = {
  latencyMs: readonly [number, number];
  isUnreachable: boolean;
  readonly links: Set<CarrierLink>;
};

const USUAL_MS: readonly [number, number] = [0.2, 3];
const CONNECT_MS: readonly [number, number] = [1, 30];
const BOTH: readonly Direction[] = ["to centre", "to appliance"];

export function carrierNetwork(options: CarrierNetworkOptions): CarrierNetwork {
  const { time, seed, observe, centres } = options;
  const routes = new Map<string, Route>();
  let opened = 0;
  let attempts = 0;
  const routeTo = (centre: string): Route => {
    const known = routes.get(centre);
    if (known) return known;
    const route: Route = { latencyMs: USUAL_MS, isUnreachable: false, links: new Set() };
    routes.set(centre, route);
    return route;
  };
  const linksOf = (centre: string): CarrierLink[] => [...routeTo(centre).links];
  const during = (forMs: number, begin: () => void, end: () => void): void => {
    begin();
    time.after(forMs, end);
  };

  const dialFor =
    (isAlive: () => boolean): Dial =>
    (profile, _clock, on) => {
      const centre = profile.host.replace(/\.invalid$/, "");
      const accept = centres.get(centre);
      const route = routeTo(centre);
      attempts += 1;
      const chance = forked(seed, "connect", centre, attempts);
      let link: CarrierLink | null = null;
      let isGivenUp = false;
      time.after(between(chance, CONNECT_MS), () => {
        if (isGivenUp || !isAlive()) return;
        if (!accept || route.isUnreachable) {
          if (happens(chance, 0.5)) on.failed(said(`${profile.host} refused the connection`));
          else
            time.after(
              10_000,
              () => isAlive() && !isGivenUp && on.failed(said(`${profile.host} does not answer`)),
            );
          return;
        }
        opened += 1;
        const number = opened;
        const made = carrierLink({
          time,
          observe,
          centre,
          number,
          accept,
          on,
          latencyMs: () => route.latencyMs,
          chance: forked(seed, "link", number),
          ended: () => route.links.delete(made),
        });
        link = made;
        route.links.add(made);
        on.connected();
      });
      return {
        write: (octets) => link?.socket.write(octets) ?? 0,
        pause: () => link?.socket.pause(),
        resume: () => link?.socket.resume(),
        hangUp: () => {
          isGivenUp = true;
          link?.socket.hangUp();
        },
      };
    };

  return {
    dialFor,
    orphan: (how) => {
      for (const { links } of routes.values()) for (const link of links) link.orphan(how);
    },
    drop: (centre, how, afterOctets, direction) => {
      for (const link of linksOf(centre)) {
        if (afterOctets === 0) link.drop(how, "the connection broke");
        else link.dropAfter(afterOctets, direction, how);
      }
    },
    halfOpen: (centre, direction, forMs) => {
      const directions = direction === "both" ? BOTH : [direction];
      for (const link of linksOf(centre)) {
        for (const each of directions) link.hold(each, true);
        const heals = happens(forked(seed, "heals", link.number, forMs), 0.5);
        time.after(forMs, () => {
          if (!heals) link.drop("rst", "the connection was dead");
          for (const each of directions) link.hold(each, false);
        });
      }
    },
    slow: (centre, latencyMs, forMs) => {
      const route = routeTo(centre);
      during(
        forMs,
        () => {
          route.latencyMs = [latencyMs / 2, latencyMs];
        },
        () => {
          route.latencyMs = USUAL_MS;
        },
      );
    },
    stall: (centre, forMs) => {
      for (const link of linksOf(centre)) {
        link.hold("to centre", true);
        time.after(forMs, () => link.hold("to centre", false));
      }
    },
    unreachable: (centre, forMs) => {
      const route = routeTo(centre);
      during(
        forMs,
        () => {
          route.isUnreachable = true;
        },
        () => {
          route.isUnreachable = false;
        },
      );
    },
    calm: () => {
      for (const route of routes.values()) {
        route.latencyMs = USUAL_MS;
        route.isUnreachable = false;
        for (const link of route.links) for (const each of BOTH) link.hold(each, false);
      }
    },
  };
}
