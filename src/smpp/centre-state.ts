import type { BindRequest, SmscSessionSettings } from "./centre-session-io.ts";
import { freeSequence, type PendingRequests } from "./pending-requests.ts";
import { SMSC_ACCEPTS, type SessionState } from "./session-matrix.ts";

/** What a centre's session knows. Only the files of the session change it; the times are those that `stepSmsc` is given. */
export type SmscSession = {
  readonly settings: () => SmscSessionSettings;
  state: SessionState;
  /** The bind that was asked for; whether its answer is still due shows in the state. */
  bind: BindRequest | null;
  readonly deliveries: PendingRequests;
  lastSequence: number;
  connectedAtMs: number;
  /** When the client was last asked whether it is there, or connected; and whether that waits for an answer. */
  enquiredAtMs: number;
  isEnquired: boolean;
};

/** Whether the client has bound to receive. */
export function canDeliver({ state }: SmscSession): boolean {
  return state === "BOUND_RX" || state === "BOUND_TRX";
}

/** Whether the client has bound to submit, and not left since. */
export function maySubmit({ state, bind }: SmscSession): boolean {
  return SMSC_ACCEPTS.submit_sm.includes(state) && bind?.kind !== "receiver";
}

/** A number for a request that is written past the session. */
export function nextSmscSequence(session: SmscSession): number {
  session.lastSequence = freeSequence(session.lastSequence, session.deliveries);
  return session.lastSequence;
}
