import type { BindKind, Command } from "./command.ts";

/**
 * Where a session stands (SMPP 3.4 section 2.2), seen from our side: OPEN once connected, BOUND by one of the three
 * binds, UNBINDING after our unbind left, CLOSED when the link is gone.
 */
export type SessionState = "OPEN" | "BOUND_TX" | "BOUND_RX" | "BOUND_TRX" | "UNBINDING" | "CLOSED";

export const BOUND_STATE: Record<BindKind, SessionState> = {
  transmitter: "BOUND_TX",
  receiver: "BOUND_RX",
  transceiver: "BOUND_TRX",
};

/** Every command that an operator may send an ESME; all others are answered with generic_nack. */
export type IncomingCommand = Exclude<
  Command,
  "bind_receiver" | "bind_transmitter" | "bind_transceiver" | "submit_sm" | "deliver_sm_resp"
>;

const LINKED: readonly SessionState[] = ["OPEN", "BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];
const BOUND: readonly SessionState[] = ["BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];

/**
 * The states in which a command from the operator is in its place: SMPP 3.4 table 2-1, with three allowances.
 * After our unbind everything of the bound states may still be on its way. enquire_link and generic_nack are
 * welcome as soon as there is a link (SMPP 5.0 table 2-1). Some operators send receipts over a transmitter bind.
 */
export const IN_PLACE: Record<IncomingCommand, readonly SessionState[]> = {
  bind_receiver_resp: ["OPEN"],
  bind_transmitter_resp: ["OPEN"],
  bind_transceiver_resp: ["OPEN"],
  outbind: ["OPEN"],
  unbind: BOUND,
  unbind_resp: ["UNBINDING"],
  submit_sm_resp: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  deliver_sm: BOUND,
  data_sm: BOUND,
  data_sm_resp: [],
  enquire_link: LINKED,
  enquire_link_resp: LINKED,
  alert_notification: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  generic_nack: LINKED,
};

export function isIncoming(command: string): command is IncomingCommand {
  return Object.hasOwn(IN_PLACE, command);
}
