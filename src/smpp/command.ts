/** The commands we speak and their ids (SMPP 3.4 section 5.1.2.1). */
export const COMMAND_IDS = {
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
  generic_nack: 0x80000000,
} as const;

export type Command = keyof typeof COMMAND_IDS;

/** The directions in which a bind lets messages pass (SMPP 3.4 section 2.2). */
export type BindKind = "transceiver" | "transmitter" | "receiver";

/** The kind of each bind command. */
export const KIND_OF: { readonly [Kind in BindKind as `bind_${Kind}`]: Kind } = {
  bind_transceiver: "transceiver",
  bind_transmitter: "transmitter",
  bind_receiver: "receiver",
};

const BY_ID: ReadonlyMap<number, Command> = new Map(
  (Object.keys(COMMAND_IDS) as Command[]).map((command) => [COMMAND_IDS[command], command]),
);

/** The name of a command id, or undefined for one we do not speak (query_sm, submit_multi, a vendor's own). */
export function toCommand(id: number): Command | undefined {
  return BY_ID.get(id);
}

/** Whether an id is a response's: its top bit is set (SMPP 3.4 section 5.1.2). */
export function isResponseId(id: number): boolean {
  return id >= 0x80000000;
}
