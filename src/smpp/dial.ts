/**
 * What an administrator says of a connection (`ConnectionProfile`), the socket that it opens to an operator, plain or TLS, and why
 * none came about, in words. No other file opens a socket to an operator.
 */
import type { Clock } from "../core/clock.ts";
import { errorText } from "../core/log.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import type { BindKind } from "./pdu.ts";
import { STATUS, statusLabel } from "./status.ts";

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

type TlsProfile = {
  /** PEM text of the authorities to trust; null for the system's. */
  readonly ca: string | null;
  /** What the operator's certificate must name. */
  readonly serverName: string;
  /** Our own certificate and its key, PEM texts, for an operator that asks who we are. */
  readonly client: { readonly certificate: string; readonly key: string } | null;
};

/** Said in full, so that no environment variable can switch the check off. */
function tlsOptions({ ca, serverName, client }: TlsProfile): Bun.TLSOptions {
  return {
    rejectUnauthorized: true,
    serverName,
    ...(ca !== null && { ca }),
    ...(client !== null && { cert: client.certificate, key: client.key }),
  };
}

/** The socket of one attempt. Before it is connected, and once it is closed, calls do nothing. */
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

// Why there is no session, as an administrator understands it, with the technical name.

/** Where a connection leads to, as far as its faults mention it. */
type Place = {
  readonly host: string;
  readonly port: number;
  readonly bind: BindKind;
  readonly tls: { readonly serverName: string } | null;
};

/** What a refused bind means, by its command_status (SMPP 3.4 section 5.1.3). */
export function bindRefusal(status: number, { bind }: Pick<Place, "bind">): Phrase {
  const label = { status: statusLabel(status) };
  switch (status) {
    case STATUS.RINVPASWD:
      return phrase("link.bind_refused.password", label);
    case STATUS.RINVSYSID:
      return phrase("link.bind_refused.system_id", label);
    case STATUS.RINVSYSTYP:
      return phrase("link.bind_refused.system_type", label);
    case STATUS.RBINDFAIL:
      return phrase("link.bind_refused.unexplained", label);
    case STATUS.RALYBND:
      return phrase("link.bind_refused.bound_already", label);
    case STATUS.RINVCMDID:
    case STATUS.RINVBNDSTS:
      return phrase("link.bind_refused.kind", { ...label, bind });
    case STATUS.RSYSERR:
    case STATUS.RMSGQFUL:
    case STATUS.RTHROTTLED:
    case STATUS.RX_T_APPN:
      return phrase("link.bind_refused.not_now", label);
    default:
      return phrase("link.bind_refused.other", label);
  }
}

/** What an error of the socket, of the name look-up or of TLS means. */
export function socketFault(error: unknown, { host, port, tls }: Place): Phrase {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ECONNREFUSED":
      return phrase("link.nobody_listens", { host, port, error: code });
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NONAME":
      return phrase("link.no_name", { host, error: code });
    case "ETIMEDOUT":
      return phrase("link.no_answer", { host, error: code });
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return phrase("link.no_way", { host, error: code });
    case "ECONNRESET":
    case "EPIPE":
      return phrase("link.cut", { error: code });
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return phrase("link.certificate.name", { name: tls?.serverName ?? host, error: code });
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return phrase("link.certificate.date", { error: code });
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return phrase("link.certificate.authority", { error: code });
    default:
      return said(errorText(error));
  }
}
