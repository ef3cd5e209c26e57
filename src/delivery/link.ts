import type { ConnectionConfig } from "../config/config.ts";
import type { Connection, ConnectionProfile } from "../smpp/connection.ts";
import type { Pace } from "../smpp/pace.ts";
import type { Attempt } from "./attempt.ts";
import type { Submission } from "./submissions.ts";

/** One `submit_sm` of an attempt. */
export type Outgoing = { readonly attempt: Attempt; readonly submission: Submission };

/** A connection that messages leave by, with what is about to leave. */
export type Link = {
  readonly config: ConnectionConfig;
  readonly connection: Connection;
  readonly pace: Pace;
  /** Claimed and committed, not yet written, in order; the parts of a message stand together. */
  readonly outbox: Outgoing[];
  /** Segments of messages whose claim is being committed. */
  claiming: number;
  isBound: boolean;
};

/** How many more segments may be claimed for a link: what window and pace leave, less what is on its way there. */
export function roomOf(link: Link, nowMs: number): number {
  if (!link.isBound) return 0;
  const free = Math.min(link.connection.freeSlots(), link.pace.available(nowMs));
  return free - link.outbox.length - link.claiming;
}

/** What a connection needs to know of its configuration; `readCa` gives the PEM text of a file, null for none. */
export function connectionProfile(
  config: ConnectionConfig,
  readCa: (file: string) => string | null,
): ConnectionProfile {
  return {
    host: config.host,
    port: config.port,
    tls: config.tls
      ? { ca: readCa(config.tls_ca_file), serverName: config.tls_server_name || config.host }
      : null,
    bind: config.bind,
    systemId: config.system_id,
    password: config.password,
    systemType: config.system_type,
    interfaceVersion: config.interface_version === "3.3" ? 0x33 : 0x34,
    addressRange: config.address_range,
    window: config.window,
    responseTimeoutMs: config.response_timeout_seconds * 1000,
    reconnectMs: config.reconnect_seconds * 1000,
    enquireLinkMs: config.enquire_link_seconds * 1000,
  };
}
