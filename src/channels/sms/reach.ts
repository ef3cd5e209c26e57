import type { ConnectionConfig } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { Dial } from "../../smpp/dial.ts";
import { connectionProfile } from "./open-link.ts";

/** How a socket to an operator is opened. */
export type ProbeDial = Dial;

/**
 * Opens the socket to where a connection leads, with TLS where it is asked for, and closes it: nobody is bound, and no secret leaves.
 * Why it could not; null where it could.
 */
export function probeConnection(
  dial: ProbeDial,
  clock: Clock,
  connection: ConnectionConfig,
  readPem: (file: string) => string | null,
): Promise<Phrase | null> {
  return new Promise((resolve) => {
    const socket = dial(connectionProfile(connection, readPem), clock, {
      connected: () => {
        // First: to hang up is told as a connection that was closed.
        resolve(null);
        socket.hangUp();
      },
      data: () => {},
      drain: () => {},
      failed: resolve,
      hungUp: resolve,
    });
  });
}
