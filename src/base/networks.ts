/** Networks as people write them, "10.20.0.0/16" or a single address, and whether an address is in one. */
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

/** Whether an address, as a socket tells it, is in one of some networks. Texts that are none hold nobody. */
export function networkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return (told) => {
    // An IPv4 caller of a socket that listens on both families (RFC 4291 section 2.5.5.2).
    const address = told.replace(/^::ffff:(?=[\d.]+$)/i, "");
    if (isIPv4(address)) return list.check(address, "ipv4");
    return isIPv6(address) && list.check(address, "ipv6");
  };
}
