/** Reads request bodies within 30 seconds and a largest size; large ones claim memory from the budget as they arrive. */
import type { Clock } from "../../core/clock.ts";
import { parseWhole } from "../../core/parse-number.ts";
import { accepted, type Outcome, type Refusal, refuse, toRefusal } from "../../core/refusals.ts";
import type { BodyClaim } from "./body-budget.ts";

/** A request's body must have arrived by then, however steadily it drips in (docs/behaviour.md#bodies). */
export const BODY_DEADLINE_MS = 30_000;

/** A large body that waits for memory as long as this is refused: what is left of the deadline is for reading it. */
export const MEMORY_WAIT_MS = 20_000;

/** A body up to this size is neither waited for nor handed to a thread: it is read in less than a millisecond. */
export const SMALL_BYTES = 65_536;

/** A body, or why it was not read. `isTooLarge`: of a length that was counted and not declared. */
type BodyRead = Outcome<Uint8Array<ArrayBuffer>, "VALIDATION_FAILED" | "SERVICE_UNAVAILABLE"> & {
  readonly isTooLarge?: true;
};

/** Why the head of a request forbids reading its body, or null. */
export function findBodyHeadFault(headers: Headers, mostBytes: number): Refusal<"VALIDATION_FAILED"> | null {
  if (!isJson(headers.get("content-type"))) return toRefusal("VALIDATION_FAILED.content_type");
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    return toRefusal("VALIDATION_FAILED.encoding");
  }
  return (declaredBytes(headers) ?? 0) > mostBytes ? tooLarge(mostBytes) : null;
}

/** The length a request declares of its body in digits; null when it will only be counted. */
export function declaredBytes(headers: Headers): number | null {
  const declared = headers.get("content-length");
  return parseWhole(declared);
}

/** The claim of a route that takes no large bodies. Each has its own promise: a shared one would collect its waiters. */
const unclaimed = (): BodyClaim => ({
  grow: () => Promise.resolve(),
  arrived: () => {},
  complete: () => {},
  lost: new Promise(() => {}),
  release: () => {},
});

/**
 * Reads a body of at most `mostBytes`, declared or counted, within the deadline. A large one claims memory as it
 * arrives; a client that was kept waiting for it, or kept others waiting, is told to try again. The claim is the
 * caller's to release. When the body is refused, part of it may still be on its way, so the connection must be closed
 * with the refusal.
 */
export function readBody(
  request: Request,
  mostBytes: number,
  clock: Clock,
  claim: (longest: number) => BodyClaim = unclaimed,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<BodyRead> {
  const declared = declaredBytes(request.headers);
  return declared !== null && declared <= SMALL_BYTES
    ? readSmall(request, clock)
    : readLarge(request, declared, mostBytes, clock, claim(declared ?? mostBytes), deadlineMs);
}

/** Reads a small body, by far the most frequent case: one promise, one timer. */
function readSmall(request: Request, clock: Clock): Promise<BodyRead> {
  return new Promise((resolve) => {
    const late = clock.after(BODY_DEADLINE_MS, () => resolve(LATE));
    const finish = (outcome: BodyRead): void => {
      late();
      resolve(outcome);
    };
    request.arrayBuffer().then(
      (bytes) => finish(accepted(new Uint8Array(bytes))),
      () => finish(BROKEN),
    );
  });
}

const LATE = refuse("VALIDATION_FAILED.body_late");
const BROKEN = refuse("VALIDATION_FAILED.body_broken");
const BUSY = refuse("SERVICE_UNAVAILABLE.bodies");
const TOO_SLOW = refuse("SERVICE_UNAVAILABLE.slow_body");

/** Stops reading a body; errors of that are ignored. */
export function discardBody(reader: { readonly cancel: () => Promise<void> }): void {
  reader.cancel().catch(() => {});
}

type Ended = "late" | "lost" | "busy";

/**
 * Reads a body chunk by chunk into its final array, claiming memory as it fills: the runtime would gather the chunks and
 * copy the whole at the end. Never returns more than was declared or is allowed.
 */
async function readLarge(
  request: Request,
  declared: number | null,
  mostBytes: number,
  clock: Clock,
  claim: BodyClaim,
  deadlineMs: number,
): Promise<BodyRead> {
  if (request.body === null) return accepted(new Uint8Array());
  const reader = request.body.getReader();
  const { promise: late, resolve: expire } = Promise.withResolvers<"late">();
  const cancel = clock.after(deadlineMs, () => expire("late"));
  const most = declared ?? mostBytes;
  let whole: Uint8Array<ArrayBuffer> = new Uint8Array(Math.min(FIRST_BYTES, most));
  let claimed = whole.byteLength;
  let size = 0;
  let hasWaited = false;

  /** Claims memory for all that has arrived, twice as much as before at least. */
  const grow = async (): Promise<Ended | null> => {
    claimed = Math.min(most, Math.max(size, 2 * claimed));
    const ended = claimed <= SMALL_BYTES ? null : await waitFor(claimed);
    if (ended === null && claimed > whole.byteLength) {
      // Zero-filling so many octets would hold up the event loop, and no octet is read before it is written.
      const larger = Buffer.allocUnsafeSlow(lengthFor(claimed, declared, most));
      larger.set(whole);
      whole = larger;
    }
    return ended;
  };
  const waitFor = async (capacity: number): Promise<Ended | null> => {
    const { promise: busy, resolve: giveUp } = Promise.withResolvers<"busy">();
    const cancelWait = clock.after(MEMORY_WAIT_MS, () => giveUp("busy"));
    const beganMs = clock.steadyMs();
    const ended = await Promise.race([claim.grow(capacity).then(() => null), claim.lost, late, busy]);
    cancelWait();
    hasWaited ||= clock.steadyMs() - beganMs >= KEPT_WAITING_MS;
    return ended === "late" ? "busy" : ended;
  };
  const refuse = (ended: Ended): BodyRead => {
    discardBody(reader);
    // Freed at once: memory that others wait for must not wait for the garbage collector.
    whole.buffer.transfer(0);
    if (ended === "lost") return TOO_SLOW;
    return ended === "busy" || hasWaited ? BUSY : LATE;
  };
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late, claim.lost]);
      if (typeof read === "string") return refuse(read);
      if (read.done || !read.value) break;
      const at = size;
      size += read.value.byteLength;
      if (size > most) {
        discardBody(reader);
        return declared === null ? { ok: false, refusal: tooLarge(mostBytes), isTooLarge: true } : BROKEN;
      }
      claim.arrived(read.value.byteLength);
      const ended = size > claimed ? await grow() : null;
      if (ended !== null) return refuse(ended);
      whole.set(read.value, at);
    }
    if (declared !== null && size !== declared) return BROKEN;
    claim.complete();
    return accepted(whole.subarray(0, size));
  } catch {
    return BROKEN;
  } finally {
    cancel();
  }
}

/** The first array for a body of unknown length: most are small. */
const FIRST_BYTES = 4096;

/**
 * The length of the array for a body that has claimed so many bytes. The system gives memory only where something is
 * written, so an array of the declared length costs what has arrived, and nothing is copied. For an unknown length it gets
 * the largest allowed length only once the body is large, because the garbage collector goes by lengths.
 */
function lengthFor(claimed: number, declared: number | null, most: number): number {
  if (claimed <= SMALL_BYTES) return Math.min(most, SMALL_BYTES);
  return declared ?? (claimed > LARGE_BYTES ? most : Math.min(most, 2 * claimed));
}

/** Above this a body of unknown length is not moved any more: copying more holds up the event loop. */
const LARGE_BYTES = 4_194_304;

/** A body that waited this long for memory may be late because of that. */
const KEPT_WAITING_MS = 1000;

function tooLarge(most: number) {
  return toRefusal("VALIDATION_FAILED.body_large", { most });
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
