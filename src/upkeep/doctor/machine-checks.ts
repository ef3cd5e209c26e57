/** The machine that it runs on: open files, memory, what keeps the clock, the service. */
import { isoUtc } from "../../base/clock.ts";
import { megabytes } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** The unit asks for 65,536; a connection, a log and a few threads are all below this, and a burst of clients is not. */
const FEW_FILES = 8192;

/** `openFiles`: what the process may open; null where the machine does not tell. */
export function limitsCheck(openFiles: number | null): DoctorCheck {
  const name = "limits";
  if (openFiles === null) return sound(name, "this machine does not tell how many files may be open");
  if (openFiles < FEW_FILES)
    return warns(
      name,
      `${openFiles} files may be open: each connection of a client is one`,
      "set LimitNOFILE=65536 in the unit, or ulimit -n 65536 before the start",
    );
  return sound(name, `${openFiles} files may be open`);
}

const LITTLE_MEMORY = 256 * 1024 * 1024;
const NO_MEMORY = 64 * 1024 * 1024;

/** `availableBytes`: what new work may take without swapping; null where the machine does not tell. */
export function memoryCheck(availableBytes: number | null): DoctorCheck {
  const name = "memory";
  if (availableBytes === null) return sound(name, "this machine does not tell how much memory is free");
  const free = `${megabytes(availableBytes)} MB of memory are available`;
  const action = "give the machine more memory, or move other programs away";
  if (availableBytes < NO_MEMORY)
    return fails(name, `${free}: the system may end the server any moment`, action);
  if (availableBytes < LITTLE_MEMORY)
    return warns(name, `${free}: a large submission takes some hundred`, action);
  return sound(name, free);
}

export type ClockFacts = {
  readonly nowMs: number;
  /** The time that the appliance last believed; null where it never ran. */
  readonly markMs: number | null;
  /** Why the running server does not believe the clock, in words; null where it does or none runs. */
  readonly doubt: string | null;
  /** Whether something sets the machine's clock by others; null where nobody can tell. */
  readonly isKept: boolean | null;
};

/** Times are of the appliance's own start rule: behind what is stored, or long after it, is not believed. */
const LONG_AFTER_MS = 400 * 24 * 3_600_000;

export function clockCheck({ nowMs, markMs, doubt, isKept }: ClockFacts): DoctorCheck {
  const name = "clock";
  const action = 'set the clock right, or say "clock accept" if what it says is right';
  if (doubt !== null) return fails(name, doubt, action);
  if (markMs !== null && nowMs < markMs)
    return fails(
      name,
      `the clock says ${isoUtc(nowMs)}, which is before the newest time that is stored (${isoUtc(markMs)})`,
      action,
    );
  if (markMs !== null && nowMs - markMs > LONG_AFTER_MS)
    return fails(
      name,
      `the clock says ${isoUtc(nowMs)}, more than 400 days after the newest time that is stored`,
      action,
    );
  if (isKept === false)
    return warns(
      name,
      "nothing is seen that sets the machine's clock by others",
      "let systemd-timesyncd or chrony keep it",
    );
  return sound(name, `the clock says ${isoUtc(nowMs)}`);
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
  const name = "service";
  if (!hasSystemd)
    return sound(name, "systemd does not run this machine: whoever starts the server keeps it");
  if (unit === null)
    return warns(name, "no service of systemd starts the server", "sudo bendre install makes one");
  if (enabled !== null && enabled !== "enabled")
    return warns(
      name,
      `${unit} is ${enabled}: the server does not start with the machine`,
      "sudo systemctl enable bendre",
    );
  if (!isRunning)
    return warns(
      name,
      `${unit} is there, and no server answers`,
      "sudo systemctl start bendre; journalctl -u bendre says why it ended",
    );
  return sound(name, `${unit} starts it with the machine`);
}
