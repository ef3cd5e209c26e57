/**
 * Listens for HTTP at an address, renews its certificate without losing requests, and stops once the answers under way have
 * left.
 */
import { parseListen } from "../../config/listen.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { Certificate, HttpServer, Serve } from "../../core/http-server.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { type Deadline, settleWithin } from "../../core/shutdown-plan.ts";
import type { RequestHandler } from "./router.ts";

/** The address that requests come to: bound first of all, opened once the handler is ready. */
export type Listener = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** From now on requests go to this handler. */
  readonly open: (router: RequestHandler) => void;
  /**
   * Shows new connections another certificate; existing ones end once they were answered. Does nothing where the address
   * has no TLS, or shows that certificate already.
   */
  readonly renew: (certificate: Certificate | null) => void;
  /** Takes no new connection from now on; each answer is the last one on its connection. */
  readonly refuse: () => void;
  /** Refuses, waits for answers under way, then closes the rest: slow bodies, unfinished heads. */
  readonly stop: (deadline: Deadline) => Promise<void>;
};

type ListenOptions = {
  /** host:port, as the configuration has it. */
  readonly at: string;
  /** Null: HTTP without TLS. */
  readonly certificate: Certificate | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly serve: Serve;
  readonly closed: RequestHandler;
};

/** How long stopping waits for answers under way, and how much of the deadline is left for closing the rest. */
const GRACE_MS = 5000;
const CLOSING_MS = 500;

/**
 * Listens at an address, over TLS with a certificate; requests go to `closed` until it is opened.
 * @throws the runtime's error when the address cannot be listened on.
 */
export function listen({ at, certificate, clock, log, serve, closed }: ListenOptions): Listener {
  const address = parseListen(at);
  assert(address, "server.listen was checked when the configuration was read");
  let router = closed;
  const listenSockets = openListenSockets(address.hostname, clock, serve, (...asked) => router(...asked));
  let shown = certificate;
  let isRefusing = false;
  const first = listenSockets.hear(address.port, certificate);
  const port = first.port ?? address.port;
  const failed = (error: unknown): void => {
    log.error("the certificate of the address could not be renewed", { ...errorFields(error) });
  };

  const refuse = (): Promise<unknown> => {
    isRefusing = true;
    return listenSockets.leave();
  };
  return {
    url: first.url.origin,
    port,
    open: (opened) => {
      router = opened;
    },
    renew: (next) => {
      if (isRefusing || shown === null || next === null || Bun.deepEquals(next, shown)) return;
      // This call frees the port and the next one takes it again: nothing comes in between.
      listenSockets.leave().catch(failed);
      try {
        listenSockets.hear(port, next);
        shown = next;
      } catch (error) {
        failed(error);
        listenSockets.hear(port, shown);
      }
    },
    refuse: () => {
      refuse().catch(() => {
        // Told by `stop`, which waits for the same promise.
      });
    },
    stop: async (deadline) => {
      const graceMs = Math.min(GRACE_MS, Math.max(0, deadline.leftMs() - CLOSING_MS));
      await settleWithin(clock, graceMs, Promise.race([refuse(), listenSockets.quiet(deadline)]));
      await settleWithin(clock, CLOSING_MS, listenSockets.close());
    },
  };
}

/** The listen address, and the certificate that it shows; null without TLS. */
export function formatAddress({ now, pem }: Settings) {
  const { listen: at, tls_certificate, tls_key } = now().server;
  const [cert, key] = [pem(tls_certificate), pem(tls_key)];
  assert((cert !== null && key !== null) || tls_certificate === "", "the files of the certificate were read");
  return { at, certificate: cert !== null && key !== null ? { cert, key } : null };
}

// The listening sockets of one address: one, and for a while after its certificate was renewed also the earlier ones,
// which answer the requests they have and take no new connection.

type ListenSocket = { readonly server: HttpServer; ending: Promise<void> | null };

type ListenSockets = {
  /** Listens on a port with a certificate, null for none. @throws the runtime's error when it cannot be had. */
  readonly hear: (port: number, certificate: Certificate | null) => HttpServer;
  /** Takes no new connection; each answer is the last one on its connection. Resolves when the last connection has ended. */
  readonly leave: () => Promise<unknown>;
  /** Resolves when no request is under way. Idle connections do not count. */
  readonly quiet: (deadline: Deadline) => Promise<void>;
  /** Closes every connection as it is. */
  readonly close: () => Promise<unknown>;
};

/**
 * An idle connection is closed after this, later than a slow body is refused with an answer; so is one that still
 * sends what is not read. The head of a request must arrive sooner (`core/http-connection.ts`).
 */
const IDLE_SECONDS = 40;
/** Between two checks whether an answer is still under way. */
const LOOK_MS = 25;

function openListenSockets(
  hostname: string,
  clock: Clock,
  serve: Serve,
  router: RequestHandler,
): ListenSockets {
  const listenSockets = new Set<ListenSocket>();
  const leave = (socket: ListenSocket): Promise<void> => {
    socket.ending ??= socket.server.stop().then(() => {
      listenSockets.delete(socket);
    });
    return socket.ending;
  };
  return {
    hear: (port, certificate) => {
      const socket: ListenSocket = {
        ending: null,
        server: serve({
          at: { hostname, port },
          idleTimeout: IDLE_SECONDS,
          // Bodies are limited in body.ts, which answers in words; the server's own limit answers a bare 413.
          maxRequestBodySize: Number.POSITIVE_INFINITY,
          certificate,
          fetch: (request, server) => {
            const answer = router(request, server);
            return socket.ending === null ? answer : lastOnItsConnection(answer);
          },
        }),
      };
      listenSockets.add(socket);
      return socket.server;
    },
    leave: () => Promise.all([...listenSockets].map(leave)),
    quiet: (deadline) =>
      new Promise((resolve) => {
        const look = (): void => {
          const isQuiet = [...listenSockets].every(({ server }) => server.pendingRequests === 0);
          if (isQuiet || deadline.leftMs() === 0) resolve();
          else clock.after(LOOK_MS, look);
        };
        look();
      }),
    close: () => Promise.all([...listenSockets].map(({ server }) => server.stop(true))),
  };
}

async function lastOnItsConnection(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}
