/** Networks in the usual notation, "10.20.0.0/16" or a single address, and whether an address is in one. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

type Network = { readonly address: string; readonly bits: number; readonly family: "ipv4" | "ipv6" };

/** Reads "192.0.2.0/24", "2001:db8::/32" or one address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [, address = "", digits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : null;
  if (family === null) return null;
  const most = family === "ipv4" ? 32 : 128;
  const bits = digits === undefined ? most : Number(digits);
  return bits > most ? null : { address, bits, family };
}

/** Whether an address, as a socket gives it, is in one of some networks. Texts that are no networks match nothing. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return (told) => {
    const address = unmapped(told);
    if (isIPv4(address)) return list.check(address, "ipv4");
    return isIPv6(address) && list.check(address, "ipv6");
  };
}

/** An IPv4 caller of a socket that listens on both families (RFC 4291 section 2.5.5.2). */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}

/** The longest text that is an address: of IPv6 with an IPv4 one at its end. */
const MAX_ADDRESS = 45;

/**
 * The network of one customer, by a name that is the same however the address is written: an IPv4 address, or the first 64 bits
 * of an IPv6 one (RFC 6177). Any other text stands for itself, cut to the length of an address.
 */
export function toCustomerNetwork(told: string): string {
  const [zoneless = ""] = told.split("%", 1);
  const address = unmapped(zoneless.slice(0, MAX_ADDRESS));
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  // Mapped, written without dots.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const front = groups.slice(0, 4).map((group) => group.toString(16));
  return `${front.join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const plain = address.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_all, ...four: readonly string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = four.slice(0, 4).map(Number);
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    },
  );
  const [head = "", tail] = plain.split("::");
  const read = (part: string): number[] =>
    part.split(":").flatMap((group) => (group === "" ? [] : [Number.parseInt(group, 16)]));
  const [front, back] = [read(head), read(tail ?? "")];
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
}
