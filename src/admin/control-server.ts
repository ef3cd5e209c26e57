/**
 * Server end of the control socket: runs commands that another process sends, and refuses or cuts them off when the server
 * stops.
 */
import { rmSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import { fairScheduler } from "../core/concurrency.ts";
import { streamedResponse } from "../core/http-connection.ts";
import type { Serve } from "../core/http-server.ts";
import { jsonChunks } from "../core/json-chunks.ts";
import { errorFields, type Log } from "../core/log.ts";
import { settleWithin } from "../core/shutdown-plan.ts";
import type { Store } from "../db/store.ts";
import { runCommand } from "./commands.ts";
import { CONTROL_PATH, type ControlReply, controlSocket, decodeRequest, toReply } from "./control-client.ts";
import type { AdminContext } from "./operations/context.ts";
import { type AdminOutcome, refuse } from "./operations/refusal.ts";

export type ControlSocket = {
  /** From now on commands are refused. */
  readonly refuse: () => void;
  /**
   * Refuses new commands, gives running ones a moment, cuts off the rest, and flushes answers. The socket keeps
   * answering that the server is stopping: without it commands would wait for the store, perhaps long.
   */
  readonly endCommands: () => Promise<void>;
  /** Ends the commands, and removes the socket: the store must be closed soon after. */
  readonly stop: () => Promise<void>;
};

/** How long closing waits for answers to last-moment commands. */
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

  const commands = new CommandServer({ contextFor, clock, log, turn });
  // The mask makes the socket private from its first moment: it is created inside this call.
  const mask = process.umask(0o177);
  try {
    const server = serve({
      at: { unix: path },
      maxRequestBodySize: MAX_REQUEST_BYTES,
      tellsWhenGone: true,
      fetch: (request) =>
        request.method === "POST" && new URL(request.url).pathname === CONTROL_PATH
          ? commands.serve(request)
          : new Response("only POST /command is served here\n", { status: 404 }),
    });
    return {
      refuse: () => commands.refuse(),
      endCommands: () => commands.end(),
      stop: async () => {
        await commands.end();
        // New commands find no socket and wait for the store; accepted ones are still answered.
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

type CommandServerDeps = {
  readonly contextFor: (actor: string) => AdminContext;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves in another turn of the event loop. */
  readonly turn: () => Promise<void>;
};

/** How long commands under way may end by themselves, and how long their answers may take to leave. */
const COMMAND_GRACE_MS = 1000;
const ANSWER_MS = 1000;

const NOT_BEGUN = refuse("STOPPING");
const CUT_OFF = refuse("STOPPING.cut_off");

/** Carries out commands that come as requests, until it is told to end. */
export class CommandServer {
  private readonly cutOff = new AbortController();
  private readonly whenCutOff = new Promise<AdminOutcome<unknown>>((resolve) => {
    this.cutOff.signal.addEventListener("abort", () => resolve(CUT_OFF));
  });
  /** Requests whose answer has not left yet, and whose client has not gone. */
  private readonly pending = new Set<Request>();
  private isStopping = false;
  private ending: Promise<void> | null = null;
  private onIdle = (): void => {};

  constructor(private readonly deps: CommandServerDeps) {}

  async serve(request: Request): Promise<Response> {
    this.pending.add(request);
    const onEnd = (): void => {
      if (this.pending.delete(request) && this.pending.size === 0) this.onIdle();
    };
    request.signal.addEventListener("abort", onEnd);
    const outcome = this.isStopping
      ? NOT_BEGUN
      : await Promise.race([executeRequest(this.deps, request, this.cutOff.signal), this.whenCutOff]);
    return answer(toReply(outcome), this.deps.turn, onEnd);
  }

  /** From now on commands are refused. */
  refuse(): void {
    this.isStopping = true;
  }

  /** Refuses, gives running commands a moment, cuts off the others, and lets their answers leave. */
  end(): Promise<void> {
    this.ending ??= this.endOnce();
    return this.ending;
  }

  private async endOnce(): Promise<void> {
    const { clock } = this.deps;
    this.refuse();
    await settleWithin(clock, COMMAND_GRACE_MS, this.whenIdle());
    this.cutOff.abort();
    await settleWithin(clock, ANSWER_MS, this.whenIdle());
  }

  private whenIdle(): Promise<void> {
    if (this.pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.onIdle = resolve;
    });
  }
}

async function executeRequest(
  { contextFor, log }: CommandServerDeps,
  request: Request,
  cutOff: AbortSignal,
): Promise<AdminOutcome<unknown>> {
  const bytes = await request.bytes().catch(() => null);
  const asked = bytes && decodeRequest(bytes);
  if (!asked) return refuse("COMMAND_UNKNOWN.unreadable");
  const { command, args, actor, attachment } = asked;
  try {
    return await runCommand(withCancellation(contextFor(actor), cutOff), command, args, attachment);
  } catch (error) {
    if (cutOff.aborted) return CUT_OFF;
    log.error("command failed", { command, ...errorFields(error) });
    return refuse("INTERNAL_ERROR.command");
  }
}

/** The context of a command that may be cut off: from then on it changes nothing any more. */
function withCancellation(context: AdminContext, signal: AbortSignal): AdminContext {
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
  const pieces = jsonChunks(reply);
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
  return streamedResponse(body, { headers });
}
