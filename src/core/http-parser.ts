/**
 * The head of an HTTP/1.1 request, read out of octets (RFC 9112). Strict where two readers could see two different requests:
 * whatever is ambiguous about where a request ends is refused, since a proxy may stand in front.
 */

/** The longest head of a request: its line and its fields, with the line ends. As long as the runtime's own server takes. */
const MAX_HEAD_BYTES = 16_384;

const MAX_FIELDS = 200;

export type RequestHead = {
  readonly method: string;
  /** Path and query, every octet above 127 percent-encoded. */
  readonly target: string;
  /** Field by field, names as they came; values without the blanks around them. */
  readonly fields: [name: string, value: string][];
  /** The length of the body in octets; 0 where there is none. */
  readonly length: number | "chunked";
  /** Whether the client keeps the connection for another request. */
  readonly isKept: boolean;
  readonly isVersion10: boolean;
  /** The client waits for "100 Continue" before it sends the body. */
  readonly expectsContinue: boolean;
};

/** The status that answers a head which cannot be read. */
export type HeadFault = 400 | 413 | 417 | 431 | 501 | 505;

type HeadRead =
  /** `end`: where the octets behind the head begin. */
  | { readonly kind: "head"; readonly head: RequestHead; readonly end: number }
  | { readonly kind: "incomplete" }
  | { readonly kind: "fault"; readonly status: HeadFault };

const INCOMPLETE: HeadRead = { kind: "incomplete" };

const CR = 0x0d;
const LF = 0x0a;

/** The offset of the next request: empty lines before it are skipped (RFC 9112 section 2.2). */
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

/** The fault of an incomplete head that can never become a valid one. */
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
/** No control character, no blank, no DEL. */
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
  // The absolute form, as for a proxy: its host counts, whatever Host says (RFC 9112 section 3.2.2).
  const [whole, authority = ""] = /^https?:\/\/([^/?#]+)/i.exec(target) ?? [];
  if (whole === undefined) return method === "CONNECT" ? 501 : 400;
  const rest = target.slice(whole.length);
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return { method, target: percentEncoded(path), authority, isVersion10 };
}

/** Percent-encodes octets above 127: old clients write letters as they are, in whatever alphabet, and each octet is kept. */
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
 * Where the body ends (RFC 9112 section 6.3), and whether the connection is kept after it. Two hosts, and an invalid one, are
 * refused: a proxy in between may have read another one (section 3.2).
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
  // Both, or a coding in a version that has none: a proxy in front may have read another length.
  if (declared !== null || isVersion10) return 400;
  return coding === "chunked" ? { length: "chunked", isKept, expectsContinue, hasHost } : 400;
}

function replaceHost(fields: [string, string][], authority: string): void {
  for (let at = fields.length - 1; at >= 0; at -= 1) {
    if (isName(fields[at]?.[0] ?? "", "host")) fields.splice(at, 1);
  }
  fields.push(["host", authority]);
}

// The body of an HTTP/1.1 request: where it ends among the octets that come in, and the stream that hands it on.

/** Takes the octets of one body from the front of what came in. */
export type BodyFraming = {
  /**
   * Takes what there is of the body. Its octets are joined in place, so the given ones must be the caller's own.
   * @throws `BodyFault` when they are no body.
   */
  readonly take: (octets: Buffer) => TakenOctets;
  readonly isComplete: () => boolean;
  /** How many octets are still to come; null where that is unknown. */
  readonly left: () => number | null;
};

type TakenOctets = {
  /** How many octets were taken off the front. */
  readonly taken: number;
  /** Those of the body among them. */
  readonly piece: Buffer;
};

/** Octets that are no body as it was declared. */
export class BodyFault extends Error {}

/** No body, or none of which anything is still to come. */
export const COMPLETE_BODY: BodyFraming = {
  take: (octets) => ({ taken: 0, piece: octets.subarray(0, 0) }),
  isComplete: () => true,
  left: () => 0,
};

/** A body of as many octets as its head declared. */
export function declaredBody(length: number): BodyFraming {
  let left = length;
  return {
    take: (octets) => {
      const taken = Math.min(left, octets.length);
      left -= taken;
      return { taken, piece: taken === octets.length ? octets : octets.subarray(0, taken) };
    },
    isComplete: () => left === 0,
    left: () => left,
  };
}

/** The longest line that begins a chunk: an extension behind the size is ignored (RFC 9112 section 7.1.1). */
const MAX_CHUNK_LINE = 1024;
/** The longest size of a chunk: clients send chunks of less than four gigabytes. */
const MAX_SIZE_DIGITS = 8;
const SEMICOLON = 0x3b;

/**
 * A body in chunks (RFC 9112 section 7.1); fields behind the last chunk are ignored. It goes octet by octet and makes one piece
 * of all that came at once: a chunk may be as small as one octet.
 */
export function chunkedBody(): BodyFraming {
  let state: "size" | "extension" | "octets" | "line end" | "trailer" | "complete" = "size";
  let size = 0;
  let digits = 0;
  let lineBytes = 0;
  let isAfterCr = false;

  const beginLine = (next: "size" | "trailer"): void => {
    state = next;
    [size, digits, lineBytes, isAfterCr] = [0, 0, 0, false];
  };
  /** Takes one octet of the line of a size. */
  const inSize = (octet: number): void => {
    lineBytes += 1;
    if (isAfterCr) {
      if (octet !== LF || digits === 0) throw new BodyFault("the line of a chunk's size is none");
      if (size === 0) beginLine("trailer");
      else state = "octets";
      return;
    }
    if (octet === CR) {
      isAfterCr = true;
      return;
    }
    if (octet === LF || lineBytes > MAX_CHUNK_LINE) throw new BodyFault("the line of a chunk's size is none");
    if (state === "extension") return;
    const digit = hexDigit(octet);
    if (digit >= 0 && digits < MAX_SIZE_DIGITS) {
      size = size * 16 + digit;
      digits += 1;
    } else if (octet === SEMICOLON && digits > 0) state = "extension";
    else throw new BodyFault("the size of a chunk is none");
  };
  /** Takes one octet of the lines behind the last chunk, which end with an empty one. */
  const inTrailer = (octet: number): void => {
    lineBytes += 1;
    if (lineBytes > MAX_HEAD_BYTES) throw new BodyFault("there is too much behind the last chunk");
    if (!isAfterCr) {
      if (octet === LF) throw new BodyFault("a line behind the last chunk has no end");
      isAfterCr = octet === CR;
      if (!isAfterCr) digits += 1;
      return;
    }
    if (octet !== LF) throw new BodyFault("a line behind the last chunk has no end");
    isAfterCr = false;
    if (digits === 0) state = "complete";
    digits = 0;
  };
  return {
    take: (octets) => {
      let at = 0;
      let end = 0;
      while (at < octets.length && state !== "complete") {
        if (state === "octets") {
          const taken = Math.min(size, octets.length - at);
          if (end !== at) octets.copyWithin(end, at, at + taken);
          at += taken;
          end += taken;
          size -= taken;
          if (size === 0) {
            state = "line end";
            isAfterCr = false;
          }
          continue;
        }
        const octet = octets[at] ?? 0;
        at += 1;
        if (state === "line end") {
          if (octet !== (isAfterCr ? LF : CR)) throw new BodyFault("a chunk is longer than its size");
          if (isAfterCr) beginLine("size");
          else isAfterCr = true;
        } else if (state === "trailer") inTrailer(octet);
        else inSize(octet);
      }
      return { taken: at, piece: octets.subarray(0, end) };
    },
    isComplete: () => state === "complete",
    left: () => null,
  };
}

function hexDigit(octet: number): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const letter = octet | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Pieces below this are joined while nobody reads them. */
const SMALL_PIECE = 4096;

/** Octets that wait for the body's reader, above which no more is read from the connection. */
const MAX_WAITING_BYTES = 262_144;

/** A body on its way from the connection to its reader. */
export class BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #wanted: (() => void) | null = null;
  #state: "coming" | "complete" | "failed" | "unwanted" = "coming";

  /** `onWanted` is called whenever the reader waits for octets that have not come. */
  constructor(onWanted: () => void) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          if (this.#handOn()) return undefined;
          return new Promise<void>((resolve) => {
            this.#wanted = resolve;
            onWanted();
          });
        },
        cancel: () => {
          this.#state = "unwanted";
          this.#drop();
          onWanted();
        },
      },
      { highWaterMark: 0 },
    );
  }

  get isFull(): boolean {
    return this.#waitingBytes > MAX_WAITING_BYTES;
  }

  add(piece: Buffer): void {
    if (this.#state !== "coming") return;
    if (piece.length === 0) return;
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.length < SMALL_PIECE && piece.length < SMALL_PIECE) {
      this.#waiting[this.#waiting.length - 1] = Buffer.concat([last, piece]);
    } else this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    this.#answerWanted();
  }

  complete(): void {
    if (this.#state !== "coming") return;
    this.#state = "complete";
    this.#answerWanted();
  }

  /** The connection broke, or the body is malformed. What was not read yet is dropped. */
  fail(error: Error): void {
    if (this.#state !== "coming") return;
    this.#state = "failed";
    this.#drop();
    this.#controller?.error(error);
    this.#wanted?.();
  }

  /** Nobody reads it any more. */
  drop(): void {
    if (this.#state === "coming") this.#state = "unwanted";
    this.#drop();
  }

  #drop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #answerWanted(): void {
    const wanted = this.#wanted;
    if (wanted === null || !this.#handOn()) return;
    this.#wanted = null;
    wanted();
  }

  /** Hands the next piece, or the end, to the reader that waits for it; false when neither is there. */
  #handOn(): boolean {
    const next = this.#waiting.shift();
    if (next) {
      this.#waitingBytes -= next.length;
      this.#controller?.enqueue(next);
      return true;
    }
    if (this.#state !== "complete") return false;
    this.#controller?.close();
    return true;
  }
}
