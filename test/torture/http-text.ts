/** HTTP/1.1 as octets: just what a client needs that must be able to send half a request. */
import type { HttpAnswer, HttpRequest } from "../sim/actors.ts";

/** Head and body of a request that closes its connection afterwards. */
export function requestOctets(request: HttpRequest): { readonly head: Buffer; readonly body: Buffer } {
  const body = Buffer.from(request.body ?? "");
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = request.body === null ? "" : `content-length: ${body.length}\r\n`;
  const head = `${request.method} ${request.path} HTTP/1.1\r\nhost: bendre.test\r\nconnection: close\r\n${length}${headers.join("")}\r\n`;
  return { head: Buffer.from(head), body };
}

/** The answer as far as it came; null while it is not whole. */
export function answerIn(octets: Buffer): HttpAnswer | null {
  const headEnd = octets.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [first = "", ...lines] = octets.toString("latin1", 0, headEnd).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const rest = octets.subarray(headEnd + 4);
  const body = /chunked/i.test(headers["transfer-encoding"] ?? "")
    ? unchunked(rest)
    : wholeBody(rest, Number(headers["content-length"] ?? 0));
  if (body === null) return null;
  return { status: Number(first.split(" ")[1]), headers, body: body.toString("utf8") };
}

function wholeBody(rest: Buffer, length: number): Buffer | null {
  return rest.length < length ? null : rest.subarray(0, length);
}

function unchunked(octets: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = octets.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const length = Number.parseInt(octets.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + length;
    if (octets.length < end + 2) return null;
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(octets.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
