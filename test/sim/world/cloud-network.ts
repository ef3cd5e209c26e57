/** The network between the appliance and Meta's Cloud API. */
import type { HttpsNetwork } from "../../../src/https/address-guard.ts";
import { forked } from "../chance.ts";
import type { Cloud } from "../cloud/open-cloud.ts";
import type { Scheduler } from "./scheduler.ts";

export type CloudNetworkOptions = {
  readonly time: Scheduler;
  readonly seed: number;
  readonly host: string;
  readonly cloud: Cloud;
};

const LATENCY_MS: readonly [number, number] = [0.5, 20];
/** A public address that no machine of a test has. */
const ADDRESS = "93.184.216.35";

/** How a process asks servers of others, with the Cloud API among them. */
export function withCloud(
  { time, seed, host, cloud }: CloudNetworkOptions,
  others: (isAlive: () => boolean) => HttpsNetwork,
): (isAlive: () => boolean) => HttpsNetwork {
  let requests = 0;
  const requestOf =
    (isAlive: () => boolean): HttpsNetwork["request"] =>
    (target, _address, init) =>
      new Promise((resolve, reject) => {
        requests += 1;
        const chance = forked(seed, "cloud request", requests);
        const latency = () => LATENCY_MS[0] + chance.fraction() * (LATENCY_MS[1] - LATENCY_MS[0]);
        const later = (work: () => void) =>
          time.after(latency(), () => {
            // Nobody waits for it any more, or there is nobody.
            if (isAlive() && init.signal?.aborted !== true) work();
          });
        init.signal?.addEventListener("abort", () => {
          if (isAlive()) reject(new DOMException("aborted", "AbortError"));
        });
        if (!cloud.isReachable()) {
          later(() => reject(withCode("ECONNREFUSED")));
          return;
        }
        time.after(latency(), () => {
          // The request is in the network: it arrives, whatever became of the process.
          const headers = Object.fromEntries(new Headers(init.headers));
          const { method = "GET", body } = init;
          void cloud.ask({ method, path: target.path, headers, body: String(body ?? "") }).then((answer) => {
            if (answer === null) return;
            if (answer.kind === "broken") {
              later(() => reject(withCode("ECONNRESET")));
              return;
            }
            later(() => {
              answer.heard?.();
              resolve(new Response(answer.body, { status: answer.status }));
            });
          });
        });
      });
  return (isAlive) => {
    const network = others(isAlive);
    const request = requestOf(isAlive);
    return {
      ...network,
      resolve: (name) => (name === host ? Promise.resolve([ADDRESS]) : network.resolve(name)),
      request: (...asked) => (asked[0].host === host ? request(...asked) : network.request(...asked)),
    };
  };
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
