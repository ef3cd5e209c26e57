import type { Deadline } from "../base/stop-plan.ts";
import { startThread } from "../base/thread.ts";
import { closedDoor } from "./closed-door.ts";
import type { HttpDeps } from "./deps.ts";
import { openDoor } from "./door.ts";
import { type Listener, listen } from "./listener.ts";
import { submissionReader } from "./submission-reader.ts";

export type { HttpDeps } from "./deps.ts";

/** The address, before anything is behind it. */
export type BoundHttp = Pick<Listener, "url" | "port" | "refuse" | "stop"> & {
  /** Lets requests in; how to end what answers them. */
  readonly open: (deps: HttpDeps) => void;
};

/**
 * Binds the address and answers that the service is starting, until it is opened.
 * @throws the runtime's error when the address cannot be listened on.
 */
export function bindHttp({
  config,
  clock,
  newId,
  readiness,
}: Pick<HttpDeps, "config" | "clock" | "newId" | "readiness">): BoundHttp {
  const listener = listen(config, clock, closedDoor(newId, readiness));
  const reader = submissionReader(() => startThread("http/submission-thread.ts"), clock);
  return {
    url: listener.url,
    port: listener.port,
    open: (deps) => listener.open(openDoor(deps, reader)),
    refuse: listener.refuse,
    stop: async (deadline: Deadline) => {
      await listener.stop(deadline);
      reader.stop();
    },
  };
}
