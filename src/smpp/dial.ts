/** Opens the socket to an operator, plain or TLS. The only file that opens carrier sockets. */

import type { Clock } from "../core/clock.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type ConnectionProfile, tlsOptions } from "./connection-profile.ts";
import { socketFault } from "./link-faults.ts";

/** The socket of one attempt. Until it is there, and once it is gone, nothing happens to it. */
export type SmppSocket = {
  /** How many octets were taken; 0 or less for none. */
  readonly write: (octets: Uint8Array) => number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Closes it, for good after a second; an attempt that is under way is given up. */
  readonly hangUp: () => void;
};

export type DialEvents = {
  /** PDUs may be written; with TLS the operator has shown who it is. */
  readonly connected: () => void;
  readonly data: (chunk: Uint8Array) => void;
  /** There is room for more octets. */
  readonly drain: () => void;
  /** No connection came about. */
  readonly failed: (reason: Phrase) => void;
  /** The other side closed the connection, or it broke. */
  readonly hungUp: (reason: Phrase) => void;
};

const CONNECT_TIMEOUT_MS = 10_000;
const LINGER_MS = 1_000;

/** Opens the socket of one attempt. */
export type Dial = (profile: ConnectionProfile, clock: Clock, on: DialEvents) => SmppSocket;

/** Over the machine's network. */
export const systemDial: Dial = (profile, clock, on) => {
  let socket: Bun.Socket<undefined> | null = null;
  let isGivenUp = false;
  const cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () =>
    on.failed(
      phrase("link.no_answer_in_time", {
        host: profile.host,
        seconds: CONNECT_TIMEOUT_MS / 1000,
      }),
    ),
  );
  const connected = (): void => {
    cancelTimeout();
    on.connected();
  };
  const failed = (error: unknown): void => {
    cancelTimeout();
    on.failed(socketFault(error, profile));
  };
  Bun.connect<undefined>({
    hostname: profile.host,
    port: profile.port,
    ...(profile.tls && { tls: tlsOptions(profile.tls) }),
    socket: {
      open: (opened) => {
        socket = opened;
        if (isGivenUp) opened.terminate();
        else if (!profile.tls) connected();
      },
      handshake: (_socket, success, fault) => {
        if (!profile.tls) return;
        if (success && fault === null) connected();
        else failed(fault ?? new Error("the TLS handshake failed"));
      },
      data: (_socket, chunk) => on.data(chunk),
      drain: () => on.drain(),
      end: () => on.hungUp(phrase("link.closed_by_operator")),
      close: () => on.hungUp(phrase("link.closed")),
      error: (_socket, error) => on.hungUp(socketFault(error, profile)),
    },
  }).catch(failed);

  return {
    write: (octets) => socket?.write(octets) ?? 0,
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    hangUp: () => {
      isGivenUp = true;
      cancelTimeout();
      socket?.end();
      if (socket !== null) clock.after(LINGER_MS, () => socket?.terminate());
    },
  };
};
