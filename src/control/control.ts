import { rmSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { jsonPieces } from "../base/json-pieces.ts";
import { errorFields, type Log } from "../base/log.ts";
import { orAfter } from "../base/stop-plan.ts";
import { turnstile } from "../base/turnstile.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, refuse } from "../operations/refusal.ts";
import type { Store } from "../store/store.ts";
import { runCommand } from "./commands.ts";
import { CONTROL_PATH, type ControlReply, controlSocket, readRequest, replyOf } from "./control-message.ts";

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

/** How long commands under way may end by themselves, and how long their answers may take to leave. */
const COMMAND_GRACE_MS = 1000;
const ANSWER_MS = 1000;
/** What then remains is the answers of those who asked at the last moment. */
const CLOSING_MS = 200;

const NOT_BEGUN = refuse(
  "STOPPING",
  "the server is stopping, nothing was done: give the command again once it is back",
);
const CUT_OFF = refuse(
  "STOPPING",
  'the server is stopping and broke this off; "audit list" shows whether it was done, else give it again',
);

/** A file for `suppression import` and the like fits; anything larger is not a command. */
const LARGEST_REQUEST_BYTES = 64 * 1024 * 1024;

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
): ControlSocket {
  const turn = turnstile(clock);
  const path = controlSocket(directory);
  rmSync(path, { force: true });

  let isStopping = false;
  const cutOff = new AbortController();
  const whenCutOff = new Promise<AdminOutcome<unknown>>((resolve) => {
    cutOff.signal.addEventListener("abort", () => resolve(CUT_OFF));
  });
  let underWay = 0;
  let onIdle = (): void => {};

  const carryOut = async (request: Request): Promise<AdminOutcome<unknown>> => {
    const asked = readRequest(await request.json().catch(() => null));
    if (!asked) return refuse("COMMAND_UNKNOWN", "the command could not be read: is it of another version?");
    try {
      const context = breakable(contextFor(asked.actor), cutOff.signal);
      return await runCommand(context, asked.command, asked.args);
    } catch (error) {
      if (cutOff.signal.aborted) return CUT_OFF;
      log.error("command failed", { command: asked.command, ...errorFields(error) });
      return refuse("INTERNAL_ERROR", "the server could not do this: its log says why");
    }
  };

  const obey = async (request: Request): Promise<AdminOutcome<unknown>> => {
    if (isStopping) return NOT_BEGUN;
    return Promise.race([carryOut(request), whenCutOff]);
  };

  /** A request is under way until its answer has left, or the one who asked has. */
  const serveCommand = async (request: Request): Promise<Response> => {
    underWay += 1;
    let isUnderWay = true;
    const ended = (): void => {
      if (!isUnderWay) return;
      isUnderWay = false;
      underWay -= 1;
      if (underWay === 0) onIdle();
    };
    request.signal.addEventListener("abort", ended);
    return answer(replyOf(await obey(request)), turn, ended);
  };

  const allEnded = (): Promise<void> =>
    underWay === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          onIdle = resolve;
        });

  // The mask makes the socket private from its first moment: it is created inside this call.
  const mask = process.umask(0o177);
  try {
    const server = Bun.serve({
      unix: path,
      maxRequestBodySize: LARGEST_REQUEST_BYTES,
      routes: { [CONTROL_PATH]: { POST: serveCommand } },
      fetch: () => new Response("only POST /command is served here\n", { status: 404 }),
    });
    let ending: Promise<void> | null = null;
    const carryOutEnd = async (): Promise<void> => {
      isStopping = true;
      await orAfter(clock, COMMAND_GRACE_MS, allEnded());
      cutOff.abort();
      await orAfter(clock, ANSWER_MS, allEnded());
    };
    const endCommands = (): Promise<void> => {
      ending ??= carryOutEnd();
      return ending;
    };
    return {
      refuse: () => {
        isStopping = true;
      },
      endCommands,
      stop: async () => {
        await endCommands();
        // Who comes from now on finds nobody, and waits for the store. Who has come already is still answered.
        rmSync(path, { force: true });
        for (let turns = 0; turns < 2; turns += 1) await turn();
        await orAfter(clock, CLOSING_MS, server.stop());
        await orAfter(clock, CLOSING_MS, server.stop(true));
      },
    };
  } finally {
    process.umask(mask);
  }
}

/** The context of a command that may be cut off: from then on it changes nothing any more. */
function breakable(context: AdminContext, signal: AbortSignal): AdminContext {
  const { store } = context;
  const write: Store["write"] = (job, durable) =>
    store.write((tx) => {
      signal.throwIfAborted();
      return job(tx);
    }, durable);
  return { ...context, store: { ...store, write }, breakOff: signal };
}

/**
 * A short answer in one piece; a long one, such as a statement of a year, one piece a turn of the event loop. `ended` is
 * called once all of it was handed over, or nobody wants it any more.
 */
function answer(reply: ControlReply, turn: () => Promise<void>, ended: () => void): Response {
  const headers = { "content-type": "application/json" };
  const pieces = jsonPieces(reply);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await turn();
        const piece = pieces.next();
        if (piece.done) {
          controller.close();
          ended();
        } else controller.enqueue(encoder.encode(piece.value));
      },
      cancel: () => {
        pieces.return(undefined);
        ended();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
