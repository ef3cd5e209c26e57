/** The network between the appliance and webhook receivers. */
import type { HttpsNetwork } from "../../../src/https/address-guard.ts";
import type { Receive } from "../actors.ts";
import { forked } from "../chance.ts";
import type { Scheduler } from "./scheduler.ts";

export type ReceiverNetworkOptions = {
  readonly time: Scheduler;
  readonly seed: number;
  /** By host. */
  readonly receivers: ReadonlyMap<string, Receive>;
};

const LATENCY_MS: readonly [number, number] = [0.5, 20];
/** A public address that no machine of a test has. */
const ADDRESS = "93.184.216.34";

/** How the process asks servers of others, until `isAlive` says no. */
export function receiverNetwork({ time, seed, receivers }: ReceiverNetworkOptions) {
  let requests = 0;
  return (isAlive: () => boolean): HttpsNetwork => ({
    ownAddresses: () => new Set(["192.0.2.1"]),
    resolve: (host) =>
      receivers.has(host) ? Promise.resolve([ADDRESS]) : Promise.reject(withCode("ENOTFOUND")),
    request: (target, _address, init) => {
      requests += 1;
      const chance = forked(seed, "event", requests);
      const latency = () => LATENCY_MS[0] + chance.fraction() * (LATENCY_MS[1] - LATENCY_MS[0]);
      const receive = receivers.get(target.host);
      return new Promise<Response>((resolve, reject) => {
        const whileAlive = (work: () => void) => () => {
          if (isAlive()) work();
        };
        init.signal?.addEventListener(
          "abort",
          whileAlive(() => reject(new DOMException("aborted", "AbortError"))),
        );
        if (!receive) {
          time.after(
            latency(),
            whileAlive(() => reject(withCode("ECONNREFUSED"))),
          );
          return;
        }
        time.after(latency(), () => {
          // The request is in the network: it arrives, whatever became of the process.
          const headers = Object.fromEntries(new Headers(init.headers));
          const url = `https://${target.authority}${target.path}`;
          receive({ url, headers, body: String(init.body) }).then((answer) => {
            switch (answer.kind) {
              case "silent":
                return;
              case "broken":
                time.after(
                  latency(),
                  whileAlive(() => reject(withCode("ECONNRESET"))),
                );
                return;
              case "status": {
                const { status } = answer;
                const response = () =>
                  new Response(isBodiless(status) ? null : "ok", { status, headers: answer.headers });
                time.after(
                  latency(),
                  whileAlive(() => resolve(response())),
                );
              }
            }
          });
        });
      });
    },
  });
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
