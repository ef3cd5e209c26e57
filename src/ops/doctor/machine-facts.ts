/** What the machine tells of itself, read at this moment. Whatever it does not tell is null. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { layoutBelow } from "../install/layout.ts";
import type { ServiceFacts } from "./machine-checks.ts";

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

/** Traces of those that keep a machine's clock: systemd-timesyncd, chrony, ntpd. */
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
