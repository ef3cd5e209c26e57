/** The machine that it runs on: open files, memory, what keeps the clock, the service. */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { megabytes } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** The unit asks for 65,536; a connection, a log and a few threads are all below this, and a burst of clients is not. */
const FEW_FILES = 8192;

/** `openFiles`: what the process may open; null where the machine does not tell. */
export function limitsCheck(openFiles: number | null): DoctorCheck {
  const name = phrase("doctor.part.limits");
  if (openFiles === null) return sound(name, phrase("doctor.limits.unknown"));
  if (openFiles < FEW_FILES)
    return warns(name, phrase("doctor.limits.few", { files: openFiles }), phrase("doctor.limits.few.action"));
  return sound(name, phrase("doctor.limits", { files: openFiles }));
}

const LITTLE_MEMORY = 256 * 1024 * 1024;
const NO_MEMORY = 64 * 1024 * 1024;

/** `availableBytes`: what new work may take without swapping; null where the machine does not tell. */
export function memoryCheck(availableBytes: number | null): DoctorCheck {
  const name = phrase("doctor.part.memory");
  if (availableBytes === null) return sound(name, phrase("doctor.memory.unknown"));
  const free = { megabytes: megabytes(availableBytes) };
  const action = phrase("doctor.memory.action");
  if (availableBytes < NO_MEMORY) return fails(name, phrase("doctor.memory.none", free), action);
  if (availableBytes < LITTLE_MEMORY) return warns(name, phrase("doctor.memory.little", free), action);
  return sound(name, phrase("doctor.memory", free));
}

export type ClockFacts = {
  readonly nowMs: number;
  /** The time that the appliance last believed; null where it never ran. */
  readonly markMs: number | null;
  /** Why the running server does not believe the clock; null where it does or none runs. */
  readonly doubt: Phrase | null;
  /** Whether something sets the machine's clock by others; null where nobody can tell. */
  readonly isKept: boolean | null;
};

/** Times are of the appliance's own start rule: behind what is stored, or long after it, is not believed. */
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

export type ServiceFacts = {
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
