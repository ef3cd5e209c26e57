/** Every channel that a batch may name (docs/public-api.md section 2.1). */
export const CHANNELS = ["SMS", "WHATSAPP"] as const;

export type Channel = (typeof CHANNELS)[number];
