import type { ConnectionConfig } from "../config/config.ts";
import type { Connection } from "../smpp/connection.ts";
import type { ConnectionProfile } from "../smpp/connection-profile.ts";
import type { ConnectionStatus } from "../smpp/connection-status.ts";
import type { Pace } from "../smpp/pace.ts";
import type { AnswerMeaning } from "./answer.ts";
import { type Attempt, endSubmission } from "./attempt.ts";
import type { LinkTally } from "./link-tally.ts";
import type { Submission } from "./submissions.ts";

/** One `submit_sm` of an attempt. */
export type Outgoing = { readonly attempt: Attempt; readonly submission: Submission };

/** A connection that messages leave by, with what is about to leave. */
export type Link = {
  /** Its place in the operator's list of connections, from 1. */
  readonly number: number;
  readonly config: ConnectionConfig;
  readonly connection: Connection;
  readonly pace: Pace;
  /** Claimed and committed, not yet written, in order; the parts of a message stand together. */
  readonly outbox: Outgoing[];
  /** Segments of messages whose claim is being committed. */
  claiming: number;
  isBound: boolean;
  /** Temporary errors of messages since the last other answer. */
  temporaryInRow: number;
  readonly tally: LinkTally;
};

/** A connection as it stands, with what happened on it and its pace in `submit_sm` a second. */
export type LinkStatus = ConnectionStatus & {
  readonly tally: Readonly<LinkTally>;
  /** What the configuration allows, what is granted after the operator's complaints, and what left in the last second. */
  readonly throughput: number;
  readonly granted: number;
  readonly lastSecond: number;
};

export function statusOf(link: Link, steadyMs: number): LinkStatus {
  return {
    ...link.connection.status(),
    tally: link.tally,
    throughput: link.config.throughput,
    granted: link.pace.grantedPerSecond(steadyMs),
    lastSecond: link.pace.lastSecond(steadyMs),
  };
}

/** So many messages put off one after the other, and none accepted or refused in between: the operator is unwell. */
const TEMPORARY_OF_AN_UNWELL_OPERATOR = 10;

/**
 * What an answer means for its link: counted, and the pace slowed where the operator asks for it, or puts off message
 * after message. The submit left at `sentAtMs`, on the steady clock like now.
 */
export function noteAnswer(link: Link, means: AnswerMeaning, sentAtMs: number, nowMs: number): void {
  const { tally, pace } = link;
  if (means.kind !== "retry") {
    link.temporaryInRow = 0;
    tally[means.kind] += 1;
    return;
  }
  tally[means.slowLink ? "throttled" : "postponed"] += 1;
  link.temporaryInRow = means.slowLink ? 0 : link.temporaryInRow + 1;
  if (!means.slowLink && link.temporaryInRow < TEMPORARY_OF_AN_UNWELL_OPERATOR) return;
  pace.throttled(nowMs, sentAtMs);
}

/** A refused message's other segments are not sent any more. */
export function dropFromOutbox({ outbox }: Link, refused: Attempt): void {
  const kept = outbox.filter(({ attempt }) => attempt !== refused);
  const dropped = outbox.length - kept.length;
  outbox.splice(0, Number.POSITIVE_INFINITY, ...kept);
  for (let each = 0; each < dropped; each++) endSubmission(refused, { kind: "not_written" });
}

/** How many more segments may be claimed for a link: what window and pace leave, less what is on its way there. */
export function roomOf(link: Link, nowMs: number): number {
  if (!link.isBound) return 0;
  const free = Math.min(link.connection.freeSlots(), link.pace.available(nowMs));
  return free - link.outbox.length - link.claiming;
}

/** What a connection needs to know of its configuration; `readPem` gives the PEM text of a file, null for none. */
export function connectionProfile(
  config: ConnectionConfig,
  readPem: (file: string) => string | null,
): ConnectionProfile {
  const certificate = readPem(config.tls_certificate);
  const key = readPem(config.tls_key);
  return {
    host: config.host,
    port: config.port,
    tls: config.tls
      ? {
          ca: readPem(config.tls_ca_file),
          serverName: config.tls_server_name || config.host,
          client: certificate !== null && key !== null ? { certificate, key } : null,
        }
      : null,
    bind: config.bind,
    systemId: config.system_id,
    password: config.password,
    systemType: config.system_type,
    interfaceVersion: config.interface_version === "3.3" ? 0x33 : 0x34,
    addrTon: config.address_ton,
    addrNpi: config.address_npi,
    addressRange: config.address_range,
    window: config.window,
    responseTimeoutMs: config.response_timeout_seconds * 1000,
    reconnectMs: config.reconnect_seconds * 1000,
    enquireLinkMs: config.enquire_link_seconds * 1000,
  };
}
