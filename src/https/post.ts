/**
 * Requests to HTTPS servers of others; the only route to them. A name is resolved once and the connection goes to the very
 * address that was checked, so that DNS cannot change in between; the name stays in SNI, in the Host header and in the
 * verification of the certificate (docs/behaviour.md#addresses-of-endpoints). Connections are kept and used again.
 */
import type { Clock } from "../core/clock.ts";
import { parseWhole } from "../core/parse-number.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type AddressRules, guardedAddresses, RefusedAddress } from "./address-guard.ts";
import {
  type HttpsTarget,
  isConnectFault,
  isRefusal,
  isReset,
  isUnsentFault,
  type RequestAt,
  type RequestTrusting,
  toConnectFault,
  trustedRequest,
} from "./https-request.ts";

export type PosterRules = AddressRules & {
  readonly request: RequestTrusting;
  /** PEM of authorities to trust besides the system's; null for none. */
  readonly ca: string | null;
  /** Covers everything from resolving the name to the last octet of the answer. */
  readonly timeoutMs: number;
  /** Nothing is sent again by itself, on whatever connection it was lost. */
  readonly isNeverTwice?: boolean;
};

/** How a request ended. */
export type PostEnd = {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The answer's `Retry-After` as it stands. */
  readonly retryAfter: string | null;
  /** Why it counts as failed; contains nothing of the URL's path or the answer; null for a success. */
  readonly error: Phrase | null;
};

/** How a request ended, and the answer or how it began, where that was asked for. */
export type AskEnd = PostEnd & {
  readonly answer?: string;
  /** There was no answer, and certainly not one byte of the request was sent. */
  readonly isUnsent?: true;
};

/** Makes one request of any method, with a body or without. Never rejects. */
export type Ask = (
  target: HttpsTarget,
  request: {
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly keepsAnswer?: boolean;
    /**
     * The answer is wanted whole instead of its beginning, as UTF-8, of about so many octets at most; the rest of a longer one is
     * left off.
     */
    readonly wholeUpTo?: number;
  },
  stop?: AbortSignal,
) => Promise<AskEnd>;

/** Posts one body. Never rejects. */
export type Post = (
  target: HttpsTarget,
  headers: Readonly<Record<string, string>>,
  body: string,
  stop?: AbortSignal,
) => Promise<PostEnd>;

/** Octets of a response's body that are read at most. */
const MAX_ANSWER_OCTETS = 65_536;
/** Octets of it that are kept at most, for a caller that reads them. */
const KEPT_ANSWER_OCTETS = 64;

/** Makes a `Post`, whose answers nobody reads. */
export function createPost(rules: PosterRules): Post {
  const ask = asker(rules);
  return (target, headers, body, stop) => ask(target, { method: "POST", headers, body }, stop);
}

/** Makes an `Ask`. */
export function asker(rules: PosterRules): Ask {
  const addresses = guardedAddresses(rules);
  const requestTo = firstAnswer(trustedRequest(rules.ca, rules.request), rules.isNeverTwice);

  return async (target, { method, headers, body, keepsAnswer = false, wholeUpTo }, stop) => {
    const limit = timeLimit(rules.clock, rules.timeoutMs, stop);
    const { signal } = limit;
    let status: number | null = null;
    let retryAfter: string | null = null;
    let answer: Pick<AskEnd, "answer"> = {};
    let isResolved = false;
    try {
      const known = await unlessAborted(addresses.addressesOf(target.host), signal);
      isResolved = true;
      const init = { method, headers: { ...headers, host: target.authority }, body, signal };
      const response = await requestTo(target, known, init);
      status = response.status;
      retryAfter = response.headers.get("retry-after");
      if (wholeUpTo !== undefined) answer = { answer: await readUpTo(response, wholeUpTo) };
      else {
        const begun = await drain(response);
        if (keepsAnswer) answer = { answer: begun };
      }
      return { status, retryAfter, ...answer, error: statusFault(status) };
    } catch (error) {
      const ended = limit.ended();
      if (status === null) {
        addresses.forget(target.host);
        const unsent = !isResolved || error instanceof Unsent ? { isUnsent: true as const } : {};
        return { status, retryAfter, ...unsent, error: ended ?? explainUnanswered(error) };
      }
      // A body that breaks off does not change the status; an endless one is not waited for.
      return { status, retryAfter, ...answer, error: statusFault(status) ?? ended };
    } finally {
      limit.release();
    }
  };
}

/** A signal that ends a request when its time is over or `stop` says so. */
function timeLimit(clock: Clock, timeoutMs: number, stop: AbortSignal | undefined) {
  const controller = new AbortController();
  let isLate = false;
  const cancel = clock.after(timeoutMs, () => {
    isLate = true;
    controller.abort();
  });
  const onStop = (): void => controller.abort();
  if (stop?.aborted) onStop();
  stop?.addEventListener("abort", onStop);
  return {
    signal: controller.signal,
    /** Why it ended the request; null where it did not. */
    ended: (): Phrase | null => {
      if (isLate) return phrase("network.late", { seconds: timeoutMs / 1000 });
      return controller.signal.aborted ? phrase("network.stopped") : null;
    },
    release: (): void => {
      cancel();
      stop?.removeEventListener("abort", onStop);
    },
  };
}

function explainUnanswered(thrown: unknown): Phrase {
  const error = thrown instanceof Unsent ? thrown.cause : thrown;
  return error instanceof RefusedAddress ? error.why : toConnectFault(error);
}

function statusFault(status: number): Phrase | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? phrase("network.answered.redirect", { status })
    : phrase("network.answered", { status });
}

/** Nothing follows the head of these, whatever it says (RFC 9110 section 6.4.1). */
const BODILESS: readonly number[] = [204, 304];

/** Reads an answer's body to its end or its limit, so that the connection can be used again or is closed; returns its beginning. */
async function drain(response: Response): Promise<string> {
  if (BODILESS.includes(response.status)) return "";
  // A length says nothing of a body that is also sent in chunks: those go on until they end.
  const isChunked = response.headers.has("transfer-encoding");
  const declared = isChunked ? null : parseWhole(response.headers.get("content-length"));
  if (declared !== null && declared <= MAX_ANSWER_OCTETS) {
    return beginning(new Uint8Array(await response.arrayBuffer()));
  }
  const { body } = response;
  if (body === null) return "";
  const reader = body.getReader();
  let octets = 0;
  let first = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return first;
    if (first.length < KEPT_ANSWER_OCTETS) first = (first + beginning(value)).slice(0, KEPT_ANSWER_OCTETS);
    octets += value.byteLength;
    if (octets >= MAX_ANSWER_OCTETS) {
      await reader.cancel();
      return first;
    }
  }
}

/** An answer's body as UTF-8; of a longer one than `most` octets the rest is left off. */
async function readUpTo(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let octets = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    octets += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (octets >= most) {
      await reader.cancel();
      return text;
    }
  }
}

function beginning(octets: Uint8Array): string {
  return Buffer.from(octets.subarray(0, KEPT_ANSWER_OCTETS)).toString("latin1");
}

/** The work, or a rejection as soon as the signal is aborted; a name look-up cannot be cancelled. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("aborted"));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Sends a request to the first of the addresses that accepts a connection. */
type RequestTo = (target: HttpsTarget, addresses: readonly string[], init: RequestInit) => Promise<Response>;

/** Addresses of one name that are tried for one request. */
const MAX_ADDRESSES = 4;

/** Thrown where certainly nothing was sent; its cause is the runtime's error. */
class Unsent extends Error {
  override name = "Unsent";
}

/**
 * Tries address after address as long as nothing was sent, and once more where a kept connection may have been closing; not that
 * where `isNeverTwice`, and there only a request of which certainly nothing was sent goes to the next address.
 */
function firstAnswer(requestAt: RequestAt, isNeverTwice = false): RequestTo {
  // Addresses that answered since a connection last broke off: there may be a kept connection.
  const answering = new Set<string>();

  const noted: RequestAt = async (target, address, init, isFresh) => {
    try {
      const response = await requestAt(target, address, init, isFresh);
      answering.add(target.authority);
      return response;
    } catch (error) {
      if (isReset(error)) answering.delete(target.authority);
      throw error;
    }
  };

  const answerAt = async (target: HttpsTarget, address: string, init: RequestInit): Promise<Response> => {
    const mayBeKept = answering.has(target.authority);
    try {
      return await noted(target, address, init, false);
    } catch (error) {
      if (isRefusal(error) || (!mayBeKept && isUnsentFault(error))) throw unsent(error);
      if (!isReset(error) || !mayBeKept || isNeverTwice) throw error;
      return noted(target, address, init, true);
    }
  };
  const mayGoOn = (error: unknown): boolean => {
    const cause = error instanceof Unsent ? error.cause : error;
    return isConnectFault(cause) && (error instanceof Unsent || !isNeverTwice);
  };

  return async (target, all, init) => {
    const addresses = all.slice(0, MAX_ADDRESSES);
    for (const [index, address] of addresses.entries()) {
      try {
        return await answerAt(target, address, init);
      } catch (error) {
        if (index === addresses.length - 1 || !mayGoOn(error)) throw error;
      }
    }
    throw new RefusedAddress(phrase("network.name.no_address"));
  };
}

function unsent(cause: unknown): Unsent {
  return new Unsent("nothing was sent", { cause });
}
