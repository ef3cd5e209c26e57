import { assert } from "../base/assert.ts";
import type { Clock } from "../base/clock.ts";
import { startThread } from "../base/thread.ts";
import { parseListen } from "../config/listen.ts";
import type { HttpDeps } from "./deps.ts";
import { openDoor } from "./door.ts";
import { submissionReader } from "./submission-reader.ts";

export type { HttpDeps } from "./deps.ts";

export type HttpServer = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Refuses new connections, waits for answers under way, then closes what is left. */
  readonly stop: () => Promise<void>;
};

/**
 * A connection on which nothing moves is closed after this, later than a slow body is refused in words, and so is one that still sends what nobody reads. The head
 * of a request must be there sooner, after some ten seconds, however it comes: that is the runtime's own rule.
 */
const IDLE_SECONDS = 40;

/** How long answers under way are waited for when stopping. */
const STOP_GRACE_MS = 5000;

/**
 * Listens as the configuration says, over TLS when it names a certificate.
 * @throws the runtime's error when the address cannot be listened on.
 */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const { listen, tls_certificate: certificate, tls_key: key } = deps.config.server;
  const address = parseListen(listen);
  assert(address, "server.listen was checked when the configuration was read");
  const reader = submissionReader(() => startThread("http/submission-thread.ts"), deps.clock);
  const door = openDoor(deps, reader);
  let isStopping = false;
  const server = Bun.serve({
    hostname: address.hostname,
    port: address.port,
    idleTimeout: IDLE_SECONDS,
    // Bodies are limited in body.ts, which answers in words; the server's own limit answers a bare 413.
    maxRequestBodySize: Number.POSITIVE_INFINITY,
    ...(certificate === "" ? {} : { tls: { cert: Bun.file(certificate), key: Bun.file(key) } }),
    fetch: (request, from) => {
      const answer = door(request, () => from.requestIP(request)?.address ?? null);
      return isStopping ? lastOnItsConnection(answer) : answer;
    },
  });
  const port = server.port ?? address.port;
  return {
    url: server.url.origin,
    port,
    stop: async () => {
      isStopping = true;
      await within(deps.clock, STOP_GRACE_MS, server.stop());
      await server.stop(true);
      reader.stop();
    },
  };
}

/** Resolves with the work, or without it once `longestMs` have passed. */
function within(clock: Clock, longestMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(longestMs, resolve);
    work.finally(cancel).then(resolve, reject);
  });
}

async function lastOnItsConnection(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}
