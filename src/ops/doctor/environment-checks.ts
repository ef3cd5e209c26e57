/** Checks of the host: open files, memory, clock synchronisation, the service; and of what is reached over the network. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Code, ParamsOf, Phrase } from "../../i18n/phrase.ts";
import { hasText } from "../../i18n/text.ts";
import { type CertificateEnd, firstEndMs, lateCertificates, renderEnd } from "../certificates.ts";
import { megabytes } from "../disk-monitor.ts";
import { layoutBelow } from "../install/layout.ts";

/** The unit asks for 65,536; a connection, a log and a few threads are all below this, and a burst of clients is not. */
const FEW_FILES = 8192;

/** `openFiles`: how many files the process may open; null where the system does not tell. */
export function limitsCheck(openFiles: number | null): DoctorCheck {
  if (openFiles === null) return sound("doctor.limits.unknown");
  if (openFiles < FEW_FILES) return warns("doctor.limits.few", { files: openFiles });
  return sound("doctor.limits", { files: openFiles });
}

const LITTLE_MEMORY = 256 * 1024 * 1024;
const NO_MEMORY = 64 * 1024 * 1024;

/** `availableBytes`: what new work may take without swapping; null where the system does not tell. */
export function memoryCheck(availableBytes: number | null): DoctorCheck {
  if (availableBytes === null) return sound("doctor.memory.unknown");
  const free = { megabytes: megabytes(availableBytes) };
  if (availableBytes < NO_MEMORY) return fails("doctor.memory.none", free);
  if (availableBytes < LITTLE_MEMORY) return warns("doctor.memory.little", free);
  return sound("doctor.memory", free);
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
  if (doubt !== null) return fails("doctor.clock.doubted", { why: doubt });
  if (markMs !== null && nowMs < markMs) return fails("doctor.clock.behind", { now: nowMs, stored: markMs });
  if (markMs !== null && nowMs - markMs > LONG_AFTER_MS) return fails("doctor.clock.ahead", { now: nowMs });
  if (isKept === false) return warns("doctor.clock.unkept");
  return sound("doctor.clock", { now: nowMs });
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
  if (!hasSystemd) return sound("doctor.service.no_systemd");
  if (unit === null) return warns("doctor.service.none");
  if (enabled !== null && enabled !== "enabled") return warns("doctor.service.disabled", { unit, enabled });
  if (!isRunning) return warns("doctor.service.stopped", { unit });
  return sound("doctor.service", { unit });
}

// Facts read from the system now; null for what it does not tell.

/** How many files this process may open (proc(5), limits). */
export function readOpenFilesLimit(limits: string | null): number | null {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? "")?.[1];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft);
}

export function ownOpenFiles(): number | null {
  return readOpenFilesLimit(textOf("/proc/self/limits"));
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
export function isClockSynchronised(): boolean | null {
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

/** The codes of findings: behind `doctor.` stands the part that it is of. */
type FindingCode = Extract<Code, `doctor.${string}`>;

/** A finding, and what it is filled in with. */
type Found<C extends FindingCode> = [code: C, ...params: ParamsOf<C>];

export function sound<C extends FindingCode>(...found: Found<C>): DoctorCheck {
  return { ...toCheck("ok", found), action: null };
}

export function warns<C extends FindingCode>(...found: Found<C>): DoctorCheck {
  return toCheck("warning", found);
}

export function fails<C extends FindingCode>(...found: Found<C>): DoctorCheck {
  return toCheck("error", found);
}

function toCheck<C extends FindingCode>(
  status: DoctorCheck["status"],
  [code, ...[params]]: Found<C>,
): DoctorCheck {
  const [, ...finding] = code.split(".");
  const action = actionFor(finding);
  const about = (key: string): Phrase => ({ code: key, params }) as Phrase;
  return {
    name: about(`doctor.part.${finding[0]}`),
    status,
    detail: about(code),
    action: action === null ? null : about(action),
  };
}

/** What to do about a finding, or about all of what it is a case of; null where no text says it. */
function actionFor(finding: readonly string[]): string | null {
  if (finding.length === 0) return null;
  const action = `doctor.action.${finding.join(".")}`;
  return hasText(action) ? action : actionFor(finding.slice(0, -1));
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
  const up = connections.filter(({ isUp }) => isUp).length;
  const counts = { operator, up, all: connections.length };
  const pause = connections.find((one) => one.pause !== null)?.pause ?? null;
  const why = connections.find(({ isUp, lastError }) => !isUp && lastError !== null)?.lastError ?? null;
  const judge = up === 0 ? fails : up < connections.length ? warns : sound;
  if (up > 0 && pause !== null) return warns("doctor.operator.paused", { ...counts, reason: pause });
  return why === null
    ? judge(`doctor.operator.${how}`, counts)
    : judge(`doctor.operator.${how}.but`, { ...counts, why });
}

/** The names of endpoints' hosts, each with whether it resolves. */
export function resolverCheck(hosts: ReadonlyMap<string, boolean>): DoctorCheck {
  const unknown = [...hosts].flatMap(([host, isKnown]) => (isKnown ? [] : [host]));
  if (hosts.size === 0) return sound("doctor.resolver.none");
  if (unknown.length === 0) return sound("doctor.resolver", { names: hosts.size });
  const counts = { unknown: unknown.length, names: hosts.size, hosts: unknown.join(", ") };
  return unknown.length === hosts.size
    ? fails("doctor.resolver.unknown.all", counts)
    : warns("doctor.resolver.unknown", counts);
}

export function certificatesCheck(ends: readonly CertificateEnd[], nowMs: number): DoctorCheck {
  if (ends.length === 0) return sound("doctor.certificates.none");
  const late = lateCertificates(ends, nowMs);
  const parts = late.map((each) => renderEnd(each, nowMs));
  if (late.some(({ endsAtMs }) => endsAtMs === null || endsAtMs <= nowMs))
    return fails("doctor.certificates.over", { parts });
  if (late.length > 0) return warns("doctor.certificates.ending", { parts });
  return sound("doctor.certificates", { certificates: ends.length, first: firstEndMs(ends) });
}

/** Our own address while no server runs: `fault` says why it cannot be listened on; null where it can. */
export function addressCheck(address: string, fault: string | null): DoctorCheck {
  if (fault === null) return sound("doctor.address", { address });
  return fails("doctor.address.taken", { address, why: fault });
}
