import { deadlineIn } from "../../src/base/stop-plan.ts";
import type { HttpDeps } from "../../src/http/deps.ts";
import { bindHttp } from "../../src/http/server.ts";

export type HttpServer = {
  /** Base address, without a path and without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Refuses new connections, waits for answers under way, then closes what is left. */
  readonly stop: () => Promise<void>;
};

/** Longer than answers under way are waited for. */
const STOP_MS = 10_000;

/** Listens as the configuration says and lets requests in at once. */
export async function startHttp(deps: HttpDeps): Promise<HttpServer> {
  const bound = bindHttp(deps);
  bound.open(deps);
  return {
    url: bound.url,
    port: bound.port,
    stop: () => bound.stop(deadlineIn(deps.clock, STOP_MS)),
  };
}
