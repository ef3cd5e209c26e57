/** Every channel that a batch may name (docs/public-api.md section 2.1), in the order in which they are shown. */
export const CHANNELS = ["SMS", "WHATSAPP"] as const;

export type Channel = (typeof CHANNELS)[number];

/** What rooms that know no channel need to know of it. */
export type ChannelTraits = {
  /** The beginning of its operator codes, such as `whatsapp:main`; null: they have no colon. */
  readonly codesBegin: string | null;
  /** The coding of all its texts; null where each has its own, which is stored with its message. */
  readonly coding: "UTF8" | null;
  /** Whether an unanswered message may be sent again, where its class is resent. */
  readonly isSentAgain: boolean;
  /** Whether a message costs nothing when nothing more is heard of it. */
  readonly isSilenceFree: boolean;
};

const TRAITS = {
  SMS: { codesBegin: null, coding: null, isSentAgain: true, isSilenceFree: false },
  WHATSAPP: { codesBegin: "whatsapp:", coding: "UTF8", isSentAgain: false, isSilenceFree: true },
} as const satisfies Readonly<Record<Channel, ChannelTraits>>;

export const CHANNEL_TRAITS: Readonly<Record<Channel, ChannelTraits>> = TRAITS;

/** The beginning of WhatsApp's operator codes. */
export const WHATSAPP_CODES = TRAITS.WHATSAPP.codesBegin;

/** The channel of an operator's code. */
export function toChannel(operator: string): Channel {
  const begins = (channel: Channel): boolean => {
    const { codesBegin } = CHANNEL_TRAITS[channel];
    return codesBegin !== null && operator.startsWith(codesBegin);
  };
  return CHANNELS.find(begins) ?? "SMS";
}
