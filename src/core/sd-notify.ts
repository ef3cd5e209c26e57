/** What the service manager that started the process is told, systemd above all: sd_notify(3), sd_watchdog_enabled(3). */
import type { Clock } from "./clock.ts";
import { errorText, type Log } from "./log.ts";
import type { SendDatagram } from "./unix-datagram.ts";

export type ServiceManager = {
  /** Everything was started; from here on it hears that the event loop turns, as often as it asked for. */
  readonly ready: () => void;
  /** The configuration is read again; `reloaded` follows. */
  readonly reloading: () => void;
  readonly reloaded: () => void;
  readonly stopping: () => void;
};

export type ServiceManagerDeps = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly send: SendDatagram;
};

/** Tells whoever `NOTIFY_SOCKET` names; nobody, where it is not set. What cannot be told is logged once, and changes nothing. */
export function serviceManager({ env, pid, clock, log, send }: ServiceManagerDeps): ServiceManager {
  const socket = env.NOTIFY_SOCKET ?? "";
  let isDumb = socket === "";
  let isStopping = false;
  const tell = (...lines: readonly string[]): void => {
    if (isDumb) return;
    try {
      send(socket, lines.join("\n"));
    } catch (error) {
      isDumb = true;
      log.error("the service manager cannot be told", { socket, error: errorText(error) });
    }
  };
  const everyMs = isDumb ? null : watchdogMs(env, pid);
  const beat = (): void => {
    if (everyMs === null || isStopping) return;
    tell("WATCHDOG=1");
    clock.after(everyMs, beat);
  };
  return {
    ready: () => {
      tell("READY=1", "STATUS=ready");
      beat();
    },
    reloading: () => tell("RELOADING=1", "STATUS=reading the configuration again"),
    reloaded: () => {
      if (!isStopping) tell("READY=1", "STATUS=ready");
    },
    stopping: () => {
      isStopping = true;
      tell("STOPPING=1", "STATUS=stopping");
    },
  };
}

/** Half of what it waits for a sign of life; null where it waits for none, or for another process's. */
function watchdogMs(env: ServiceManagerDeps["env"], pid: number): number | null {
  const microseconds = Number(env.WATCHDOG_USEC);
  if (!Number.isInteger(microseconds) || microseconds <= 0) return null;
  if (env.WATCHDOG_PID !== undefined && env.WATCHDOG_PID !== String(pid)) return null;
  return Math.max(1, Math.floor(microseconds / 2000));
}
