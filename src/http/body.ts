import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { BodyPermit } from "./body-budget.ts";

/** A request's body must have arrived by then, however steadily it drips in (decisions.md section 3). */
export const BODY_DEADLINE_MS = 30_000;

/** A large body that has not got its memory by then is refused: what is left of the deadline is for reading it. */
export const MEMORY_WAIT_MS = 20_000;

/** A body up to this size is neither waited for nor handed to a thread: it is read in less than a millisecond. */
export const SMALL_BYTES = 65_536;

/** Why the head of a request forbids reading its body, or null. */
export function bodyHeadFault(headers: Headers, mostBytes: number): string | null {
  if (!isJson(headers.get("content-type"))) return "the Content-Type must be application/json";
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return "a Content-Encoding is not supported: send the body as it is";
  }
  return (declaredBytes(headers) ?? 0) > mostBytes ? tooLarge(mostBytes) : null;
}

/** The length a request declares of its body; null when it will only be counted. */
export function declaredBytes(headers: Headers): number | null {
  const declared = headers.get("content-length");
  return declared === null ? null : Number(declared);
}

/** Asks for memory before a large body is read; whoever hands it in gives back what was granted. */
export type AskMemory = (bytes: number) => BodyPermit;

/** Of a route that takes no large bodies. */
const askNobody: AskMemory = () => ({ granted: Promise.resolve(), release: () => {} });

/**
 * Reads a body of at most `mostBytes`, declared or counted, within the deadline: waiting for the permit to read a
 * large one is part of it, and a client that was kept waiting is told to try again. When the answer is no, part of
 * the body may still be on its way, so the connection is to be closed with the refusal.
 */
export function readBody(
  request: Request,
  mostBytes: number,
  clock: Clock,
  ask: AskMemory = askNobody,
): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const declared = declaredBytes(request.headers);
  return declared !== null && declared <= SMALL_BYTES
    ? readSmall(request, clock)
    : readLarge(request, declared, mostBytes, clock, ask);
}

/** By far the most frequent case: one promise, one timer. */
function readSmall(request: Request, clock: Clock): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  return new Promise((resolve) => {
    const late = clock.after(BODY_DEADLINE_MS, () => resolve(LATE));
    const finish = (outcome: Outcome<Uint8Array<ArrayBuffer>>): void => {
      late();
      resolve(outcome);
    };
    request.arrayBuffer().then(
      (bytes) => finish(accepted(new Uint8Array(bytes))),
      () => finish(BROKEN),
    );
  });
}

async function readLarge(
  request: Request,
  declared: number | null,
  mostBytes: number,
  clock: Clock,
  ask: AskMemory,
): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const { body } = request;
  if (body === null) return accepted(new Uint8Array());
  const { promise: late, resolve: expire } = Promise.withResolvers<"late">();
  const cancel = clock.after(BODY_DEADLINE_MS, () => expire("late"));
  const mayRead = (bytes: number): Promise<boolean> => {
    if (bytes <= SMALL_BYTES) return Promise.resolve(true);
    return new Promise((resolve) => {
      const giveUp = clock.after(MEMORY_WAIT_MS, () => resolve(false));
      void ask(bytes).granted.then(() => {
        giveUp();
        resolve(true);
      });
    });
  };
  try {
    if (declared === null) return await readCounted(body.getReader(), mostBytes, mayRead, late);
    if (!(await mayRead(declared))) return BUSY;
    return await readDeclared(body.getReader(), declared, late);
  } catch {
    return BROKEN;
  } finally {
    cancel();
  }
}

const LATE = refused("VALIDATION_FAILED", "the request body took too long to arrive");
const BROKEN = refused("VALIDATION_FAILED", "the request body broke off");
const BUSY = refused(
  "SERVICE_UNAVAILABLE",
  "too many large request bodies at once: send the same request again later",
);

type ChunkReader = {
  readonly read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  readonly cancel: () => Promise<void>;
};

/**
 * Reads a large body to where it belongs, chunk by chunk: the runtime would gather it and copy the whole at the end.
 * It never hands on more than was declared.
 */
async function readDeclared(
  reader: ChunkReader,
  declared: number,
  late: Promise<"late">,
): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const whole = new Uint8Array(declared);
  let at = 0;
  for (;;) {
    const read = await Promise.race([reader.read(), late]);
    if (read === "late") {
      reader.cancel().catch(() => {});
      return LATE;
    }
    if (read.done || !read.value) return at === declared ? accepted(whole) : BROKEN;
    whole.set(read.value, at);
    at += read.value.byteLength;
  }
}

/** Reads chunk by chunk. Nobody knows how large the body gets, so beyond a small size it may get as large as allowed. */
async function readCounted(
  reader: ChunkReader,
  mostBytes: number,
  mayRead: (bytes: number) => Promise<boolean>,
  late: Promise<"late">,
): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isSmall = true;
  const stop = <T>(refusal: T): T => {
    reader.cancel().catch(() => {});
    return refusal;
  };
  for (;;) {
    const read = await Promise.race([reader.read(), late]);
    if (read === "late") return stop(LATE);
    if (read.done || !read.value) return accepted(joined(chunks, size));
    size += read.value.byteLength;
    if (size > mostBytes) return stop(refused("VALIDATION_FAILED", tooLarge(mostBytes)));
    chunks.push(read.value);
    if (isSmall && size > SMALL_BYTES && !(await mayRead(mostBytes))) return stop(BUSY);
    isSmall = size <= SMALL_BYTES;
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function tooLarge(mostBytes: number): string {
  return `the request body must have at most ${mostBytes} bytes`;
}

/** Media types and parameter names are case-insensitive (RFC 9110 section 8.3.1); JSON is UTF-8 (RFC 8259 section 8.1). */
function isJson(contentType: string | null): boolean {
  if (contentType === null) return false;
  if (contentType === "application/json") return true;
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  return (
    type.trim() === "application/json" &&
    parameters.every((parameter) => {
      const [name = "", value = ""] = parameter.split("=");
      return name.trim() !== "charset" || /^"?utf-?8"?$/.test(value.trim());
    })
  );
}
