import type { Settings } from "../../config/in-force.ts";
import { parseListen } from "../../config/listen.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Certificate, Serve } from "../../core/serving.ts";
import { type Deadline, orAfter } from "../../core/stop-plan.ts";
import type { Door } from "./door.ts";
import { openEars } from "./ears.ts";

/** The address that requests come to: bound first of all, opened once there is somebody to answer. */
export type Listener = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** From now on requests go through this door. */
  readonly open: (door: Door) => void;
  /**
   * New connections are shown another certificate; those that stand end once they were answered. Nothing is done where the address
   * speaks no TLS, or shows that certificate already.
   */
  readonly renew: (certificate: Certificate | null) => void;
  /** No new connection is taken from now on, and each answer is the last one on its connection. */
  readonly refuse: () => void;
  /** Refuses, waits for answers under way, then closes what is left: slow bodies, heads that were never finished. */
  readonly stop: (deadline: Deadline) => Promise<void>;
};

export type ListenOptions = {
  /** host:port, as the configuration has it. */
  readonly at: string;
  /** Null: HTTP without TLS. */
  readonly certificate: Certificate | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly serve: Serve;
  readonly closed: Door;
};

/** How long answers under way are waited for when stopping, and what is left of the deadline for closing the rest. */
const GRACE_MS = 5000;
const CLOSING_MS = 500;

/**
 * Listens at an address, over TLS with a certificate; requests go through `closed` until it is opened.
 * @throws the runtime's error when the address cannot be listened on.
 */
export function listen({ at, certificate, clock, log, serve, closed }: ListenOptions): Listener {
  const address = parseListen(at);
  assert(address, "server.listen was checked when the configuration was read");
  let door = closed;
  const ears = openEars(address.hostname, clock, serve, (...asked) => door(...asked));
  let shown = certificate;
  let isRefusing = false;
  const first = ears.hear(address.port, certificate);
  const port = first.port ?? address.port;
  const failed = (error: unknown): void => {
    log.error("the certificate of the address could not be renewed", { ...errorFields(error) });
  };

  const refuse = (): Promise<unknown> => {
    isRefusing = true;
    return ears.leave();
  };
  return {
    url: first.url.origin,
    port,
    open: (opened) => {
      door = opened;
    },
    renew: (next) => {
      if (isRefusing || shown === null || next === null || Bun.deepEquals(next, shown)) return;
      // The port is given back by this call and taken again by the next one: nothing comes in between.
      ears.leave().catch(failed);
      try {
        ears.hear(port, next);
        shown = next;
      } catch (error) {
        failed(error);
        ears.hear(port, shown);
      }
    },
    refuse: () => {
      refuse().catch(() => {
        // Told by `stop`, which waits for the same promise.
      });
    },
    stop: async (deadline) => {
      const graceMs = Math.min(GRACE_MS, Math.max(0, deadline.leftMs() - CLOSING_MS));
      await orAfter(clock, graceMs, Promise.race([refuse(), ears.quiet(deadline)]));
      await orAfter(clock, CLOSING_MS, ears.close());
    },
  };
}

/** Where requests come to, and the certificate that is shown there; null where no TLS is spoken. */
export function addressIn({ now, pem }: Settings) {
  const { listen: at, tls_certificate, tls_key } = now().server;
  const [cert, key] = [pem(tls_certificate), pem(tls_key)];
  assert((cert !== null && key !== null) || tls_certificate === "", "the files of the certificate were read");
  return { at, certificate: cert !== null && key !== null ? { cert, key } : null };
}
