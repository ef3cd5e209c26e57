/**
 * Client of a running server's control socket, and the messages both ends exchange: HTTP over a Unix socket in the data
 * directory, a JSON document with an attached file behind it.
 */
import { toRecord } from "../core/own-value.ts";
import { toRefusal } from "../core/refusals.ts";
import { type Phrase, said } from "../i18n/phrase.ts";
import type { Args, Attachment } from "./command.ts";
import type { AdminCode, AdminOutcome } from "./operations/refusal.ts";

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

/**
 * What the command line asks a running server: `POST /command`. The actor is a claim: only the owner of the data directory
 * and root can open the socket, and either may claim any name.
 */
export type ControlRequest = {
  readonly command: string;
  readonly args: Args;
  readonly actor: string;
  readonly attachment?: Attachment;
};

/** What it is answered, and what `--json` prints (docs/administration.md#how-commands-answer). */
export type ControlReply =
  | { readonly data: unknown }
  | { readonly error: { readonly code: AdminCode; readonly detail: Phrase } };

/** A refusal as the command line sees it: a newer server may know codes that this one does not. */
export type ReceivedRefusal = { readonly code: string; readonly detail: Phrase };

export const CONTROL_PATH = "/command";
/** Nobody has a longer name; whoever claims one is cut short. */
const MAX_ACTOR_LENGTH = 100;
const SOCKET_FILE = "control.sock";

/** Where a server that owns this data directory listens for commands. */
export function controlSocket(directory: string): string {
  return `${directory}/${SOCKET_FILE}`;
}

export function toReply(outcome: AdminOutcome<unknown>): ControlReply {
  return outcome.ok ? { data: outcome.value } : { error: outcome.refusal };
}

/** Ends the document of a request where an attachment follows: JSON text as it is written here has no line ends. */
const LINE_END = 0x0a;

/** A request as it goes over the socket. */
function encodeRequest({ attachment, ...document }: ControlRequest): Blob {
  const text = JSON.stringify(document);
  return new Blob(attachment === undefined ? [text] : [text, "\n", attachment]);
}

/** A request as it came over the socket; null when it has another shape. */
export function decodeRequest(bytes: Uint8Array): ControlRequest | null {
  const end = bytes.indexOf(LINE_END);
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  const request = requestIn(parsed(new TextDecoder().decode(head)));
  return request === null || end < 0 ? request : { ...request, attachment: bytes.slice(end + 1) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function requestIn(document: unknown): ControlRequest | null {
  if (!isRecord(document)) return null;
  const { command, args, actor } = document;
  if (typeof command !== "string" || typeof actor !== "string" || !isRecord(args)) return null;
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== "string") return null;
    texts.push([name, value]);
  }
  return { command, args: toRecord(texts), actor: actor.slice(0, MAX_ACTOR_LENGTH) };
}

/** A reply as it came over the socket; null when it has another shape. */
export function decodeReply(
  document: unknown,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: ReceivedRefusal }
  | null {
  if (!isRecord(document)) return null;
  if ("data" in document) return { ok: true, value: document.data };
  const { error } = document;
  if (!isRecord(error) || typeof error.code !== "string") return null;
  const detail = phraseIn(error.detail);
  return detail && { ok: false, refusal: { code: error.code, detail } };
}

/** A phrase as it came: of an older server a text, of a newer one perhaps a code that this one does not know. */
function phraseIn(detail: unknown): Phrase | null {
  if (typeof detail === "string") return said(detail);
  return isRecord(detail) && typeof detail.code === "string" ? (detail as unknown as Phrase) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
