import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";

/** A request's body must have arrived by then, however steadily it drips in (decisions.md section 3). */
export const BODY_DEADLINE_MS = 30_000;

/** Why the head of a request forbids reading its body, or null. */
export function bodyHeadFault(headers: Headers, mostBytes: number): string | null {
  if (!isJson(headers.get("content-type"))) return "the Content-Type must be application/json";
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return "a Content-Encoding is not supported: send the body as it is";
  }
  return Number(headers.get("content-length") ?? 0) > mostBytes ? tooLarge(mostBytes) : null;
}

/**
 * Reads a body of at most `mostBytes`, declared or counted, within the deadline. When the answer is no, part of the
 * body may still be on its way, so the connection is to be closed with the refusal.
 */
export function readBody(request: Request, mostBytes: number, clock: Clock): Promise<Outcome<Uint8Array>> {
  const { body } = request;
  if (body === null) return Promise.resolve(accepted(new Uint8Array()));
  const isDeclared = request.headers.has("content-length");
  return new Promise((resolve) => {
    let reader: { cancel: () => Promise<void> } | null = null;
    const late = clock.after(BODY_DEADLINE_MS, () => {
      resolve(refused("VALIDATION_FAILED", "the request body took too long to arrive"));
      reader?.cancel().catch(() => {});
    });
    const finish = (outcome: Outcome<Uint8Array>): void => {
      late();
      resolve(outcome);
    };
    const broken = (): void => finish(refused("VALIDATION_FAILED", "the request body broke off"));
    if (isDeclared) {
      // The server never hands on more than was declared, and `bodyHeadFault` has judged that.
      request.bytes().then((bytes) => finish(accepted(bytes)), broken);
      return;
    }
    const chunks = body.getReader();
    reader = chunks;
    readCounted(chunks, mostBytes).then(finish, broken);
  });
}

type ChunkReader = {
  readonly read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  readonly cancel: () => Promise<void>;
};

async function readCounted(reader: ChunkReader, mostBytes: number): Promise<Outcome<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return accepted(Buffer.concat(chunks));
    size += value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      return refused("VALIDATION_FAILED", tooLarge(mostBytes));
    }
    chunks.push(value);
  }
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
