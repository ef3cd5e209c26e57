/**
 * Doors for clients that were written for Kannel or Jasmin, so that they move over by changing an address.
 *
 * A request is read by `kannel-request` or `jasmin-request` and answered in that program's words by `kannel` or `jasmin`; between the
 * two lies the one way in of `intake`. Whoever asks has credentials that open nothing else (`gate`). What clients want to be told of
 * their messages is kept with the batch (`follows`), read off the feed and posted (`callbacks`).
 * Off unless the configuration says otherwise. No line of the log holds a query: the text and the password stand there.
 */

import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Submit } from "../../domain/submission/submit.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import type { KnownCaller } from "../http/exchange.ts";
import { routesAt } from "../http/routes.ts";
import { startCallbacks } from "./callbacks.ts";
import type { DoorDeps } from "./deps.ts";
import { type Caller, openGate } from "./gate.ts";
import { balance, type JasminContext, ping, rate, send } from "./jasmin.ts";
import { sendsms } from "./kannel.ts";
import { rater } from "./rate.ts";
import { compatSubmit } from "./submission.ts";

export type CompatDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly https: HttpsNetwork;
  readonly submit: Submit;
  readonly isLinkUp: () => boolean;
};

/** The doors, for the address where they are answered, and the end of their callbacks. */
export function startCompat(deps: CompatDeps) {
  const callbacks = startCallbacks(deps);
  const own = { callbacks, gate: openGate(deps), submit: compatSubmit(deps), rateOf: rater(deps) };
  const doors: DoorDeps = { ...deps, ...own };
  return { sets: () => setsOf(deps, doors), stop: callbacks.stop };
}

type Answer = (doors: DoorDeps, context: JasminContext) => Response | Promise<Response>;

const PATHS: readonly (readonly [path: string, answer: Answer])[] = [
  ["/cgi-bin/sendsms", sendsms],
  ["/send", send],
  ["/rate", rate],
  ["/balance", balance],
  ["/ping", ping],
];

function setsOf(deps: CompatDeps, doors: DoorDeps) {
  const exchanges = { ...deps, tally: deps.store.tally };
  return PATHS.map(([path, answer]) => {
    const set = routesAt<KnownCaller>(path, exchanges, null);
    const asked = ({ request, server }: Caller, exchange: JasminContext["exchange"]) =>
      answer(doors, { request, server, exchange });
    // Elysia leaves alone what it is not asked for: the body is read by its own limits.
    set.all("", ({ request, server, exchange }) => asked({ request, server }, exchange), {
      detail: { hide: true },
      parse: "none",
    });
    return set;
  });
}
