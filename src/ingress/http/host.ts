import { isIPv4, isIPv6 } from "node:net";

/**
 * Whether a request names a host that this machine can be known by: an address, `localhost`, or the host of `public_url`. A page of
 * elsewhere whose name was made to lead to the loopback asks by that name (DNS rebinding), and is nobody on this machine.
 */
export function isOwnHost(host: string | null, publicUrl: string): boolean {
  if (host === null || host === "") return true;
  const name = nameIn(host.toLowerCase());
  if (isIPv4(name) || isIPv6(name)) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return URL.canParse(publicUrl) && new URL(publicUrl).hostname === name;
}

/** A host without its port; the address inside brackets. */
function nameIn(host: string): string {
  if (host.startsWith("[")) return host.slice(1, Math.max(1, host.indexOf("]")));
  const [name = ""] = host.split(":", 1);
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
