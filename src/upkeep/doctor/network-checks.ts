/** What is reached over the network: operators, the names of endpoints, our own address. And certificates, which open the way. */

import { isoUtc } from "../../base/clock.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { CertificateEnd } from "../certificates.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** A connection as far as it matters here. */
export type SeenConnection = {
  /** Bound, in a running server; else whether a socket could be opened. */
  readonly isUp: boolean;
  readonly lastError: Phrase | null;
  /** Why an administrator lets nothing leave by it. */
  readonly pause: string | null;
};

/** One operator of a running server, or reached from here without binding. */
export function operatorCheck(
  operator: string,
  connections: readonly SeenConnection[],
  how: "bound" | "reachable",
): DoctorCheck {
  const name = `operator ${operator}`;
  const up = connections.filter(({ isUp }) => isUp).length;
  const counts = `${up} of ${connections.length} connection(s) ${how}`;
  const pause = connections.find((one) => one.pause !== null)?.pause ?? null;
  const why = connections.find(({ isUp, lastError }) => !isUp && lastError !== null)?.lastError ?? null;
  const detail = why === null ? counts : `${counts}: ${english(why)}`;
  const look =
    how === "bound"
      ? '"operator status" tells the last error of each connection; call the operator if it is not ours'
      : "check host and port, the way through firewalls and a VPN, and call the operator";
  if (up === 0) return fails(name, detail, look);
  if (pause !== null)
    return warns(name, `${counts}; it is paused: ${pause}`, `"operator resume ${operator}" lets it go on`);
  if (up < connections.length) return warns(name, detail, look);
  return sound(name, detail);
}

/** The names of endpoints' hosts, each with whether it resolves. */
export function resolverCheck(hosts: ReadonlyMap<string, boolean>): DoctorCheck {
  const name = "webhook resolver";
  const unknown = [...hosts].flatMap(([host, isKnown]) => (isKnown ? [] : [host]));
  if (hosts.size === 0) return sound(name, "no endpoint has a name to look up");
  if (unknown.length === 0) return sound(name, `${hosts.size} name(s) of endpoints resolve`);
  const detail = `${unknown.length} of ${hosts.size} name(s) of endpoints do not resolve: ${unknown.join(", ")}`;
  if (unknown.length === hosts.size) return fails(name, detail, "check the resolver: /etc/resolv.conf");
  return warns(name, detail, "ask the clients whose endpoints these are");
}

const SOON_MS = 14 * 24 * 3_600_000;

export function certificatesCheck(ends: readonly CertificateEnd[], nowMs: number): DoctorCheck {
  const name = "certificates";
  if (ends.length === 0) return sound(name, "no certificate is configured");
  const action = 'put a renewed certificate in its place, then say "config reload"';
  const late = ends.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs - nowMs < SOON_MS);
  const words = late.map(({ key, endsAtMs }) =>
    endsAtMs === null
      ? `${key} names a file without a certificate that can be read`
      : `${key} ${endsAtMs <= nowMs ? "ended" : "ends"} ${isoUtc(endsAtMs)}`,
  );
  if (late.some(({ endsAtMs }) => endsAtMs === null || endsAtMs <= nowMs))
    return fails(name, words.join("; "), action);
  if (late.length > 0) return warns(name, words.join("; "), action);
  const first = Math.min(...ends.map(({ endsAtMs }) => endsAtMs ?? Number.POSITIVE_INFINITY));
  return sound(name, `${ends.length} configured, the first ends ${isoUtc(first)}`);
}

/** Our own address while no server runs: `fault` says why it cannot be listened on; null where it can. */
export function addressCheck(address: string, fault: string | null): DoctorCheck {
  const name = "address";
  if (fault === null) return sound(name, `${address} is free`);
  return fails(
    name,
    `${address} cannot be listened on: ${fault}`,
    "end the program that has it, or name another server.listen",
  );
}
