import type { Phrase } from "../i18n/phrase.ts";
import type { BindKind } from "./command.ts";
import type { SessionState } from "./session-matrix.ts";

/** How far a connection is. WAITING: until the next attempt. */
export type ConnectionState = "CONNECTING" | "BINDING" | "BOUND" | "UNBINDING" | "WAITING" | "STOPPED";

/** A connection as it stands. Times are epoch milliseconds. */
export type ConnectionStatus = {
  readonly state: ConnectionState;
  readonly bind: BindKind;
  readonly host: string;
  readonly port: number;
  /** Submits whose place in the window is taken. */
  readonly inFlight: number;
  readonly window: number;
  /** What last went wrong, and it stays when the link is back. Null if nothing did. */
  readonly lastError: Phrase | null;
  readonly lastErrorAtMs: number | null;
  /** Since when it is bound; null while it is not. */
  readonly boundAtMs: number | null;
  /** Since when it is not bound; null while it is. */
  readonly downSinceMs: number | null;
  /** Whether it was bound since the server's start. */
  readonly wasBound: boolean;
  readonly nextAttemptAtMs: number | null;
};

const STATE_OF: Record<SessionState, ConnectionState> = {
  CLOSED: "CONNECTING",
  OPEN: "BINDING",
  BOUND_TX: "BOUND",
  BOUND_RX: "BOUND",
  BOUND_TRX: "BOUND",
  UNBINDING: "UNBINDING",
};

/** The state of a connection whose present link, if any, has a session in this state. */
export function toConnectionState(session: SessionState | null, isStopped: boolean): ConnectionState {
  if (session === null) return isStopped ? "STOPPED" : "WAITING";
  return STATE_OF[session];
}
