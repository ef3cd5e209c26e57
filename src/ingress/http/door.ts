/**
 * The door of HTTP: listening, the order of the first checks, bodies and their memory, answers that say no.
 *
 * Begin here: `listener` binds the address, this file finds the route of a request, `routes` gives each set of routes its
 * checks (`gate`), headers and log line (`exchange`), `body` and `body-budget` read bodies within limits, `problem` writes
 * refusals. It takes sets of routes and knows none: what clients may ask is in `api`.
 */
import { type AnyElysia, Elysia } from "elysia";
import type { RequestServer } from "../../core/serving.ts";
import { refuseOtherRoutes } from "./routes.ts";

/** Answers one request. Never throws. */
export type RequestHandler = (request: Request, server: Server) => Response | Promise<Response>;

/** What may be asked of the server that a request came by. */
export type Server = RequestServer;

/**
 * The door to sets of routes, each made by `createRoutes`, in any order. Elysia finds the route of a request; the rest is the
 * business of the set that the route belongs to.
 */
export function createRequestHandler(sets: readonly AnyElysia[]): RequestHandler {
  const app: AnyElysia = new Elysia({ strictPath: true });
  for (const set of sets) {
    refuseOtherRoutes(set);
    app.use(set);
  }
  app.compile();
  return (request, server) => {
    // Elysia hands it on to the handlers, and asks it for nothing itself.
    app.server ??= server as NonNullable<AnyElysia["server"]>;
    nameHost(request);
    return app.fetch(request);
  };
}

/** Elysia looks for the path from this place of the URL on, and would miss it behind a host of one to three letters. */
const ELYSIA_PATH_FROM = 11;

/** The URL of a request without a Host begins with its path, and a short host is too short for Elysia: both get another. */
function nameHost(request: Request): void {
  const { url } = request;
  const pathAt = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  if (pathAt >= ELYSIA_PATH_FROM) return;
  Object.defineProperty(request, "url", { value: `http://localhost${url.slice(pathAt)}` });
}
