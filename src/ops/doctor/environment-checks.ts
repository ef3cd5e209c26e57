/** Checks of the host: open files, memory, clock synchronisation, the service; and of what is reached over the network. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { CertificateEnd } from "../certificates.ts";
import { megabytes } from "../disk-monitor.ts";
import { layoutBelow } from "../install/layout.ts";

/** The unit asks for 65,536; a connection, a log and a few threads are all below this, and a burst of clients is not. */
const FEW_FILES = 8192;

/** `openFiles`: how many files the process may open; null where the system does not tell. */
export function limitsCheck(openFiles: number | null): DoctorCheck {
  const name = phrase("doctor.part.limits");
  if (openFiles === null) return sound(name, phrase("doctor.limits.unknown"));
  if (openFiles < FEW_FILES)
    return warns(name, phrase("doctor.limits.few", { files: openFiles }), phrase("doctor.limits.few.action"));
  return sound(name, phrase("doctor.limits", { files: openFiles }));
}

const LITTLE_MEMORY = 256 * 1024 * 1024;
const NO_MEMORY = 64 * 1024 * 1024;

/** `availableBytes`: what new work may take without swapping; null where the system does not tell. */
export function memoryCheck(availableBytes: number | null): DoctorCheck {
  const name = phrase("doctor.part.memory");
  if (availableBytes === null) return sound(name, phrase("doctor.memory.unknown"));
  const free = { megabytes: megabytes(availableBytes) };
  const action = phrase("doctor.memory.action");
  if (availableBytes < NO_MEMORY) return fails(name, phrase("doctor.memory.none", free), action);
  if (availableBytes < LITTLE_MEMORY) return warns(name, phrase("doctor.memory.little", free), action);
  return sound(name, phrase("doctor.memory", free));
}

type ClockFacts = {
  readonly nowMs: number;
  /** The time that the appliance last trusted; null where it never ran. */
  readonly markMs: number | null;
  /** Why the running server's clock is untrusted; null where it is trusted or none runs. */
  readonly doubt: Phrase | null;
  /** Whether something synchronises the host's clock; null where unknown. */
  readonly isKept: boolean | null;
};

/** The start rule of the clock: a time before the stored one, or so long after it, is untrusted. */
const LONG_AFTER_MS = 400 * 24 * 3_600_000;

export function clockCheck({ nowMs, markMs, doubt, isKept }: ClockFacts): DoctorCheck {
  const name = phrase("doctor.part.clock");
  const action = phrase("doctor.clock.action");
  if (doubt !== null) return fails(name, doubt, action);
  if (markMs !== null && nowMs < markMs)
    return fails(name, phrase("doctor.clock.behind", { now: nowMs, stored: markMs }), action);
  if (markMs !== null && nowMs - markMs > LONG_AFTER_MS)
    return fails(name, phrase("doctor.clock.ahead", { now: nowMs }), action);
  if (isKept === false)
    return warns(name, phrase("doctor.clock.unkept"), phrase("doctor.clock.unkept.action"));
  return sound(name, phrase("doctor.clock", { now: nowMs }));
}

type ServiceFacts = {
  readonly hasSystemd: boolean;
  /** Where a unit of ours lies; null where there is none. */
  readonly unit: string | null;
  /** What `systemctl is-enabled` says; null where it could not be asked. */
  readonly enabled: string | null;
  readonly isRunning: boolean;
};

export function serviceCheck({ hasSystemd, unit, enabled, isRunning }: ServiceFacts): DoctorCheck {
  const name = phrase("doctor.part.service");
  if (!hasSystemd) return sound(name, phrase("doctor.service.no_systemd"));
  if (unit === null) return warns(name, phrase("doctor.service.none"), phrase("doctor.service.none.action"));
  if (enabled !== null && enabled !== "enabled")
    return warns(
      name,
      phrase("doctor.service.disabled", { unit, enabled }),
      phrase("doctor.service.disabled.action"),
    );
  if (!isRunning)
    return warns(name, phrase("doctor.service.stopped", { unit }), phrase("doctor.service.stopped.action"));
  return sound(name, phrase("doctor.service", { unit }));
}

// Facts read from the system now; null for what it does not tell.

/** How many files this process may open (proc(5), limits). */
export function openFilesOf(limits: string | null): number | null {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? "")?.[1];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft);
}

export function ownOpenFiles(): number | null {
  return openFilesOf(textOf("/proc/self/limits"));
}

/** Octets that new work may take without swapping (proc(5), meminfo). */
export function parseAvailableMemory(meminfo: string | null): number | null {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo ?? "")?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

export function availableMemory(): number | null {
  return parseAvailableMemory(textOf("/proc/meminfo"));
}

/** Files that show a running time service: systemd-timesyncd, chrony, ntpd. */
const KEEPERS = ["/run/systemd/timesync/synchronized", "/run/chrony", "/run/chronyd.pid", "/run/ntpd.pid"];

/** Whether something keeps the clock; null on a machine without systemd, which may be a container: its host does. */
export function isClockKept(): boolean | null {
  if (!hasSystemd()) return null;
  return KEEPERS.some((path) => existsSync(path));
}

/** The service as systemd knows it. */
export function serviceFacts(isRunning: boolean): ServiceFacts {
  const { unit, packagedUnit } = layoutBelow("/");
  const present = [unit, packagedUnit].find((path) => existsSync(path)) ?? null;
  const isAsked = hasSystemd() && present !== null;
  return { hasSystemd: hasSystemd(), unit: present, enabled: isAsked ? enabledState() : null, isRunning };
}

function enabledState(): string | null {
  const { stdout, error } = spawnSync("systemctl", ["is-enabled", "bendre.service"], { encoding: "utf8" });
  return error || stdout.trim() === "" ? null : stdout.trim();
}

function hasSystemd(): boolean {
  return existsSync("/run/systemd/system");
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * What `doctor` found of one part of the installation, and what to do about it. Checks are functions of facts; who gathers the facts
 * stands beside them. Never holds a secret: files and names, no contents (docs/administration.md#doctor).
 */
export type DoctorCheck = {
  /** What part it is of. */
  readonly name: Phrase;
  /** "warning": it works, and somebody should look. "error": it does not work, or will not when it is needed. */
  readonly status: "ok" | "warning" | "error";
  readonly detail: Phrase;
  /** What to do; null where nothing is to be done. */
  readonly action: Phrase | null;
};

export function sound(name: Phrase, detail: Phrase): DoctorCheck {
  return { name, status: "ok", detail, action: null };
}

export function warns(name: Phrase, detail: Phrase, action: Phrase): DoctorCheck {
  return { name, status: "warning", detail, action };
}

export function fails(name: Phrase, detail: Phrase, action: Phrase): DoctorCheck {
  return { name, status: "error", detail, action };
}

// Checks of what is reached over the network: operators, endpoint host names, our own address; and of certificates.

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
