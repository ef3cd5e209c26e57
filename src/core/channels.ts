/** Every channel that a batch may name (docs/public-api.md section 2.1), in the order in which they are shown. */
export const CHANNELS = ["SMS", "WHATSAPP"] as const;

export type Channel = (typeof CHANNELS)[number];

/** What rooms that know no channel go by. */
export type ChannelTraits = {
  /** What its operator codes begin with, such as `whatsapp:main`; null: they have no colon. */
  readonly codesBegin: string | null;
  /** The coding that all its texts have; null where each has its own, which stands with its message. */
  readonly coding: "UTF8" | null;
  /** Whether what nobody answered for may leave again, where its class is sent again. */
  readonly isSentAgain: boolean;
  /** Whether a message costs nothing of which nothing more is heard. */
  readonly isSilenceFree: boolean;
};

const TRAITS = {
  SMS: { codesBegin: null, coding: null, isSentAgain: true, isSilenceFree: false },
  WHATSAPP: { codesBegin: "whatsapp:", coding: "UTF8", isSentAgain: false, isSilenceFree: true },
} as const satisfies Readonly<Record<Channel, ChannelTraits>>;

export const CHANNEL_TRAITS: Readonly<Record<Channel, ChannelTraits>> = TRAITS;

/** What the operator codes of WhatsApp begin with. */
export const WHATSAPP_CODES = TRAITS.WHATSAPP.codesBegin;

/** The channel that an operator's code is of. */
export function toChannel(operator: string): Channel {
  const begins = (channel: Channel): boolean => {
    const { codesBegin } = CHANNEL_TRAITS[channel];
    return codesBegin !== null && operator.startsWith(codesBegin);
  };
  return CHANNELS.find(begins) ?? "SMS";
}
