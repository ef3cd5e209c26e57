/**
 * Resolves the names of endpoints and decides which addresses they may have
 * (docs/behaviour.md#addresses-of-endpoints): those of the public internet and no others, checked for the very
 * address a connection is made to.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import type { Clock } from "../core/clock.ts";
import { type CaseOf, type Phrase, phrase } from "../i18n/phrase.ts";
import { type RequestTrusting, systemRequest } from "./https-request.ts";

/** The kind of a refused address, by its case of the catalogue. */
export type RefusedKind = CaseOf<"network.kind">;

type Range = readonly [address: string, bits: number];
type Ranges = Readonly<Partial<Record<RefusedKind, readonly Range[]>>>;

/** IANA's special-purpose IPv4 registry, and what is reserved or multicast. */
const REFUSED_IPV4: Ranges = {
  unspecified: [["0.0.0.0", 8]],
  loopback: [["127.0.0.0", 8]],
  private: [
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ],
  link_local: [["169.254.0.0", 16]],
  carrier_nat: [["100.64.0.0", 10]],
  protocols: [
    ["192.0.0.0", 24],
    ["192.88.99.0", 24],
  ],
  examples: [
    ["192.0.2.0", 24],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
  ],
  multicast: [["224.0.0.0", 4]],
  reserved: [["240.0.0.0", 4]],
};

/** Named for their messages; whatever else lies outside global unicast, 2000::/3, is refused as well. */
const REFUSED_IPV6: Ranges = {
  loopback: [["::1", 128]],
  unspecified: [["::", 128]],
  inner_ipv4: [
    // Compatible, mapped, translated, NAT64 well-known and local, Teredo, 6to4 (RFC 4291, 2765, 6052, 8215, 4380, 3056).
    ["::", 96],
    ["::ffff:0:0", 96],
    ["::ffff:0:0:0", 96],
    ["64:ff9b::", 96],
    ["64:ff9b:1::", 48],
    ["2001::", 32],
    ["2002::", 16],
  ],
  unique_local: [["fc00::", 7]],
  link_local: [["fe80::", 10]],
  site_local: [["fec0::", 10]],
  multicast: [["ff00::", 8]],
  protocols: [["2001::", 23]],
  examples: [
    ["2001:db8::", 32],
    ["3fff::", 20],
    ["100::", 64],
  ],
};

const GLOBAL_UNICAST: Range = ["2000::", 3];

const ipv4Lists = listsOf(REFUSED_IPV4, "ipv4");
const ipv6Lists = listsOf(REFUSED_IPV6, "ipv6");
const globalUnicast = listOf([GLOBAL_UNICAST], "ipv6");

/** The kind of an address that no endpoint may have; null when it is a public one. */
export function classifyAddress(address: string): RefusedKind | null {
  if (isIPv4(address)) return kindIn(ipv4Lists, address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return "no_internet";
  const named = kindIn(ipv6Lists, address, "ipv6");
  if (named !== null) return named;
  if (isIsatap(address)) return "inner_ipv4";
  return globalUnicast.check(address, "ipv6") ? null : "not_global";
}

/** ISATAP puts an IPv4 address behind 0:5efe or 200:5efe in the last 64 bits of any prefix (RFC 5214 section 6.1). */
function isIsatap(address: string): boolean {
  const groups = groupsOf(address);
  return groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
}

/** The eight groups of an IPv6 address, from the one form that URLs have: no dotted quad, one run of zeros left out. */
function groupsOf(address: string): number[] {
  const compressed = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = compressed
    .split("::")
    .map((side) => (side === "" ? [] : side.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function listsOf(ranges: Ranges, family: "ipv4" | "ipv6") {
  return Object.entries(ranges).map(([kind, list]) => ({
    kind: kind as RefusedKind,
    list: listOf(list, family),
  }));
}

function listOf(ranges: readonly Range[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family);
  return list;
}

function kindIn(
  lists: ReturnType<typeof listsOf>,
  address: string,
  family: "ipv4" | "ipv6",
): RefusedKind | null {
  return lists.find(({ list }) => list.check(address, family))?.kind ?? null;
}

export type AddressRules = {
  readonly clock: Clock;
  readonly resolve: Resolve;
  /** The appliance's own addresses. */
  readonly own: () => ReadonlySet<string>;
  /** For rehearsals: private, loopback and link-local addresses are servers like any other. */
  readonly allowPrivate: () => boolean;
};

type GuardedAddresses = {
  /** The addresses of a host, all of them allowed, IPv4 first; rejects with `RefusedAddress` where one is not. */
  readonly addressesOf: (host: string) => Promise<readonly string[]>;
  /** Resolves it again next time: nothing answered at the known addresses. */
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
  // The verdict on the addresses of a name, and their order, for as long as they are kept.
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
      const { refusal } = verdicts.get(addresses) ?? {
        refusal: explainRefusal(addresses, rules.own(), host),
      };
      verdicts.set(addresses, { refusal });
      if (refusal !== null) throw new RefusedAddress(refusal);
      return ordered(addresses);
    },
  };
}

/**
 * Why a server may not have these addresses, all those of its name; null when it may. One that is refused refuses all: a name
 * with a public and a private address is an attack or a mistake. Internal addresses are not named: the client learns no more of
 * our networks than that.
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

/** IPv4 first: where IPv6 silently leads nowhere, an address of it would take the whole time of each attempt. */
export function orderAddresses(addresses: readonly string[]): readonly string[] {
  return [...addresses.filter((each) => !isIPv6(each)), ...addresses.filter((each) => isIPv6(each))];
}

/** Every address a name has at this moment; rejects when it has none or nobody can say. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The resolver of the operating system, its hosts file included. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** The machine's own addresses: an endpoint that is the appliance itself is refused. */
export function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  );
}

/** How servers of others are resolved and asked. */
export type HttpsNetwork = {
  readonly resolve: Resolve;
  readonly ownAddresses: () => ReadonlySet<string>;
  readonly request: RequestTrusting;
};

/** The machine's. */
export const systemHttps: HttpsNetwork = { resolve: systemResolve, ownAddresses, request: systemRequest };

/** How long an answer is used again. A connection is made to a checked address either way, so an old one is safe. */
const KEEP_MS = 30_000;
const MAX_KEPT = 10_000;

type CachedResolve = {
  readonly addressesOf: Resolve;
  /** Resolves again next time: nothing answered at the known addresses. */
  readonly forget: (host: string) => void;
};

/** Keeps answers for a short while, so that thousands of events a second do not ask thousands of times. */
export function cacheResolve(resolve: Resolve, clock: Clock): CachedResolve {
  const kept = new Map<string, { readonly answer: Promise<readonly string[]>; readonly untilMs: number }>();
  return {
    addressesOf: (host) => {
      const known = kept.get(host);
      if (known && clock.steadyMs() < known.untilMs) return known.answer;
      if (kept.size >= MAX_KEPT) kept.clear();
      const answer = resolve(host);
      const entry = { answer, untilMs: clock.steadyMs() + KEEP_MS };
      kept.set(host, entry);
      answer.catch(() => {
        if (kept.get(host) === entry) kept.delete(host);
      });
      return answer;
    },
    forget: (host) => {
      kept.delete(host);
    },
  };
}
