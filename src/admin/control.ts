import { rmSync } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { jsonPieces } from "../base/json-pieces.ts";
import { errorText, type Log } from "../base/log.ts";
import { turnstile } from "../base/turnstile.ts";
import { runCommand } from "./commands.ts";
import type { AdminContext } from "./context.ts";
import { CONTROL_PATH, type ControlReply, controlSocket, readRequest, replyOf } from "./control-message.ts";
import { type AdminOutcome, refuse } from "./refusal.ts";

export type ControlSocket = {
  /** Stops listening, lets commands under way end and removes the socket. */
  readonly stop: () => Promise<void>;
};

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

  const obey = async (request: Request): Promise<AdminOutcome<unknown>> => {
    const asked = readRequest(await request.json().catch(() => null));
    if (!asked) return refuse("COMMAND_UNKNOWN", "the command could not be read: is it of another version?");
    try {
      return await runCommand(contextFor(asked.actor), asked.command, asked.args);
    } catch (error) {
      log.error("command failed", { command: asked.command, error: errorText(error) });
      return refuse("INTERNAL_ERROR", "the server could not do this: its log says why");
    }
  };

  // The mask makes the socket private from its first moment: it is created inside this call.
  const mask = process.umask(0o177);
  try {
    const server = Bun.serve({
      unix: path,
      maxRequestBodySize: LARGEST_REQUEST_BYTES,
      routes: { [CONTROL_PATH]: { POST: async (request) => answer(replyOf(await obey(request)), turn) } },
      fetch: () => new Response("only POST /command is served here\n", { status: 404 }),
    });
    return {
      stop: async () => {
        await server.stop();
        rmSync(path, { force: true });
      },
    };
  } finally {
    process.umask(mask);
  }
}

/** A short answer in one piece; a long one, such as a statement of a year, one piece a turn of the event loop. */
function answer(reply: ControlReply, turn: () => Promise<void>): Response {
  const headers = { "content-type": "application/json" };
  const pieces = jsonPieces(reply);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await turn();
        const piece = pieces.next();
        if (piece.done) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      },
      cancel: () => {
        pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
