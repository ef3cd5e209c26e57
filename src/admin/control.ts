import { rmSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Serve } from "../core/serving.ts";
import { settleWithin } from "../core/stop-plan.ts";
import { fairScheduler } from "../core/turnstile.ts";
import { createCommandServer } from "./command-desk.ts";
import { CONTROL_PATH, controlSocket } from "./control-message.ts";
import type { AdminContext } from "./operations/context.ts";

export type ControlSocket = {
  /** From now on commands are refused. */
  readonly refuse: () => void;
  /**
   * Refuses, gives commands under way a moment, cuts off the others, and lets their answers leave. The socket goes on
   * telling whoever asks that the server is stopping: without it they would wait for the store, and that may be long.
   */
  readonly endCommands: () => Promise<void>;
  /** Ends the commands, and removes the socket: the store must be closed soon after. */
  readonly stop: () => Promise<void>;
};

/** What then remains is the answers of those who asked at the last moment. */
const CLOSING_MS = 200;

/** A file for `suppression import` and the like fits; anything larger is not a command. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/**
 * Lets commands typed beside a running server be done by it: HTTP on a Unix socket in the data directory, which only
 * the server's own user may open. Call it while holding the store, whose lock proves that a socket file found there
 * is a dead server's.
 */
export function startControl(
  directory: string,
  contextFor: (actor: string) => AdminContext,
  clock: Clock,
  log: Log,
  serve: Serve,
): ControlSocket {
  const turn = fairScheduler(clock);
  const path = controlSocket(directory);
  rmSync(path, { force: true });

  const desk = createCommandServer({ contextFor, clock, log, turn });
  // The mask makes the socket private from its first moment: it is created inside this call.
  const mask = process.umask(0o177);
  try {
    const server = serve({
      at: { unix: path },
      maxRequestBodySize: MAX_REQUEST_BYTES,
      tellsWhenGone: true,
      fetch: (request) =>
        request.method === "POST" && new URL(request.url).pathname === CONTROL_PATH
          ? desk.serve(request)
          : new Response("only POST /command is served here\n", { status: 404 }),
    });
    return {
      refuse: desk.refuse,
      endCommands: desk.end,
      stop: async () => {
        await desk.end();
        // Who comes from now on finds nobody, and waits for the store. Who has come already is still answered.
        rmSync(path, { force: true });
        for (let turns = 0; turns < 2; turns += 1) await turn();
        await settleWithin(clock, CLOSING_MS, server.stop());
        await settleWithin(clock, CLOSING_MS, server.stop(true));
      },
    };
  } finally {
    process.umask(mask);
  }
}
