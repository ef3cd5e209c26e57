/** Every channel that a batch may name (docs/public-api.md section 2.1), in the order in which they are shown. */
export const CHANNELS = ["SMS", "WHATSAPP"] as const;

export type Channel = (typeof CHANNELS)[number];

/** What the operator codes of a channel begin with, such as `whatsapp:main`. Those of SMS have no colon. */
export const CODES_BEGIN = { WHATSAPP: "whatsapp:" } as const satisfies Partial<Record<Channel, string>>;

/** The channel that an operator's code is of. */
export function channelOfOperator(operator: string): Channel {
  return CHANNELS.find((channel) => channel !== "SMS" && operator.startsWith(CODES_BEGIN[channel])) ?? "SMS";
}
