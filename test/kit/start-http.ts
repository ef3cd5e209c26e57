import { systemServe } from "../../src/core/http-server.ts";
import { createDeadline } from "../../src/core/shutdown-plan.ts";
import { startThread } from "../../src/core/thread.ts";
import type { ApiDeps } from "../../src/ingress/api/deps.ts";
import { type PublicApi, publicApi } from "../../src/ingress/api/public-api.ts";
import { listen } from "../../src/ingress/http/listener.ts";
import { createRequestHandler, createStartupHandler } from "../../src/ingress/http/router.ts";

export type HttpServer = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The routes of the API, which its document describes. */
  readonly sets: PublicApi["sets"];
  /** Refuses new connections, waits for answers under way, then closes what is left. */
  readonly stop: () => Promise<void>;
};

/** Longer than answers under way are waited for. */
const STOP_MS = 10_000;

/** Listens as the configuration says and lets requests in at once. */
export async function startHttp(deps: Omit<ApiDeps, "startThread">): Promise<HttpServer> {
  const { clock, log, settings, newId, readiness } = deps;
  const listener = listen({
    at: settings.now().server.listen,
    certificate: null,
    clock,
    log,
    serve: systemServe,
    closed: createStartupHandler(clock, newId, readiness),
  });
  const api = publicApi({ ...deps, startThread });
  listener.open(createRequestHandler(api.sets));
  return {
    url: listener.url,
    port: listener.port,
    sets: api.sets,
    stop: async () => {
      await listener.stop(createDeadline(clock, STOP_MS));
      api.stop();
    },
  };
}
