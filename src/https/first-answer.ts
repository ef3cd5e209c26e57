import { phrase } from "../i18n/phrase.ts";
import { isConnectFault, isRefusal, isReset, isUnsentFault } from "./connect-error.ts";
import { RefusedAddress } from "./guarded-addresses.ts";
import type { HttpsTarget } from "./target.ts";
import type { RequestAt } from "./trusted-request.ts";

/** Sends a request to the first of the addresses that there is a connection to. */
export type RequestTo = (
  target: HttpsTarget,
  addresses: readonly string[],
  init: RequestInit,
) => Promise<Response>;

/** Addresses of one name that are tried for one request. */
const MOST_ADDRESSES = 4;

/** Thrown where certainly nothing was sent; its cause is what the runtime said. */
export class Unsent extends Error {
  override name = "Unsent";
}

/**
 * Goes from address to address as long as nothing was sent, and once more where a kept connection may have been closing; not that
 * where `isNeverTwice`, and there only a request of which certainly nothing was sent goes to the next address.
 */
export function firstAnswer(requestAt: RequestAt, isNeverTwice = false): RequestTo {
  // Who has answered since the last time that a connection broke off: there may be a kept connection.
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
    const addresses = all.slice(0, MOST_ADDRESSES);
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
