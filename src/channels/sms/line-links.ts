/**
 * The connections of one operator as its configuration has them, also where that changes: new ones are opened, those that went
 * leave in order, and those that stay go by what is said of them now. A connection is known by its name, not by its place.
 */
import type { ConnectionConfig, OperatorConfig } from "../../config/config.ts";
import { connectionNames } from "../../config/connection-names.ts";
import type { OwnedWork } from "../../dispatch/owned-work.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import { canFollow } from "../../smpp/connection-profile.ts";
import type { Link } from "./link.ts";
import { connectionProfile, type OpenLinkDeps, openLink } from "./open-link.ts";

export type LineLinks = {
  /** Takes over what the configuration says now. */
  readonly follow: () => void;
  /** Asks anew which of them are paused: what was claimed for one that is goes back. */
  readonly pausesChanged: () => void;
  /** Has the one of a name, or all, bind anew once the answers that are due have come. */
  readonly reconnect: (name: string | null) => void;
  /** Ends all sessions, those that leave already among them: after `longestMs` as they are. */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
  /** Ends all sessions once the answers that are due have come, as long as each may take. */
  readonly leave: () => Promise<void>;
};

export type LineLinksDeps = Omit<OpenLinkDeps, "work"> & {
  readonly operator: () => OperatorConfig;
  readonly work: OwnedWork;
  /** What was claimed for a link and not written goes back to the queue. */
  readonly handBack: (link: Link) => void;
  readonly pauseOf: (name: string) => Pause | null;
};

/** What an unbind may take beside the responses that are waited for. */
const UNBINDING_MS = 5000;

/** Opens what the configuration has into `links`, which holds them in its order from then on. */
export function lineLinks(deps: LineLinksDeps, links: Link[]): LineLinks {
  const leaving = new Set<Link>();

  const leave = (link: Link): void => {
    link.isLeaving = true;
    leaving.add(link);
    deps.handBack(link);
    deps.work.own(
      ended(link).then(() => {
        leaving.delete(link);
      }),
    );
  };
  const pausesChanged = (): void => {
    for (const link of links) {
      link.pause = deps.pauseOf(link.name);
      if (link.pause !== null) deps.handBack(link);
    }
    deps.onRoom();
  };
  const follow = (): void => {
    const { connections } = deps.operator();
    const known = new Map(links.map((link) => [link.name, link]));
    const next = connectionNames(connections).map((name, index): Link => {
      const config = connections[index] as ConnectionConfig;
      const link = known.get(name);
      if (!link) return openLink(deps, config, { name, number: index + 1 });
      known.delete(name);
      link.number = index + 1;
      change(deps, link, config);
      return link;
    });
    links.splice(0, links.length, ...next);
    for (const link of known.values()) leave(link);
    pausesChanged();
  };
  follow();
  return {
    follow,
    pausesChanged,
    reconnect: (name) => {
      for (const link of links) if (name === null || link.name === name) link.connection.rebind();
    },
    stop: async (graceMs, longestMs) => {
      const all = [...links, ...leaving];
      await Promise.all(all.map(({ connection }) => connection.stop(graceMs, longestMs)));
      for (const { gathered } of all) gathered.close();
    },
    leave: async () => {
      await Promise.all([...links, ...leaving].map(ended));
    },
  };
}

/** Waits for the answers that are due, and unbinds. */
async function ended({ config, connection, gathered }: Link): Promise<void> {
  const graceMs = config.response_timeout_seconds * 1000;
  await connection.stop(graceMs, graceMs + UNBINDING_MS);
  gathered.close();
}

/** Takes over what is said of a connection now. What only a bind can say makes it bind anew, once its answers have come. */
function change({ readPem, handBack }: LineLinksDeps, link: Link, config: ConnectionConfig): void {
  const before = connectionProfile(link.config, readPem);
  link.config = config;
  link.pace.allow(config.throughput);
  const profile = connectionProfile(config, readPem);
  link.connection.follow(profile);
  if (canFollow(before, profile)) return;
  handBack(link);
  link.connection.rebind();
}
