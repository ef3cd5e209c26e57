import type { BindKind, Command } from "./command.ts";

/**
 * Where a session stands (SMPP 3.4 section 2.2), seen from one side: OPEN once connected, BOUND by one of the three
 * binds, UNBINDING after this side's unbind left, CLOSED when the link is gone.
 */
export type SessionState = "OPEN" | "BOUND_TX" | "BOUND_RX" | "BOUND_TRX" | "UNBINDING" | "CLOSED";

export const BOUND_STATE: Record<BindKind, SessionState> = {
  transmitter: "BOUND_TX",
  receiver: "BOUND_RX",
  transceiver: "BOUND_TRX",
};

/** Every command that a centre may send a client; all others are answered with generic_nack. */
export type CommandToEsme = Exclude<
  Command,
  "bind_receiver" | "bind_transmitter" | "bind_transceiver" | "submit_sm" | "deliver_sm_resp"
>;

const LINKED: readonly SessionState[] = ["OPEN", "BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];
const BOUND: readonly SessionState[] = ["BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];

/**
 * The states in which a command from the centre is in its place at the client: SMPP 3.4 table 2-1, with three allowances.
 * After our unbind everything of the bound states may still be on its way. enquire_link and generic_nack are
 * welcome as soon as there is a link (SMPP 5.0 table 2-1). Some operators send receipts over a transmitter bind.
 */
export const ESME_ACCEPTS: Record<CommandToEsme, readonly SessionState[]> = {
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

export function isForEsme(command: string): command is CommandToEsme {
  return Object.hasOwn(ESME_ACCEPTS, command);
}

/** Every command that a client may send a centre; all others are answered with generic_nack. */
export type CommandToSmsc = Exclude<
  Command,
  `bind_${BindKind}_resp` | "submit_sm_resp" | "deliver_sm" | "outbind"
>;

/**
 * The states in which a command from the client is in its place at the centre: SMPP 3.4 table 2-1, with the same
 * allowances. alert_notification, which no client has to send, is passed over.
 */
export const SMSC_ACCEPTS: Record<CommandToSmsc, readonly SessionState[]> = {
  bind_receiver: ["OPEN"],
  bind_transmitter: ["OPEN"],
  bind_transceiver: ["OPEN"],
  unbind: BOUND,
  unbind_resp: ["UNBINDING"],
  submit_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  data_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  deliver_sm_resp: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  data_sm_resp: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  enquire_link: LINKED,
  enquire_link_resp: LINKED,
  alert_notification: LINKED,
  generic_nack: LINKED,
};

export function isForSmsc(command: string): command is CommandToSmsc {
  return Object.hasOwn(SMSC_ACCEPTS, command);
}
