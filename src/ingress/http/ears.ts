/**
 * The sockets that one address is listened on: one, and for a while after its certificate was renewed also those before it,
 * which answer what they were asked and take nobody new.
 */
import type { Clock } from "../../core/clock.ts";
import type { Certificate, HttpServer, Serve } from "../../core/serving.ts";
import type { Deadline } from "../../core/stop-plan.ts";
import type { Door } from "./door.ts";

type Ear = { readonly server: HttpServer; ending: Promise<void> | null };

export type Ears = {
  /** Listens on a port with a certificate, null for none. @throws the runtime's error when it cannot be had. */
  readonly hear: (port: number, certificate: Certificate | null) => HttpServer;
  /** None takes a new connection from now on, and each answer is the last one on its connection. Resolves with the last connection. */
  readonly leave: () => Promise<unknown>;
  /** Resolves when no request is under way. A connection that asks for nothing, or has not asked yet, is none. */
  readonly quiet: (deadline: Deadline) => Promise<void>;
  /** Closes every connection as it is. */
  readonly close: () => Promise<unknown>;
};

/**
 * A connection on which nothing moves is closed after this, later than a slow body is refused in words, and so is one that still
 * sends what nobody reads. The head of a request must be there sooner (`core/http-connection.ts`).
 */
const IDLE_SECONDS = 40;
/** Between two looks whether an answer is still under way. */
const LOOK_MS = 25;

export function openEars(hostname: string, clock: Clock, serve: Serve, door: Door): Ears {
  const ears = new Set<Ear>();
  const leave = (ear: Ear): Promise<void> => {
    ear.ending ??= ear.server.stop().then(() => {
      ears.delete(ear);
    });
    return ear.ending;
  };
  return {
    hear: (port, certificate) => {
      const ear: Ear = {
        ending: null,
        server: serve({
          at: { hostname, port },
          idleTimeout: IDLE_SECONDS,
          // Bodies are limited in body.ts, which answers in words; the server's own limit answers a bare 413.
          maxRequestBodySize: Number.POSITIVE_INFINITY,
          certificate,
          fetch: (request, server) => {
            const answer = door(request, server);
            return ear.ending === null ? answer : lastOnItsConnection(answer);
          },
        }),
      };
      ears.add(ear);
      return ear.server;
    },
    leave: () => Promise.all([...ears].map(leave)),
    quiet: (deadline) =>
      new Promise((resolve) => {
        const look = (): void => {
          const isQuiet = [...ears].every(({ server }) => server.pendingRequests === 0);
          if (isQuiet || deadline.leftMs() === 0) resolve();
          else clock.after(LOOK_MS, look);
        };
        look();
      }),
    close: () => Promise.all([...ears].map(({ server }) => server.stop(true))),
  };
}

async function lastOnItsConnection(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set("connection", "close");
  return response;
}
