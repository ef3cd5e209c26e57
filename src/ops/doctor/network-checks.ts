/** What is reached over the network: operators, the names of endpoints, our own address. And certificates, which open the way. */

import { type Phrase, phrase } from "../../i18n/phrase.ts";
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
  const name = phrase("doctor.part.operator", { operator });
  const up = connections.filter(({ isUp }) => isUp).length;
  const counts = { up, all: connections.length };
  const pause = connections.find((one) => one.pause !== null)?.pause ?? null;
  const why = connections.find(({ isUp, lastError }) => !isUp && lastError !== null)?.lastError ?? null;
  const detail =
    why === null
      ? phrase(how === "bound" ? "doctor.operator.bound" : "doctor.operator.reachable", counts)
      : phrase(how === "bound" ? "doctor.operator.bound_but" : "doctor.operator.reachable_but", {
          ...counts,
          why,
        });
  const look =
    how === "bound" ? phrase("doctor.operator.bound.action") : phrase("doctor.operator.reachable.action");
  if (up === 0) return fails(name, detail, look);
  if (pause !== null)
    return warns(
      name,
      phrase("doctor.operator.paused", { ...counts, reason: pause }),
      phrase("doctor.operator.paused.action", { code: operator }),
    );
  if (up < connections.length) return warns(name, detail, look);
  return sound(name, detail);
}

/** The names of endpoints' hosts, each with whether it resolves. */
export function resolverCheck(hosts: ReadonlyMap<string, boolean>): DoctorCheck {
  const name = phrase("doctor.part.webhook_resolver");
  const unknown = [...hosts].flatMap(([host, isKnown]) => (isKnown ? [] : [host]));
  if (hosts.size === 0) return sound(name, phrase("doctor.resolver.none"));
  if (unknown.length === 0) return sound(name, phrase("doctor.resolver", { names: hosts.size }));
  const detail = phrase("doctor.resolver.unknown", {
    unknown: unknown.length,
    names: hosts.size,
    hosts: unknown.join(", "),
  });
  if (unknown.length === hosts.size) return fails(name, detail, phrase("doctor.resolver.all.action"));
  return warns(name, detail, phrase("doctor.resolver.some.action"));
}

const SOON_MS = 14 * 24 * 3_600_000;

export function certificatesCheck(ends: readonly CertificateEnd[], nowMs: number): DoctorCheck {
  const name = phrase("doctor.part.certificates");
  if (ends.length === 0) return sound(name, phrase("doctor.certificates.none"));
  const action = phrase("doctor.certificates.action");
  const late = ends.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs - nowMs < SOON_MS);
  const parts = late.map(({ key, endsAtMs }) =>
    endsAtMs === null
      ? phrase("doctor.certificates.unreadable", { key })
      : phrase(endsAtMs <= nowMs ? "doctor.certificates.ended" : "doctor.certificates.ends", {
          key,
          at: endsAtMs,
        }),
  );
  if (late.some(({ endsAtMs }) => endsAtMs === null || endsAtMs <= nowMs))
    return fails(name, phrase("parts", { parts }), action);
  if (late.length > 0) return warns(name, phrase("parts", { parts }), action);
  const first = Math.min(...ends.map(({ endsAtMs }) => endsAtMs ?? Number.POSITIVE_INFINITY));
  return sound(name, phrase("doctor.certificates", { certificates: ends.length, first }));
}

/** Our own address while no server runs: `fault` says why it cannot be listened on; null where it can. */
export function addressCheck(address: string, fault: string | null): DoctorCheck {
  const name = phrase("doctor.part.address");
  if (fault === null) return sound(name, phrase("doctor.address", { address }));
  return fails(
    name,
    phrase("doctor.address.taken", { address, why: fault }),
    phrase("doctor.address.taken.action"),
  );
}
