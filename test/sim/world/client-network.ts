/** The network between customers' SMPP clients and the appliance. */
import type { SmppListen, SmppListenOptions } from "../../../src/smpp/listen.ts";
import type { ConnectSmpp } from "../actors.ts";
import { between, forked } from "../chance.ts";
import type { Observe } from "../observation.ts";
import { type ClientDirection, type ClientLink, clientLink } from "./client-link.ts";
import type { Scheduler } from "./scheduler.ts";

export type ClientNetwork = {
  /** How the process listens, until `isAlive` says no. */
  readonly listenFor: (isAlive: () => boolean) => SmppListen;
  readonly connect: ConnectSmpp;
  /** The process is gone with all its connections. */
  readonly orphan: (how: "process" | "power") => void;
  /** Every connection of a user ends: at once, or after so many octets more in one direction. */
  readonly drop: (user: string, how: "fin" | "rst", afterOctets: number, direction: ClientDirection) => void;
};

const CONNECT_MS: readonly [number, number] = [1, 30];
const PORT = 2775;

export function clientNetwork(time: Scheduler, seed: number, observe: Observe): ClientNetwork {
  const links = new Map<string, Set<ClientLink>>();
  const peers = new Map<string, string>();
  let listening: { readonly options: SmppListenOptions; readonly isAlive: () => boolean } | null = null;
  let attempts = 0;
  let opened = 0;
  /** Each user has an address of its own, where nobody else is counted. */
  const peerOf = (user: string): string => {
    const peer = peers.get(user) ?? `10.7.0.${peers.size + 1}`;
    peers.set(user, peer);
    return peer;
  };
  const linksOf = (user: string): Set<ClientLink> => {
    const own = links.get(user) ?? new Set();
    links.set(user, own);
    return own;
  };
  return {
    listenFor: (isAlive) => (options) => {
      const mine = { options, isAlive };
      listening = mine;
      return {
        port: options.port || PORT,
        stop: () => {
          if (listening === mine) listening = null;
        },
      };
    },
    connect: (user, { opened: taken, failed }) => {
      attempts += 1;
      time.after(between(forked(seed, "client connects", user, attempts), CONNECT_MS), () => {
        if (!listening?.isAlive()) {
          failed();
          return;
        }
        opened += 1;
        const own = linksOf(user);
        const made = clientLink({
          time,
          observe,
          user,
          number: opened,
          chance: forked(seed, "client link", opened),
          peer: peerOf(user),
          accept: listening.options.accept,
          opened: taken,
          ended: () => void time.after(0, () => own.delete(made)),
        });
        own.add(made);
      });
    },
    orphan: (how) => {
      for (const own of links.values()) for (const link of own) link.orphan(how);
    },
    drop: (user, how, afterOctets, direction) => {
      for (const link of [...linksOf(user)]) {
        if (afterOctets === 0) link.drop(how, "the connection broke");
        else link.dropAfter(afterOctets, direction, how);
      }
    },
  };
}
