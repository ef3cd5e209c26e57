import type { BindKind } from "./command.ts";
import type { EsmeSettings } from "./esme-session.ts";
import type { SessionHistory } from "./liveness.ts";

/** What docs/administration.md#connections lets an administrator say about one connection, in the protocol's units. */
export type ConnectionProfile = {
  readonly host: string;
  readonly port: number;
  /** Null for plain TCP. */
  readonly tls: TlsProfile | null;
  readonly bind: BindKind;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** 0x33 or 0x34. */
  readonly interfaceVersion: number;
  /** Which addresses the bind serves (SMPP 3.4 sections 5.2.5 to 5.2.7): few operators look at it. */
  readonly addrTon: number;
  readonly addrNpi: number;
  readonly addressRange: string;
  readonly window: number;
  readonly responseTimeoutMs: number;
  /** First delay before the next attempt. */
  readonly reconnectMs: number;
  readonly enquireLinkMs: number;
};

/**
 * Whether a session that is bound by one profile may go on under another, which then counts for the next bind: its window and
 * times are applied at once, and who may come back with which password and certificate is asked at a bind alone.
 */
export function canApplyLive(bound: ConnectionProfile, next: ConnectionProfile): boolean {
  const fixed = ({ tls, ...profile }: ConnectionProfile) => ({
    ...profile,
    serverName: tls?.serverName ?? null,
    password: "",
    window: 0,
    responseTimeoutMs: 0,
    reconnectMs: 0,
    enquireLinkMs: 0,
  });
  return Bun.deepEquals(fixed(bound), fixed(next));
}

type TlsProfile = {
  /** PEM text of the authorities to trust; null for the system's. */
  readonly ca: string | null;
  /** What the operator's certificate must name. */
  readonly serverName: string;
  /** Our own certificate and its key, PEM texts, for an operator that asks who we are. */
  readonly client: { readonly certificate: string; readonly key: string } | null;
};

/** Said in full, so that no environment variable can switch the check off. */
export function tlsOptions({ ca, serverName, client }: TlsProfile): Bun.TLSOptions {
  return {
    rejectUnauthorized: true,
    serverName,
    ...(ca !== null && { ca }),
    ...(client !== null && { cert: client.certificate, key: client.key }),
  };
}

/** The settings of one session, with what the sessions before it learned. */
export function toEsmeSettings(profile: ConnectionProfile, experience: SessionHistory): EsmeSettings {
  const { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange } = profile;
  return {
    kind: profile.bind,
    bind: { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange },
    window: profile.window,
    responseTimeoutMs: profile.responseTimeoutMs,
    enquireLinkMs: profile.enquireLinkMs,
    experience,
  };
}
