/**
 * The head of an HTTP/1.1 request, read out of octets (RFC 9112). Strict where two readers could see two different requests:
 * whatever is ambiguous about where a request ends is refused, since a proxy may stand in front.
 */

/** Of a request: its line and its fields, with the line ends. As long as the runtime's own server takes. */
export const MAX_HEAD_BYTES = 16_384;

const MAX_FIELDS = 200;

export type RequestHead = {
  readonly method: string;
  /** Path and query, every octet above 127 percent-encoded. */
  readonly target: string;
  /** Field by field, names as they came; values without the blanks around them. */
  readonly fields: [name: string, value: string][];
  /** Of the body, in octets; 0 where there is none. */
  readonly length: number | "chunked";
  /** Whether the client keeps the connection for another request. */
  readonly isKept: boolean;
  readonly isVersion10: boolean;
  /** The client waits for "100 Continue" before it sends the body. */
  readonly expectsContinue: boolean;
};

/** What a head that cannot be read is answered with. */
export type HeadFault = 400 | 413 | 417 | 431 | 501 | 505;

export type HeadRead =
  /** `end`: where the octets behind the head begin. */
  | { readonly kind: "head"; readonly head: RequestHead; readonly end: number }
  | { readonly kind: "incomplete" }
  | { readonly kind: "fault"; readonly status: HeadFault };

const INCOMPLETE: HeadRead = { kind: "incomplete" };

const CR = 0x0d;
const LF = 0x0a;

/** Where the next request begins: empty lines before it are passed over (RFC 9112 section 2.2). */
export function skipEmptyLines(octets: Buffer): number {
  let at = 0;
  while (octets[at] === CR || octets[at] === LF) at += 1;
  return at;
}

/** Reads the head that the octets begin with; it is incomplete until its empty line has come. */
export function readHead(octets: Buffer): HeadRead {
  const length = octets.indexOf("\r\n\r\n");
  if (length < 0 || length > MAX_HEAD_BYTES) return faultOfPart(octets);
  const lines = octets.toString("latin1", 0, length).split("\r\n");
  const [line = "", ...fieldLines] = lines;
  const request = readRequestLine(line);
  if (typeof request === "number") return fault(request);
  const fields = readFields(fieldLines);
  if (typeof fields === "number") return fault(fields);
  const framing = readFraming(fields, request.isVersion10);
  if (typeof framing === "number") return fault(framing);
  const { method, isVersion10 } = request;
  if (request.authority !== null) {
    if (!HOST.test(request.authority)) return fault(400);
    replaceHost(fields, request.authority);
  } else if (!isVersion10 && !framing.hasHost) return fault(400);
  return {
    kind: "head",
    end: length + 4,
    head: {
      method,
      target: request.target,
      fields,
      length: framing.length,
      isKept: framing.isKept,
      isVersion10,
      expectsContinue: framing.expectsContinue,
    },
  };
}

/** What is known before the head is complete: that it never will be one. */
function faultOfPart(octets: Buffer): HeadRead {
  const lineEnd = octets.subarray(0, MAX_HEAD_BYTES).indexOf(LF);
  const isBareLineEnd = lineEnd >= 0 && octets[lineEnd - 1] !== CR;
  if (isBareLineEnd || (octets.length > 0 && !TOKEN.test(String.fromCharCode(octets[0] ?? 0))))
    return fault(400);
  return octets.length > MAX_HEAD_BYTES ? fault(431) : INCOMPLETE;
}

function fault(status: HeadFault): HeadRead {
  return { kind: "fault", status };
}

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VERSION = /^HTTP\/(\d)\.(\d)$/;
/** Nothing below a blank, no blank, no DEL. */
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;

type RequestLine = {
  readonly method: string;
  readonly target: string;
  readonly authority: string | null;
  readonly isVersion10: boolean;
};

function readRequestLine(line: string): RequestLine | HeadFault {
  const [method = "", target = "", version = "", ...more] = line.split(" ");
  if (more.length > 0 || !TOKEN.test(method) || !TARGET.test(target)) return 400;
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major === undefined) return 400;
  if (major !== "1" || (minor !== "0" && minor !== "1")) return 505;
  const isVersion10 = minor === "0";
  if (target.startsWith("/")) return { method, target: percentEncoded(target), authority: null, isVersion10 };
  // A proxy's form: its host counts, whatever Host says (RFC 9112 section 3.2.2).
  const [whole, authority = ""] = /^https?:\/\/([^/?#]+)/i.exec(target) ?? [];
  if (whole === undefined) return method === "CONNECT" ? 501 : 400;
  const rest = target.slice(whole.length);
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return { method, target: percentEncoded(path), authority, isVersion10 };
}

/** Clients of old write letters as they are, in whatever alphabet: each octet is kept. */
function percentEncoded(target: string): string {
  return target.replace(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A control character but the tab; in a line, half a line end is among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is sought
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

function readFields(lines: readonly string[]): [string, string][] | HeadFault {
  if (lines.length > MAX_FIELDS) return 431;
  const fields: [string, string][] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    // A blank before the colon, and a line that goes on with the one before it, are read differently by different servers.
    if (colon < 1 || !TOKEN.test(name) || CONTROL.test(line)) return 400;
    fields.push([name, withoutBlanks(line, colon + 1)]);
  }
  return fields;
}

function withoutBlanks(line: string, from: number): string {
  let [start, end] = [from, line.length];
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isName(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase;
}

/** A host and port, or nothing at all (RFC 9112 section 3.2). */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

type Framing = Pick<RequestHead, "length" | "isKept" | "expectsContinue"> & { readonly hasHost: boolean };

/**
 * Where the body ends (RFC 9112 section 6.3), and whether the connection goes on behind it. Two hosts, and what is none, are refused:
 * whoever stands in between may have read another one (section 3.2).
 */
function readFraming(fields: readonly [string, string][], isVersion10: boolean): Framing | HeadFault {
  let declared: string | null = null;
  let coding: string | null = null;
  let isKept = !isVersion10;
  let expectsContinue = false;
  let hasHost = false;
  for (const [name, value] of fields) {
    switch (name.length) {
      case 4:
        if (!isName(name, "host")) break;
        if (hasHost || !HOST.test(value)) return 400;
        hasHost = true;
        break;
      case 14:
        if (!isName(name, "content-length")) break;
        if (!/^\d{1,19}$/.test(value) || (declared !== null && declared !== value)) return 400;
        declared = value;
        break;
      case 17:
        if (!isName(name, "transfer-encoding")) break;
        if (coding !== null) return 400;
        coding = value.toLowerCase();
        break;
      case 10:
        if (!isName(name, "connection")) break;
        for (const option of value.toLowerCase().split(",")) {
          if (option.trim() === "close") isKept = false;
          if (option.trim() === "keep-alive" && isVersion10) isKept = true;
        }
        break;
      case 6:
        if (!isName(name, "expect")) break;
        if (value.toLowerCase() !== "100-continue") return 417;
        expectsContinue = !isVersion10;
        break;
    }
  }
  if (coding === null) return { length: Number(declared ?? 0), isKept, expectsContinue, hasHost };
  // Both, or a coding in a version that has none: somebody in front may have read another length.
  if (declared !== null || isVersion10) return 400;
  return coding === "chunked" ? { length: "chunked", isKept, expectsContinue, hasHost } : 400;
}

function replaceHost(fields: [string, string][], authority: string): void {
  for (let at = fields.length - 1; at >= 0; at -= 1) {
    if (isName(fields[at]?.[0] ?? "", "host")) fields.splice(at, 1);
  }
  fields.push(["host", authority]);
}
