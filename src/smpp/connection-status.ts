import type { ClientSession } from "./client-state.ts";
import type { BindKind } from "./command.ts";

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
  /** What last went wrong, in an administrator's words; it stays when the link is back. Null if nothing did. */
  readonly lastError: string | null;
  readonly lastErrorAtMs: number | null;
  /** Since when it is bound; null while it is not. */
  readonly boundAtMs: number | null;
  /** Since when it is not bound; null while it is. */
  readonly downSinceMs: number | null;
  readonly nextAttemptAtMs: number | null;
};

/** The state of a connection whose present link, if any, has this session. */
export function stateOf(session: ClientSession | null, stopped: boolean): ConnectionState {
  if (session === null) return stopped ? "STOPPED" : "WAITING";
  switch (session.state) {
    case "CLOSED":
      return "CONNECTING";
    case "OPEN":
      return "BINDING";
    case "UNBINDING":
      return "UNBINDING";
    case "BOUND_TX":
    case "BOUND_RX":
    case "BOUND_TRX":
      return "BOUND";
  }
}
