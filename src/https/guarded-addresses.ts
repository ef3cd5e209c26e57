import { isIP, isIPv6 } from "node:net";
import type { Clock } from "../core/clock.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { classifyAddress } from "./address-guard.ts";
import { cacheResolve, type Resolve } from "./resolve.ts";

export type AddressRules = {
  readonly clock: Clock;
  readonly resolve: Resolve;
  /** The appliance's own addresses. */
  readonly own: () => ReadonlySet<string>;
  /** For rehearsals: private, loopback and link-local addresses are servers like any other. */
  readonly allowPrivate: () => boolean;
};

export type GuardedAddresses = {
  /** The addresses of a host, all of them allowed, IPv4 first; rejects with `RefusedAddress` where one is not. */
  readonly addressesOf: (host: string) => Promise<readonly string[]>;
  /** Asks the resolver again next time: nothing answered at what was known. */
  readonly forget: (host: string) => void;
};

/** Thrown before anything is sent. */
export class RefusedAddress extends Error {
  override name = "RefusedAddress";

  constructor(readonly why: Phrase) {
    super("the address is refused");
  }
}

/** Resolves names and checks their addresses, and keeps both for a short while. */
export function guardedAddresses(rules: AddressRules): GuardedAddresses {
  const names = cacheResolve(
    (host) => (isIP(host) === 0 ? rules.resolve(host) : Promise.resolve([host])),
    rules.clock,
  );
  // What was said of the addresses of a name, and their order, for as long as they are kept.
  const verdicts = new WeakMap<readonly string[], { readonly refusal: Phrase | null }>();
  const orders = new WeakMap<readonly string[], readonly string[]>();
  const ordered = (addresses: readonly string[]): readonly string[] => {
    const known = orders.get(addresses) ?? orderAddresses(addresses);
    orders.set(addresses, known);
    return known;
  };
  return {
    forget: names.forget,
    addressesOf: async (host) => {
      const addresses = await names.addressesOf(host);
      if (rules.allowPrivate()) return ordered(addresses);
      const { refusal } = verdicts.get(addresses) ?? { refusal: explainRefusal(addresses, rules.own(), host) };
      verdicts.set(addresses, { refusal });
      if (refusal !== null) throw new RefusedAddress(refusal);
      return ordered(addresses);
    },
  };
}

/**
 * Why a server may not have these addresses, all those of its name; null when it may. One that is refused refuses
 * all: a name with a public and a private address is an attack or a mistake. Where a name leads inside is not told: its client learns no
 * more of our networks than that.
 */
export function explainRefusal(
  addresses: readonly string[],
  own: ReadonlySet<string>,
  host: string,
): Phrase | null {
  for (const address of addresses) {
    const refused = classifyAddress(address) ?? (own.has(address) ? "own" : null);
    if (refused === null) continue;
    const kind = phrase(`network.kind.${refused}`);
    return isIP(host) === 0
      ? phrase("network.address.name", { kind })
      : phrase("network.address.host", { host, kind });
  }
  return null;
}

/**
 * IPv4 first: where IPv6 leads nowhere without saying so, an address of it would take the whole time of each attempt.
 */
export function orderAddresses(addresses: readonly string[]): readonly string[] {
  return [...addresses.filter((each) => !isIPv6(each)), ...addresses.filter((each) => isIPv6(each))];
}
