import { toRefusal } from "../core/failures.ts";
import {
  CONTROL_PATH,
  type ControlRequest,
  controlSocket,
  decodeReply,
  type ReceivedRefusal,
  encodeRequest,
} from "./control-message.ts";

/** An answer to a command as the command line sees it. */
export type ControlAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: ReceivedRefusal };

/**
 * Hands a command to the server that runs on a data directory; null when none listens there, and then nothing
 * happened.
 */
export async function askServer(directory: string, request: ControlRequest): Promise<ControlAnswer | null> {
  let reply: ControlAnswer | null;
  try {
    // Only the path and the socket count: the host in this address is never looked up.
    const response = await fetch(`http://bendre${CONTROL_PATH}`, {
      unix: controlSocket(directory),
      method: "POST",
      headers: { "content-type": "application/json" },
      body: encodeRequest(request),
      timeout: false,
    });
    reply = decodeReply(await response.json());
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") return null;
    if (code === "EACCES" || code === "EPERM") {
      return { ok: false, refusal: toRefusal("STORE_UNAVAILABLE.of_another", { directory }) };
    }
    return { ok: false, refusal: toRefusal("SERVER_LOST", { error: code }) };
  }
  return reply ?? { ok: false, refusal: toRefusal("SERVER_LOST.not_understood") };
}

function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
