/**
 * One connection of an HTTP/1.1 client, from its first octet to its last. Requests are answered one after the other, in the order
 * in which they came (RFC 9112 section 9.3.2), and nothing behind a request is read before that request is answered: the result
 * of accepted work is always reported.
 */
import { STATUS_CODES } from "node:http";
import {
  BodyFault,
  type BodyFraming,
  BodyStream,
  COMPLETE_BODY,
  chunkedBody,
  declaredBody,
  type HeadFault,
  type RequestHead,
  readHead,
  skipEmptyLines,
} from "./http-parser.ts";

/** The socket below, plain or TLS. */
export type ConnectionSocket = {
  /** How many octets were taken; less than all when the client is slower than we are, and below 0 once it is gone. */
  readonly write: (octets: Uint8Array) => number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends our half: the client reads all that was written, and then the end. */
  readonly shutdown: () => void;
  /** Closes it as it is. */
  readonly terminate: () => void;
  /** Calls `timedOut` after so many seconds, from now and whatever comes meanwhile; 0: never. */
  readonly timeout: (seconds: number) => void;
};

/** What all connections of one server share. */
export type ConnectionContext = {
  readonly fetch: (request: Request, connection: HttpConnection) => Response | Promise<Response>;
  /** A connection on which nothing moves is closed after this. */
  readonly idleSeconds: number;
  /** Whether the signal of a request is aborted when its client ended, or is gone. */
  readonly tellsWhenGone: boolean;
  /** The largest body, in octets. */
  readonly maxBodyBytes: number;
  /** The start of the URL of a request without a host that a URL could have. */
  readonly origin: string;
  readonly scheme: "http" | "https";
  /** For the Date field: this moment in the form of RFC 9110 section 5.6.7. */
  readonly date: () => string;
  /** A request begins, or its answer was written. */
  readonly underWay: (change: 1 | -1) => void;
  /** Whether so many octets came within this turn of the event loop that a connection waits: `readOn` is called when it may read on. */
  readonly awaitsTurn: (octets: number, readOn: () => void) => boolean;
  /** The server accepts nobody new: each answer is the last one on its connection. */
  readonly isStopping: () => boolean;
  /** Nothing is answered on a connection any more; the client may still be reading. */
  readonly over: (connection: HttpConnection) => void;
};

/** From the first octet of a head to its last. */
const HEAD_SECONDS = 12;
/** How long a client may take to close after the last answer: it may not have read it yet. */
const LINGER_SECONDS = 4;
/** The same for one that is still sending what was refused. */
const LINGER_SENDING_SECONDS = 30;
/** Of one read: a smaller one is taken however much there is, and waits for no turn. */
const MIN_TURN_BYTES = 65_536;
/** Octets behind an unanswered request, above which no more is read from the connection. */
const MAX_AHEAD_BYTES = 65_536;
/** So much of a body that nobody read is skipped; for a longer one the connection is closed. */
const MAX_PASSED_OVER_BYTES = 65_536;
/** A head and a body of up to so many octets leave in one write. */
const MAX_JOINED_BYTES = 65_536;

const CONTINUE = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n");
const NOTHING: Buffer<ArrayBuffer> = Buffer.alloc(0);

/** A host and port that can stand in a URL. */
const URL_HOST = /^[A-Za-z0-9._-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** A request whose answer was not written yet, or whose body has not come. */
type RequestUnderWay = {
  readonly head: RequestHead;
  readonly framing: BodyFraming;
  /** Null where the whole body came with the head. */
  readonly body: BodyStream | null;
  readonly aborter: AbortController | null;
  bodyBytes: number;
  isContinued: boolean;
  isAnswered: boolean;
  /** Its body is malformed, or longer than is taken: nothing behind it can be read. */
  isBroken: boolean;
};

export class HttpConnection {
  readonly #socket: ConnectionSocket;
  readonly #context: ConnectionContext;
  /** The client's address; null where the system cannot tell. */
  readonly address: string | null;
  /** Octets received and not read yet. */
  #received: Buffer<ArrayBuffer> = NOTHING;
  /** Octets that the socket has not taken yet. */
  #unwritten: Uint8Array[] = [];
  #request: RequestUnderWay | null = null;
  #state: "open" | "ending" | "lingering" | "closed" = "open";
  #isPaused = false;
  /** Reading is paused: nobody wants more octets. */
  #isHeldBack = false;
  #awaitsTurn = false;
  /** The client sends nothing more, and may still read. */
  #isHalfClosed = false;
  #isHeadBegun = false;
  #hasAsked = false;
  #isLeft = false;
  /** Octets may still come that nobody reads. */
  #isSending = false;
  #whenWritten: (() => void) | null = null;
  #cancelStream: (() => void) | null = null;
  #streamEndsWithClient = false;

  constructor(socket: ConnectionSocket, address: string | null, context: ConnectionContext) {
    this.#socket = socket;
    this.address = address;
    this.#context = context;
    socket.timeout(context.idleSeconds);
  }

  /** Octets came. */
  received(chunk: Buffer<ArrayBuffer>): void {
    if (this.#isLeft) {
      // A request that crossed our end is not done: its client must not wait for an answer.
      this.close();
      return;
    }
    if (chunk.length >= MIN_TURN_BYTES) this.#awaitTurn(chunk.length);
    if (this.#state !== "open") return;
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    this.#advance();
  }

  /** The socket takes octets again. */
  drained(): void {
    if (this.#unwritten.length === 0) return;
    this.#flush();
  }

  /** The client ended its half. Its requests are answered all the same. */
  ended(): void {
    this.#isHalfClosed = true;
    const request = this.#request;
    if (request === null) {
      this.#endGently();
      return;
    }
    if (!request.framing.isComplete()) this.#breakOff(request);
    request.aborter?.abort();
    if (this.#streamEndsWithClient) this.#cancelStream?.();
  }

  /** Nothing moved for too long. */
  timedOut(): void {
    this.close();
  }

  /**
   * The server stops: closes a connection that was answered and asks for nothing more. One that has not asked yet may be about
   * to, and is answered then, for the last time.
   */
  leave(): void {
    if (this.#state !== "open" || !this.#hasAsked || this.#request !== null || !this.#isWritten) return;
    this.#endGently();
    this.#isLeft = true;
  }

  /** Closes the connection as it is: a request under way breaks off. */
  close(): void {
    if (this.#state === "closed") return;
    this.#socket.terminate();
    this.closed();
  }

  /** The socket is gone. */
  closed(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#received = NOTHING;
    this.#unwritten = [];
    this.#cancelStream?.();
    this.#whenWritten?.();
    const request = this.#request;
    this.#request = null;
    if (request === null) return;
    request.body?.fail(new Error("the connection was closed"));
    request.aborter?.abort();
    if (!request.isAnswered) this.#context.underWay(-1);
  }

  /** Reads what came, as far as it may be read now. */
  #advance(): void {
    while (this.#state === "open") {
      const request = this.#request;
      if (request === null) {
        if (!this.#begin()) return;
      } else if (request.framing.isComplete() || request.isBroken) {
        // Behind a request nothing is read before its answer was written.
        this.#holdBack(this.#received.length > MAX_AHEAD_BYTES);
        return;
      } else if (!this.#takeBody(request)) {
        if (!this.#isHalfClosed) return;
        this.#breakOff(request);
      }
    }
  }

  /** Begins with the next request; false while its head has not come, or when there will be none. */
  #begin(): boolean {
    const empty = skipEmptyLines(this.#received);
    if (empty > 0) this.#received = this.#received.subarray(empty);
    if (this.#received.length === 0) {
      if (this.#isHalfClosed) this.#endGently();
      return false;
    }
    const read = readHead(this.#received);
    if (read.kind === "incomplete") {
      if (this.#isHalfClosed) this.#endGently();
      else if (!this.#isHeadBegun) {
        this.#isHeadBegun = true;
        this.#socket.timeout(HEAD_SECONDS);
      }
      return false;
    }
    this.#isHeadBegun = false;
    if (read.kind === "fault") {
      this.#refuse(read.status);
      return false;
    }
    const { head, end } = read;
    if (typeof head.length === "number" && head.length > this.#context.maxBodyBytes) {
      this.#refuse(413);
      return false;
    }
    this.#received = this.#received.subarray(end);
    this.#ask(head);
    return true;
  }

  /** Hands a request to the application. */
  #ask(head: RequestHead): void {
    const { length, fields, method } = head;
    // The body of these is read and discarded: what a GET means does not depend on it (RFC 9110 section 9.3.1).
    const takesBody = length !== 0 && method !== "GET" && method !== "HEAD";
    const whole = takesBody && typeof length === "number" && length <= this.#received.length;
    const body = takesBody && !whole ? new BodyStream(() => this.#bodyWanted()) : null;
    const aborter = this.#context.tellsWhenGone ? new AbortController() : null;
    const request: RequestUnderWay = {
      head,
      framing: framingOf(length, whole),
      body,
      aborter,
      bodyBytes: 0,
      isContinued: !head.expectsContinue || whole,
      isAnswered: false,
      isBroken: false,
    };
    const init: RequestInit = {
      method,
      headers: fields,
      body: whole ? this.#received.subarray(0, length) : (body?.stream ?? null),
      ...(aborter && { signal: aborter.signal }),
    };
    const asked = requestTo(this.#urlOf(head), init) ?? requestTo(this.#context.origin + head.target, init);
    // The runtime takes no CONNECT or TRACE, and makes a GET of a method that it does not know.
    if (asked === null || asked.method !== method) {
      this.#refuse(501);
      return;
    }
    if (whole) this.#received = this.#received.subarray(length);
    this.#request = request;
    this.#hasAsked = true;
    this.#context.underWay(1);
    this.#socket.timeout(request.framing.isComplete() ? 0 : this.#context.idleSeconds);
    try {
      const answer = this.#context.fetch(asked, this);
      if (answer instanceof Promise) {
        answer.then(
          (response) => this.#answer(request, response),
          () => this.#answer(request, new Response(null, { status: 500 })),
        );
      } else this.#answer(request, answer);
    } catch {
      this.#answer(request, new Response(null, { status: 500 }));
    }
  }

  #urlOf({ fields, target }: RequestHead): string {
    const { scheme, origin } = this.#context;
    const host = fields.find(([name]) => name.length === 4 && name.toLowerCase() === "host")?.[1] ?? "";
    return `${URL_HOST.test(host) ? `${scheme}://${host}` : origin}${target}`;
  }

  /** Takes what came of a request's body; false while more of it must come first. */
  #takeBody(request: RequestUnderWay): boolean {
    const { framing, body } = request;
    if (this.#received.length === 0) return false;
    try {
      const { taken, piece } = framing.take(this.#received);
      request.bodyBytes += piece.length;
      if (request.bodyBytes > this.#context.maxBodyBytes) throw new BodyFault("the body is too long");
      body?.add(piece);
      this.#received = taken === this.#received.length ? NOTHING : this.#received.subarray(taken);
    } catch (error) {
      request.isBroken = true;
      this.#received = NOTHING;
      body?.fail(error instanceof Error ? error : new BodyFault("the body is none"));
      if (request.isAnswered) this.#endGently();
      return true;
    }
    if (!framing.isComplete()) {
      if (request.isAnswered && request.bodyBytes > MAX_PASSED_OVER_BYTES) {
        this.#endGently();
        return false;
      }
      this.#holdBack(!request.isAnswered && (body?.isFull ?? false));
      if (!request.isAnswered) this.#socket.timeout(this.#isHeldBack ? 0 : this.#context.idleSeconds);
      return false;
    }
    body?.complete();
    if (request.isAnswered) this.#finish();
    else this.#socket.timeout(0);
    return true;
  }

  /** The client ended before its request did. */
  #breakOff(request: RequestUnderWay): void {
    request.isBroken = true;
    request.body?.fail(new Error("the client ended before its request did"));
    if (request.isAnswered) this.#endGently();
  }

  /** The reader of the body waits for octets of it. */
  #bodyWanted(): void {
    const request = this.#request;
    if (request === null || this.#state !== "open") return;
    if (!request.isContinued) {
      request.isContinued = true;
      this.#write(CONTINUE);
    }
    if (!this.#isHeldBack) return;
    this.#holdBack(false);
    this.#socket.timeout(this.#context.idleSeconds);
  }

  #holdBack(isWanted: boolean): void {
    this.#isHeldBack = isWanted;
    this.#pauseOrResume();
  }

  /** Large bodies of many would hold the event loop if each were read as fast as it comes. */
  #awaitTurn(octets: number): void {
    if (this.#awaitsTurn || this.#state === "closed") return;
    this.#awaitsTurn = this.#context.awaitsTurn(octets, () => {
      this.#awaitsTurn = false;
      if (this.#state !== "closed") this.#pauseOrResume();
    });
    this.#pauseOrResume();
  }

  #pauseOrResume(): void {
    const isPaused = this.#isHeldBack || this.#awaitsTurn;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#socket.pause();
    else this.#socket.resume();
  }

  #answer(request: RequestUnderWay, response: Response): void {
    const stream = getStreamedBody(response);
    if (stream !== null) {
      this.#writeStream(request, response, stream).catch(() => this.close());
      return;
    }
    response.arrayBuffer().then(
      (body) => {
        if (this.#request !== request) return;
        const isKept = this.#isKept(request, response);
        const head = this.#headOf(request, response, body.byteLength, isKept);
        const octets = request.head.method === "HEAD" ? NOTHING : new Uint8Array(body);
        if (octets.length <= MAX_JOINED_BYTES) {
          const whole = Buffer.allocUnsafe(head.length + octets.length);
          whole.write(head, "latin1");
          whole.set(octets, head.length);
          this.#write(whole);
        } else {
          this.#write(Buffer.from(head, "latin1"));
          this.#write(octets);
        }
        this.#answered(request, isKept);
      },
      () => this.close(),
    );
  }

  /** A body that is made while it leaves: the next piece is asked for once the client took the one before it. */
  async #writeStream(
    request: RequestUnderWay,
    response: Response,
    { body, endsWithClient }: NonNullable<ReturnType<typeof getStreamedBody>>,
  ): Promise<void> {
    const reader = body.getReader();
    const cancel = (): void => {
      reader.cancel().catch(() => {});
    };
    if (this.#request !== request) {
      cancel();
      return;
    }
    const isKept = this.#isKept(request, response) && !request.head.isVersion10;
    this.#write(Buffer.from(this.#headOf(request, response, null, isKept), "latin1"));
    const isHead = request.head.method === "HEAD";
    this.#cancelStream = cancel;
    this.#streamEndsWithClient = endsWithClient;
    if (isHead || (endsWithClient && this.#isHalfClosed)) cancel();
    for (;;) {
      const { done, value } = await reader.read();
      if (this.#state === "closed") return;
      if (done) break;
      if (value.byteLength === 0) continue;
      this.#write(request.head.isVersion10 ? value : chunkOf(value));
      if (!this.#isWritten) await this.#written();
    }
    this.#cancelStream = null;
    this.#streamEndsWithClient = false;
    if (!isHead && !request.head.isVersion10) this.#write(Buffer.from("0\r\n\r\n"));
    this.#answered(request, isKept);
  }

  /** Whether another request may follow this one. */
  #isKept(request: RequestUnderWay, response: Response): boolean {
    const { head, framing, isBroken, isContinued } = request;
    if (
      !head.isKept ||
      isBroken ||
      this.#context.isStopping() ||
      response.headers.get("connection") === "close"
    )
      return false;
    if (framing.isComplete()) return true;
    // Whoever waits for "100 Continue" sends the body, or does not: what comes next cannot be told apart.
    return isContinued && (framing.left() ?? 0) <= MAX_PASSED_OVER_BYTES;
  }

  /** The head of an answer whose body has so many octets, null for one that is made while it leaves. */
  #headOf({ head }: RequestUnderWay, response: Response, length: number | null, isKept: boolean): string {
    const { status } = response;
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n`;
    let hasDate = false;
    let hasType = false;
    let declared: string | null = null;
    for (const [name, value] of response.headers) {
      switch (name) {
        case "connection":
        case "keep-alive":
        case "transfer-encoding":
          continue;
        case "content-length":
          declared = value;
          continue;
        case "content-type":
          hasType = true;
          break;
        case "date":
          hasDate = true;
          break;
      }
      text += `${name}: ${value}\r\n`;
    }
    if (!hasType && length !== null && length > 0) text += "content-type: text/plain;charset=utf-8\r\n";
    if (!hasDate) text += `date: ${this.#context.date()}\r\n`;
    if (!isKept) text += "connection: close\r\n";
    else if (head.isVersion10) text += "connection: keep-alive\r\n";
    if (length === null) return `${text}${head.isVersion10 ? "" : "transfer-encoding: chunked\r\n"}\r\n`;
    if (status === 204 || status === 304) return `${text}\r\n`;
    // An answer to HEAD may say how long its body would be.
    return `${text}content-length: ${length === 0 && head.method === "HEAD" ? (declared ?? 0) : length}\r\n\r\n`;
  }

  /** Refuses a request that cannot be read: a bare answer, without words, and the last of its connection. */
  #refuse(status: HeadFault): void {
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    this.#write(Buffer.from(text, "latin1"));
    this.#endGently();
  }

  #write(octets: Uint8Array): void {
    if (this.#state === "closed") return;
    if (this.#unwritten.length > 0) {
      this.#unwritten.push(octets);
      return;
    }
    const taken = Math.max(0, this.#socket.write(octets));
    if (taken === octets.length) return;
    this.#unwritten.push(octets.subarray(taken));
    this.#socket.timeout(this.#context.idleSeconds);
  }

  #flush(): void {
    let hasMoved = false;
    for (;;) {
      const [next] = this.#unwritten;
      if (next === undefined) break;
      const taken = Math.max(0, this.#socket.write(next));
      hasMoved ||= taken > 0;
      if (taken < next.length) {
        this.#unwritten[0] = next.subarray(taken);
        if (hasMoved) this.#socket.timeout(this.#context.idleSeconds);
        return;
      }
      this.#unwritten.shift();
    }
    // While the answer is still being made no time limit applies.
    this.#socket.timeout(this.#isWorkedOn ? 0 : this.#context.idleSeconds);
    const written = this.#whenWritten;
    this.#whenWritten = null;
    written?.();
  }

  /** Once the socket has taken all that was written, or is gone. */
  #written(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenWritten = resolve;
    });
  }

  /** The application has a whole request and has not answered it. */
  get #isWorkedOn(): boolean {
    const request = this.#request;
    return request !== null && !request.isAnswered && request.framing.isComplete();
  }

  get #isWritten(): boolean {
    return this.#unwritten.length === 0 || this.#state === "closed";
  }

  /** An answer was handed to the socket. The next request's turn is when the socket has taken all of it. */
  #answered(request: RequestUnderWay, isKept: boolean): void {
    const done = (): void => {
      if (this.#request !== request) return;
      request.isAnswered = true;
      this.#context.underWay(-1);
      request.body?.drop();
      if (!isKept) this.#endGently();
      else if (request.framing.isComplete()) this.#finish();
      else {
        // The rest of its body is skipped.
        this.#socket.timeout(this.#context.idleSeconds);
        this.#holdBack(false);
      }
      this.#advance();
    };
    if (this.#isWritten) done();
    else this.#written().then(done, () => this.close());
  }

  /** The request is over, and the next one may be read. */
  #finish(): void {
    this.#request = null;
    this.#socket.timeout(this.#context.idleSeconds);
    this.#holdBack(false);
    // The server may have stopped since the head of the answer was written.
    if (this.#context.isStopping()) this.leave();
  }

  /**
   * Ends our half, and discards what still comes until the client ends its own: a socket that is closed while octets wait to be
   * read takes back what was written, and the client would never see its answer (RFC 9112 section 9.6).
   */
  #endGently(): void {
    if (this.#state !== "open" && this.#state !== "ending") return;
    const { framing, isBroken } = this.#request ?? { framing: COMPLETE_BODY, isBroken: false };
    this.#isSending ||= isBroken || !framing.isComplete() || this.#received.length > 0;
    if (!this.#isWritten) {
      this.#state = "ending";
      this.#received = NOTHING;
      this.#written().then(
        () => this.#endGently(),
        () => this.close(),
      );
      return;
    }
    this.#request = null;
    this.#received = NOTHING;
    this.#state = "lingering";
    this.#context.over(this);
    this.#socket.shutdown();
    this.#holdBack(false);
    this.#socket.timeout(this.#isSending ? LINGER_SENDING_SECONDS : LINGER_SECONDS);
  }
}

/** Null where the runtime cannot make the request: its URL is invalid, or its method is one of a few. */
function requestTo(url: string, init: RequestInit): Request | null {
  try {
    return new Request(url, init);
  } catch {
    return null;
  }
}

function framingOf(length: RequestHead["length"], whole: boolean): BodyFraming {
  if (whole || length === 0) return COMPLETE_BODY;
  return length === "chunked" ? chunkedBody() : declaredBody(length);
}

function chunkOf(piece: Uint8Array): Buffer {
  const size = `${piece.byteLength.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(size.length + piece.byteLength + 2);
  chunk.write(size, "latin1");
  chunk.set(piece, size.length);
  chunk.write("\r\n", size.length + piece.byteLength, "latin1");
  return chunk;
}

// Answers whose body is made while it leaves.

type StreamedBody = {
  readonly body: ReadableStream<Uint8Array>;
  /** It goes on until the client ends: a client that ended its half is taken for gone. */
  readonly endsWithClient: boolean;
};

const STREAMED = new WeakMap<Response, StreamedBody>();

/**
 * An answer whose body leaves piece by piece, each asked for once the client took the one before it. The server cannot recognise
 * such a body by itself, and would collect one that is not made here.
 */
export function streamedResponse(
  body: ReadableStream<Uint8Array>,
  init: ResponseInit,
  options: { readonly endsWithClient: boolean } = { endsWithClient: false },
): Response {
  const response = new Response(body, init);
  STREAMED.set(response, { body, endsWithClient: options.endsWithClient });
  return response;
}

/** The body of an answer made by `streamedResponse`; null for any other. */
function getStreamedBody(response: Response): StreamedBody | null {
  return STREAMED.get(response) ?? null;
}
