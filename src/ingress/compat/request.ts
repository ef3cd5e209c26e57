/**
 * Reads requests in the Kannel and Jasmin protocols, whose arguments are octets in a charset of their own, and makes their
 * plain-text answers.
 */
import type { Clock } from "../../core/clock.ts";
import { getOwn } from "../../core/own-value.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import { declaredBytes, readBody, SMALL_BYTES } from "../http/body.ts";
import type { FailureCode } from "../http/error-codes.ts";
import type { RequestContext } from "../http/request-context.ts";

/**
 * The arguments of a request as octets: other arguments tell their charset. The first of a name counts.
 */
export type Arguments = ReadonlyMap<string, Uint8Array>;

const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;

/** Reads `name=value&…`, as queries and forms are written. */
function readArguments(octets: Uint8Array): Arguments {
  const found = new Map<string, Uint8Array>();
  for (const piece of Buffer.from(octets).toString("latin1").split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = text(percentDecode(equals === -1 ? piece : piece.slice(0, equals)));
    if (!found.has(name)) found.set(name, percentDecode(equals === -1 ? "" : piece.slice(equals + 1)));
  }
  return found;
}

/** The arguments in the query of a URL. */
export function readQuery(url: string): Arguments {
  const at = url.indexOf("?");
  const [query = ""] = at === -1 ? [] : url.slice(at + 1).split("#");
  return readArguments(Buffer.from(query));
}

/** An argument as text; undefined without one. */
export function readText(args: Arguments, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const octets = args.get(name);
    if (octets) return text(octets);
  }
  return undefined;
}

function text(octets: Uint8Array): string {
  return Buffer.from(octets).toString("utf8");
}

/** `+` is a space, `%41` an octet; a `%` without two digits stands for itself. */
export function percentDecode(latin: string): Uint8Array {
  const octets = Buffer.from(latin, "latin1");
  const plain = new Uint8Array(octets.length);
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0;
    const pair = octet === PERCENT ? latin.slice(at + 1, at + 3) : "";
    const isEscape = /^[0-9a-fA-F]{2}$/.test(pair);
    plain[length] = isEscape ? Number.parseInt(pair, 16) : octet === PLUS ? SPACE : octet;
    length += 1;
    if (isEscape) at += 2;
  }
  return plain.subarray(0, length);
}

/** The longest body: some five thousand numbers. */
const MAX_BYTES = SMALL_BYTES;

/** The media type of a body, without its parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Reads a body of at most 64 KiB; null for one that is longer, or did not arrive. */
export async function shortBody(request: Request, clock: Clock): Promise<Uint8Array | null> {
  if ((declaredBytes(request.headers) ?? 0) > MAX_BYTES) return null;
  const read = await readBody(request, MAX_BYTES, clock);
  return read.ok ? read.value : null;
}

/** Joins arguments: those of a form come before those of the URL. */
export function joined(form: Uint8Array, query: Arguments): Arguments {
  return new Map([...query, ...readArguments(form)]);
}

/** Names of charsets that clients write, and what decoders call them. */
const ALSO: Readonly<Record<string, string>> = {
  utf16: "utf-16be",
  "utf-16": "utf-16be",
  "ucs-2": "utf-16be",
  "ucs-2be": "utf-16be",
  ucs2: "utf-16be",
  latin9: "iso-8859-15",
};

/** Charsets that decoders know but that are no text. */
const NO_TEXT: ReadonlySet<string> = new Set(["x-user-defined", "replacement"]);

/** Decodes octets in a charset; null for an unknown charset, and for octets that are invalid in it. */
export function decodeCharset(octets: Uint8Array, charset: string): string | null {
  const lower = charset.trim().toLowerCase();
  const label = getOwn(ALSO, lower) ?? lower;
  if (NO_TEXT.has(label)) return null;
  if (label === "utf-16be" && octets.length % 2 !== 0) return null;
  try {
    return new TextDecoder(label as Bun.Encoding, { fatal: true, ignoreBOM: false }).decode(octets);
  } catch {
    return null;
  }
}

/** An answer of either protocol: a status and a text without a line end. */
export type TextAnswer = { readonly status: number; readonly text: string };

/** Adds `Retry-After`, whole seconds, to a refusal where it is known. */
export function addRetryAfter(answer: Response, submitted: SubmissionAnswer): Response {
  const seconds = submitted.kind === "refused" ? submitted.refusal.retrySeconds : undefined;
  if (seconds !== undefined) answer.headers.set("retry-after", String(seconds));
  return answer;
}

/** Makes the response of a text answer; `failure`: its code in the log, null for a success. */
export function toTextAnswer(
  exchange: RequestContext,
  { status, text }: TextAnswer,
  failure: FailureCode | null,
  type = "text/plain",
): Response {
  exchange.failure = failure;
  return new Response(text, { status, headers: { "content-type": type } });
}
