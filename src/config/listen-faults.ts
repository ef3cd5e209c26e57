import { phrase, said } from "../i18n/phrase.ts";
import type { Fault } from "./fault.ts";
import { parseListen } from "./listen.ts";

type Parts = ReadonlyMap<string, unknown>;

/** The tables that say where something listens, in the order in which they have their address. */
const LISTENERS = ["server", "console", "compat", "metrics"] as const;

/** Two keys by which one address is listened on: the second never gets it. One that is left empty has none, and port 0 is any free one. */
export function listenFaults(parts: Parts): Fault[] {
  const faults: Fault[] = [];
  const taken: { readonly key: string; readonly text: string }[] = [];
  for (const name of LISTENERS) {
    const text = listenOf(parts.get(name));
    if (text === null) continue;
    const key = `${name}.listen`;
    const twin = taken.find((other) => isOneAddress(other.text, text));
    if (twin === undefined) taken.push({ key, text });
    else {
      const address = `"${twin.text}"`;
      const expected = phrase("config.expects.free_listen", { key: twin.key, address });
      faults.push({ key, found: said(`"${text}"`), expected });
    }
  }
  return faults;
}

/** Where a table says that something listens; null: nowhere, or by what is told elsewhere as wrong. */
function listenOf(part: unknown): string | null {
  if (typeof part !== "object" || part === null || !("listen" in part)) return null;
  const isOff = "enabled" in part && part.enabled === false;
  return isOff || typeof part.listen !== "string" ? null : part.listen;
}

function isOneAddress(one: string, other: string): boolean {
  const [first, second] = [parseListen(one), parseListen(other)];
  if (first === null || second === null || first.port !== second.port || first.port === 0) return false;
  const names = [nameOf(first.hostname), nameOf(second.hostname)] as const;
  return names[0] === names[1] || covers(...names) || covers(names[1], names[0]);
}

function nameOf(hostname: string): string {
  const name = hostname.toLowerCase();
  return name === "localhost" ? "127.0.0.1" : name;
}

/** Whether an address is every one, the other among them; that of IPv6 takes IPv4 too. */
function covers(all: string, one: string): boolean {
  return all === "::" || (all === "0.0.0.0" && !one.includes(":"));
}
