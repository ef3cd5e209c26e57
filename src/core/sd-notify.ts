/** Notifies the service manager that started the process, systemd above all: sd_notify(3), sd_watchdog_enabled(3). */

import { dlopen, ptr } from "bun:ffi";
import type { Clock } from "./clock.ts";
import { errorText, type Log } from "./log.ts";

export type ServiceManager = {
  /** Everything was started; from here on it is notified that the event loop turns, as often as it asked for. */
  readonly ready: () => void;
  /** The configuration is read again; `reloaded` follows. */
  readonly reloading: () => void;
  readonly reloaded: () => void;
  readonly stopping: () => void;
};

type ServiceManagerDeps = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly send: SendDatagram;
};

/** Notifies the socket that `NOTIFY_SOCKET` names; none, where it is not set. A failure is logged once, and changes nothing. */
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

/** Half of the watchdog's time; null where there is no watchdog, or it is another process's. */
function watchdogMs(env: ServiceManagerDeps["env"], pid: number): number | null {
  const microseconds = Number(env.WATCHDOG_USEC);
  if (!Number.isInteger(microseconds) || microseconds <= 0) return null;
  if (env.WATCHDOG_PID !== undefined && env.WATCHDOG_PID !== String(pid)) return null;
  return Math.max(1, Math.floor(microseconds / 2000));
}

// Sends a datagram to a Unix socket, which the runtime has no call for: the C library's own are called. It is there wherever the
// executable runs, which is linked to it.

/** Sends one datagram to a path, or to a name of Linux's own that begins with `@`. @throws when it cannot be sent. */
type SendDatagram = (to: string, text: string) => void;

const AF_UNIX = 1;
/** SOCK_DGRAM, closed in processes that this one starts (SOCK_CLOEXEC). */
const KIND = 0o2_000_002;
/** Neither waits (MSG_DONTWAIT) nor raises SIGPIPE (MSG_NOSIGNAL). */
const FLAGS = 0x40 | 0x4000;
/** What sun_path holds (unix(7)). */
const MAX_OCTETS = 108;

const CALLS = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
} as const;

/** glibc, or musl on x64 and arm64. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

export const sendDatagram: SendDatagram = (to, text) => {
  const address = addressOf(to);
  const octets = Buffer.from(text);
  const { socket, sendto, close } = library();
  const descriptor = socket(AF_UNIX, KIND, 0);
  if (descriptor < 0) throw new Error("no socket could be made");
  try {
    const sent = sendto(descriptor, ptr(octets), octets.length, FLAGS, ptr(address), address.length);
    if (Number(sent) !== octets.length) throw new Error(`nobody takes datagrams at ${to}`);
  } finally {
    close(descriptor);
  }
};

/** A sockaddr_un: the family as the machine writes it, and the path with its end, or the name without one. */
function addressOf(to: string): Buffer {
  const name = Buffer.from(to.startsWith("@") ? `\0${to.slice(1)}` : `${to}\0`);
  if (name.length > MAX_OCTETS) throw new Error(`${to} is too long for the name of a socket`);
  const address = Buffer.alloc(2 + name.length);
  address.writeUInt16LE(AF_UNIX, 0);
  name.copy(address, 2);
  return address;
}

let opened: ReturnType<typeof open> | null = null;

function library() {
  opened ??= open();
  return opened.symbols;
}

function open() {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, CALLS);
    } catch {
      // Another C library: the next name.
    }
  }
  throw new Error(`none of ${LIBRARIES.join(", ")} is there`);
}
