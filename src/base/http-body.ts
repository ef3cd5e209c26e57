/** The body of an HTTP/1.1 request: where it ends among the octets that come in, and the stream that hands it on. */
import { MAX_HEAD_BYTES } from "./http-head.ts";

/** Takes the octets of one body off the front of what came in. */
export type BodyFraming = {
  /**
   * Hands the body's octets to `add` and says how many were taken.
   * @throws `BodyFault` when they are no body.
   */
  readonly take: (octets: Buffer, add: (piece: Buffer) => void) => number;
  readonly isComplete: () => boolean;
  /** How many octets are still to come; null where nobody knows. */
  readonly left: () => number | null;
};

/** Octets that are no body as it was declared. */
export class BodyFault extends Error {}

/** No body, or none of which anything is still to come. */
export const COMPLETE_BODY: BodyFraming = { take: () => 0, isComplete: () => true, left: () => 0 };

/** A body of as many octets as its head declared. */
export function declaredBody(length: number): BodyFraming {
  let left = length;
  return {
    take: (octets, add) => {
      const taken = Math.min(left, octets.length);
      if (taken > 0) add(taken === octets.length ? octets : octets.subarray(0, taken));
      left -= taken;
      return taken;
    },
    isComplete: () => left === 0,
    left: () => left,
  };
}

/** With its line end; an extension behind the size is passed over (RFC 9112 section 7.1.1). */
const MAX_CHUNK_LINE = 1024;
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i;
/** Clients that are no browser send chunks of less than a gigabyte. */
const CRLF = "\r\n";

/** A body in chunks (RFC 9112 section 7.1); fields behind the last chunk are passed over. */
export function chunkedBody(): BodyFraming {
  let state: "size" | "octets" | "line end" | "trailer" | "complete" = "size";
  let left = 0;
  let trailerBytes = 0;

  /** How many octets one step took; 0: more must come first. */
  const step = (octets: Buffer, add: (piece: Buffer) => void): number => {
    switch (state) {
      case "size": {
        const end = lineEnd(octets, MAX_CHUNK_LINE);
        if (end < 0) return 0;
        const [, size] = CHUNK_SIZE.exec(octets.toString("latin1", 0, end)) ?? [];
        if (size === undefined) throw new BodyFault("the size of a chunk is none");
        left = Number.parseInt(size, 16);
        state = left === 0 ? "trailer" : "octets";
        return end + CRLF.length;
      }
      case "octets": {
        const taken = Math.min(left, octets.length);
        add(octets.subarray(0, taken));
        left -= taken;
        if (left === 0) state = "line end";
        return taken;
      }
      case "line end": {
        if (octets.length < CRLF.length) return 0;
        if (octets.toString("latin1", 0, CRLF.length) !== CRLF)
          throw new BodyFault("a chunk is longer than its size");
        state = "size";
        return CRLF.length;
      }
      case "trailer": {
        const end = lineEnd(octets, MAX_HEAD_BYTES - trailerBytes);
        if (end < 0) return 0;
        trailerBytes += end + CRLF.length;
        if (end === 0) state = "complete";
        return end + CRLF.length;
      }
      case "complete":
        return 0;
    }
  };
  return {
    take: (octets, add) => {
      let taken = 0;
      while (taken < octets.length) {
        const by = step(taken === 0 ? octets : octets.subarray(taken), add);
        if (by === 0) break;
        taken += by;
      }
      return taken;
    },
    isComplete: () => state === "complete",
    left: () => null,
  };
}

/** Where the first line ends; -1 while it has not come. @throws `BodyFault` for a longer one, or another line end. */
function lineEnd(octets: Buffer, longest: number): number {
  const at = octets.indexOf("\n");
  if (at < 0 ? octets.length > longest : at > longest || octets[at - 1] !== 0x0d) {
    throw new BodyFault("a line of a chunked body is none");
  }
  return at < 0 ? -1 : at - 1;
}

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
    this.#waiting.push(piece);
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
