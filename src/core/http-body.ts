/** The body of an HTTP/1.1 request: where it ends among the octets that come in, and the stream that hands it on. */
import { MAX_HEAD_BYTES } from "./http-head.ts";

/** Takes the octets of one body off the front of what came in. */
export type BodyFraming = {
  /**
   * Takes what there is of the body. Its octets are put together where they stand, so the given ones must be the taker's own.
   * @throws `BodyFault` when they are no body.
   */
  readonly take: (octets: Buffer) => TakenOctets;
  readonly isComplete: () => boolean;
  /** How many octets are still to come; null where nobody knows. */
  readonly left: () => number | null;
};

export type TakenOctets = {
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

/** Of the line that begins a chunk: an extension behind the size is passed over (RFC 9112 section 7.1.1). */
const MAX_CHUNK_LINE = 1024;
/** Of the size of a chunk: clients send chunks of less than four gigabytes. */
const MAX_SIZE_DIGITS = 8;

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;

/**
 * A body in chunks (RFC 9112 section 7.1); fields behind the last chunk are passed over. It goes octet by octet and makes one piece of
 * all that came at once: a chunk may be as small as one octet.
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
  /** One octet of the line of a size. */
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
  /** One octet of the lines behind the last chunk, which end with an empty one. */
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

/** Pieces below this are put together while nobody reads them. */
const SMALL_PIECE = 4096;

/** Octets that wait for whoever reads the body, above which no more is read from the connection. */
const MAX_WAITING_BYTES = 262_144;

/** A body on its way from the connection to whoever reads it. */
export class BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #wanted: (() => void) | null = null;
  #state: "coming" | "complete" | "failed" | "unwanted" = "coming";

  /** `onWanted` is called whenever somebody waits for octets that have not come. */
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

  /** The connection broke, or what came is no body. What was not read yet is gone. */
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

  /** Hands the next piece to whoever waits for it, or the end; false when neither is there. */
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
