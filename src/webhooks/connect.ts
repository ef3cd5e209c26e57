/**
 * The one place that opens connections to endpoints. A name is resolved once and the connection goes to the very address
 * that was checked, so that DNS cannot change in between; the name stays in SNI, in the Host header and in the
 * verification of the certificate (docs/behaviour.md#addresses-of-endpoints). Connections are kept and used again.
 */
import { isIP, isIPv6 } from "node:net";
import type { Clock } from "../base/clock.ts";
import { refusedKind } from "./address-guard.ts";
import { isChainFault, isConnectFault, isReset, wordsOf } from "./connect-error.ts";
import type { Target } from "./endpoint-url.ts";
import { keptResolve, type Resolve } from "./resolve.ts";

export type ConnectDeps = {
  readonly clock: Clock;
  readonly resolve: Resolve;
  /** The appliance's own addresses. */
  readonly own: () => ReadonlySet<string>;
  /** For rehearsals: private, loopback and link-local addresses are endpoints like any other. */
  readonly allowPrivate: boolean;
  /** PEM of authorities to trust besides the system's; null for none. */
  readonly ca: string | null;
  /** Covers everything from resolving the name to the last octet of the answer. */
  readonly timeoutMs: number;
};

/** How a request to an endpoint ended. */
export type PostEnd = {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The answer's `Retry-After` as it stands. */
  readonly retryAfter: string | null;
  /** Why it counts as failed, in words that hold nothing of the URL's path or the answer; null for a success. */
  readonly error: string | null;
};

/** Posts one body. Never rejects. */
export type Post = (
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  stop?: AbortSignal,
) => Promise<PostEnd>;

/** Of a response's body no more is read, and nothing is kept. */
const MOST_ANSWER_OCTETS = 65_536;
/** Addresses of one name that are tried in one attempt. */
const MOST_ADDRESSES = 4;

export function poster(deps: ConnectDeps): Post {
  const { clock, ca } = deps;
  const names = keptResolve(
    (host) => (isIP(host) === 0 ? deps.resolve(host) : Promise.resolve([host])),
    clock,
  );
  // What was said of the addresses of a name, for as long as they are kept.
  const verdicts = new WeakMap<readonly string[], { readonly refusal: string | null }>();
  // Where the system's authorities do not do and the additional ones do.
  const extraTrusted = new Set<string>();
  // Who has answered since the last time that a connection broke off: there may be a kept connection.
  const answering = new Set<string>();

  const checkedAddresses = async (target: Target): Promise<readonly string[]> => {
    const addresses = await names.addressesOf(target.host);
    if (deps.allowPrivate) return addresses;
    const { refusal } = verdicts.get(addresses) ?? { refusal: refusalOf(addresses, deps.own()) };
    verdicts.set(addresses, { refusal });
    if (refusal !== null) throw new RefusedAddress(refusal);
    return addresses;
  };

  const request = async (
    target: Target,
    address: string,
    init: RequestInit,
    isFresh: boolean,
    withExtra: boolean,
  ): Promise<Response> => {
    const host = isIPv6(address) ? `[${address}]` : address;
    return fetch(`https://${host}:${target.port}${target.path}`, {
      ...init,
      redirect: "manual",
      decompress: false,
      keepalive: !isFresh,
      tls: {
        // Said, because the environment could switch it off (NODE_TLS_REJECT_UNAUTHORIZED).
        rejectUnauthorized: true,
        ...(target.isAddress ? {} : { serverName: target.host }),
        ...(withExtra && ca !== null ? { ca } : {}),
      },
    });
  };

  /** With the trust that did before; where the chain is not trusted nothing was sent, and the other trust is tried. */
  const requestTrusted = async (target: Target, address: string, init: RequestInit, isFresh: boolean) => {
    if (ca === null) return request(target, address, init, isFresh, false);
    const withExtra = extraTrusted.has(target.authority);
    try {
      return await request(target, address, init, isFresh, withExtra);
    } catch (error) {
      if (!isChainFault(error)) throw error;
      const response = await request(target, address, init, isFresh, !withExtra);
      if (withExtra) extraTrusted.delete(target.authority);
      else extraTrusted.add(target.authority);
      return response;
    }
  };

  const answerFrom = async (target: Target, init: RequestInit): Promise<Response> => {
    const all = await unlessAborted(checkedAddresses(target), init.signal);
    const addresses = inOrder(all).slice(0, MOST_ADDRESSES);
    let left = addresses.length;
    const mayBeKept = answering.has(target.authority);
    let isFresh = false;
    for (const address of addresses) {
      left -= 1;
      for (;;) {
        try {
          const response = await requestTrusted(target, address, init, isFresh);
          answering.add(target.authority);
          return response;
        } catch (error) {
          if (isReset(error)) answering.delete(target.authority);
          if (isReset(error) && mayBeKept && !isFresh) {
            // Perhaps a kept connection that the receiver was just closing: once more on a new one.
            isFresh = true;
            continue;
          }
          if (left > 0 && isConnectFault(error)) break;
          throw error;
        }
      }
    }
    throw new RefusedAddress("the name has no address");
  };

  return async (target, headers, body, stop) => {
    const limit = new AbortController();
    let isLate = false;
    const cancel = clock.after(deps.timeoutMs, () => {
      isLate = true;
      limit.abort();
    });
    const onStop = (): void => limit.abort();
    if (stop?.aborted) onStop();
    stop?.addEventListener("abort", onStop);
    let status: number | null = null;
    let retryAfter: string | null = null;
    const failed = (error: unknown): string => {
      if (isLate) return `timed out after ${deps.timeoutMs / 1000} s`;
      if (limit.signal.aborted) return "stopped by us";
      return error instanceof RefusedAddress ? error.message : wordsOf(error);
    };
    try {
      const init = {
        method: "POST",
        headers: { ...headers, host: target.authority },
        body,
        signal: limit.signal,
      };
      const response = await answerFrom(target, init);
      status = response.status;
      retryAfter = response.headers.get("retry-after");
      await drain(response);
      return { status, retryAfter, error: statusFault(status) };
    } catch (error) {
      if (status === null) names.forget(target.host);
      // A broken end takes nothing back of what the status said; an endless one is not waited for.
      const said = status === null ? null : statusFault(status);
      const isBroken = status !== null && !limit.signal.aborted;
      return { status, retryAfter, error: said ?? (isBroken ? null : failed(error)) };
    } finally {
      cancel();
      stop?.removeEventListener("abort", onStop);
    }
  };
}

/** Thrown before anything is sent. */
class RefusedAddress extends Error {
  override name = "RefusedAddress";
}

/**
 * Why an endpoint may not have these addresses, all those of its name; null when it may. One that is refused refuses
 * all: a name with a public and a private address is an attack or a mistake.
 */
export function refusalOf(addresses: readonly string[], own: ReadonlySet<string>): string | null {
  for (const address of addresses) {
    const kind = refusedKind(address) ?? (own.has(address) ? "this server's own" : null);
    if (kind !== null) return `the address ${address} is not allowed: ${kind}`;
  }
  return null;
}

/**
 * IPv4 first: where IPv6 leads nowhere without saying so, an address of it would take the whole time of each attempt.
 */
export function inOrder(addresses: readonly string[]): readonly string[] {
  return [...addresses.filter((each) => !isIPv6(each)), ...addresses.filter((each) => isIPv6(each))];
}

function statusFault(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `answered ${status}: redirects are not followed`
    : `answered ${status}`;
}

/** Reads an answer's body to its end or its limit, so that the connection can be used again or is closed. */
async function drain(response: Response): Promise<void> {
  const { body } = response;
  if (body === null) return;
  // A length says nothing of a body that is also sent in chunks: those go on until they end.
  const isChunked = response.headers.has("transfer-encoding");
  const declared = isChunked ? null : response.headers.get("content-length");
  if (declared !== null && Number(declared) <= MOST_ANSWER_OCTETS) {
    await response.arrayBuffer();
    return;
  }
  const reader = body.getReader();
  let octets = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    octets += value.byteLength;
    if (octets >= MOST_ANSWER_OCTETS) {
      await reader.cancel();
      return;
    }
  }
}

/** The work, or a rejection as soon as the signal says so; the resolver of a name cannot be called back. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("aborted"));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
