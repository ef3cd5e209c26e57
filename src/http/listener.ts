import { assert } from "../base/assert.ts";
import type { Clock } from "../base/clock.ts";
import type { Serve } from "../base/serving.ts";
import { type Deadline, orAfter } from "../base/stop-plan.ts";
import type { Config } from "../config/config.ts";
import { parseListen } from "../config/listen.ts";
import type { Door } from "./door.ts";

/** The address that requests come to: bound first of all, opened once there is somebody to answer. */
export type Listener = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** From now on requests go through this door. */
  readonly open: (door: Door) => void;
  /** No new connection is taken from now on, and each answer is the last one on its connection. */
  readonly refuse: () => void;
  /** Refuses, waits for answers under way, then closes what is left: slow bodies, heads that were never finished. */
  readonly stop: (deadline: Deadline) => Promise<void>;
};

/**
 * A connection on which nothing moves is closed after this, later than a slow body is refused in words, and so is one that still sends what nobody reads. The head
 * of a request must be there sooner, after some ten seconds, however it comes: that is the runtime's own rule.
 */
const IDLE_SECONDS = 40;

/** How long answers under way are waited for when stopping, and what is left of the deadline for closing the rest. */
const GRACE_MS = 5000;
const CLOSING_MS = 500;
/** Between two looks whether an answer is still under way. */
const LOOK_MS = 25;

/**
 * Listens as the configuration says, over TLS when it names a certificate; requests go through `closed` until it is opened.
 * @throws the runtime's error when the address cannot be listened on.
 */
export function listen(config: Pick<Config, "server">, clock: Clock, serve: Serve, closed: Door): Listener {
  const { listen: words, tls_certificate: certificate, tls_key: key } = config.server;
  const address = parseListen(words);
  assert(address, "server.listen was checked when the configuration was read");
  let door = closed;
  const server = serve({
    at: { hostname: address.hostname, port: address.port },
    idleTimeout: IDLE_SECONDS,
    // Bodies are limited in body.ts, which answers in words; the server's own limit answers a bare 413.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
    certificate: certificate === "" ? null : { cert: Bun.file(certificate), key: Bun.file(key) },
    fetch: (request, server) => {
      const answer = door(request, server);
      return ending === null ? answer : lastOnItsConnection(answer);
    },
  });
  let ending: Promise<void> | null = null;

  const refuse = (): Promise<void> => {
    ending ??= server.stop();
    return ending;
  };

  /** Resolves when no request is under way. A connection that asks for nothing, or has not asked yet, is none. */
  const quiet = (deadline: Deadline): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (server.pendingRequests === 0 || deadline.leftMs() === 0) resolve();
        else clock.after(LOOK_MS, look);
      };
      look();
    });

  return {
    url: server.url.origin,
    port: server.port ?? address.port,
    open: (opened) => {
      door = opened;
    },
    refuse: () => {
      refuse().catch(() => {
        // Told by `stop`, which waits for the same promise.
      });
    },
    stop: async (deadline) => {
      const graceMs = Math.min(GRACE_MS, Math.max(0, deadline.leftMs() - CLOSING_MS));
      await orAfter(clock, graceMs, Promise.race([refuse(), quiet(deadline)]));
      await orAfter(clock, CLOSING_MS, server.stop(true));
    },
  };
}

async function lastOnItsConnection(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}
