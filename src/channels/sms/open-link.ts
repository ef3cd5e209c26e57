import { type ConnectionConfig, smscAccount } from "../../config/config.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { gatheredLog } from "../../core/gathered-log.ts";
import { type Log, withFields } from "../../core/log.ts";
import type { OwnedWork } from "../../dispatch/owned-work.ts";
import { createPace } from "../../dispatch/pace.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { InboundRules } from "../../domain/inbound/inbound.ts";
import { openConnection } from "../../smpp/connection.ts";
import type { ConnectionProfile } from "../../smpp/connection-profile.ts";
import type { Dial } from "../../smpp/dial.ts";
import type { MessageEvents } from "../../smpp/link-events.ts";
import type { FlightEnds } from "./flight-ends.ts";
import { incomingFrom } from "./incoming.ts";
import { countReceipt, type Link, newTally } from "./link.ts";
import { linkSteps } from "./link-steps.ts";
import type { ReceiptMemory } from "./receipt-habit.ts";

export type OpenLinkDeps = {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** The PEM text of a file that the connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
  readonly code: string;
  readonly recorder: Recorder;
  readonly inbound: InboundRules;
  readonly memory: ReceiptMemory;
  readonly ends: FlightEnds;
  readonly work: OwnedWork;
  /** The link may take more. */
  readonly onRoom: () => void;
  /** The link is gone: what is in its outbox can't leave by it. */
  readonly onLost: (link: Link) => void;
};

/** Opens a connection of an operator, by its name and its place in the operator's list from 1. */
export function openLink(
  deps: OpenLinkDeps,
  config: ConnectionConfig,
  { name, number }: Pick<Link, "name" | "number">,
): Link {
  const { code: operator, recorder, inbound, memory, dial, clock, chance, work } = deps;
  const tally = newTally();
  const connection = () => link.number;
  const log = withFields(deps.log, () => ({ connection: connection() }));
  const gathered = gatheredLog(log, clock);
  const incoming = incomingFrom({
    operator,
    connection,
    inbound,
    memory,
    recorder,
    clock,
    gathered,
    account: smscAccount(config),
    setting: () => link.config.unmarked_receipts,
    work,
    count: (outcome) => countReceipt(tally, outcome),
  });
  const profile = connectionProfile(config, deps.readPem);
  const steps = log.steps ? linkSteps(log.steps, () => ({ operator, connection: connection() })) : null;
  const link: Link = {
    name,
    number,
    config,
    tally,
    gathered,
    outbox: [],
    claiming: 0,
    putOff: new Set(),
    steps,
    isBound: false,
    isLeaving: false,
    pause: null,
    refusing: null,
    pace: createPace(config.throughput),
    connection: openConnection({
      profile,
      dial,
      clock,
      chance,
      log,
      on: {
        seen: steps?.seen,
        bound: () => {
          link.isBound = true;
          deps.onRoom();
        },
        resumed: deps.onRoom,
        unbound: () => {
          link.isBound = false;
          deps.onLost(link);
        },
        ...submitEvents(deps),
        deliver: incoming,
      },
    }),
  };
  return link;
}

function submitEvents({ ends, work: { own } }: OpenLinkDeps): Omit<MessageEvents, "deliver" | "seen"> {
  return {
    response: ends.answered,
    lateResponse: (response) => own(ends.answeredLate(response)),
    unanswered: (refs) => {
      for (const ref of refs) own(ends.unanswered(ref));
    },
    unsent: (refs) => {
      for (const ref of refs) own(ends.unsent(ref));
    },
  };
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
