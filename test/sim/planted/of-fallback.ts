/** Bugs that somebody could make where a message of WhatsApp goes on as an SMS. */
import type { Plant } from "./plant.ts";

const WHATSAPP = { options: ["--messages", "400", "--faults", "whatsapp"] } as const;

/** The SMS waits for a while, and somebody may look. */
const WITH_OUTAGES = { options: ["--messages", "400", "--faults", "whatsapp,outage,silence"] } as const;

export const OF_FALLBACK: readonly Plant[] = [
  {
    name: "goes-on-too-early",
    bug: "a message goes on as an SMS although nothing was heard of its post for a quarter of the time only that its client gave: most people get it twice",
    edits: [
      {
        file: "src/domain/messages/fallback-legs.ts",
        find: "(SELECT after_ms FROM batch_fallbacks f",
        replace: "(SELECT after_ms / 4 FROM batch_fallbacks f",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "opted-out-goes-on",
    bug: "who has stopped the marketing of a sender in WhatsApp gets it as an SMS",
    edits: [
      {
        file: "src/domain/messages/fallback-transitions.ts",
        find: '...["TEMPLATE_UNAVAILABLE", ',
        replace: '...["RECIPIENT_OPTED_OUT", "TEMPLATE_UNAVAILABLE", ',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "nobody-there-stays",
    bug: "a message whose number has no WhatsApp fails, and does not go on as an SMS",
    edits: [
      {
        file: "src/domain/messages/fallback-transitions.ts",
        find: '...["UNKNOWN_SUBSCRIBER", "WINDOW_CLOSED", ',
        replace: '...["WINDOW_CLOSED", ',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "sms-at-the-price-of-whatsapp",
    bug: "what went on as an SMS is charged at the price of WhatsApp",
    edits: [
      {
        file: "src/domain/messages/fallback-transitions.ts",
        find: "const carriedOn = { ...legs.other, text: legs.other.text ?? rules.fallback.body };",
        replace:
          "const carriedOn = { ...legs.other, price: Math.min(carried.price, legs.other.price), text: legs.other.text ?? rules.fallback.body };",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "dearer-way-kept",
    bug: "what was set aside for the dearer of two ways is not given back when the cheaper one is charged",
    edits: [
      {
        file: "src/domain/messages/message-money.ts",
        find: "return costOf(message) + message.excess;",
        replace: "return costOf(message) + Math.min(message.excess, 0);",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "goes-back-when-it-goes-on",
    bug: "a message that was shown as SENT is shown as QUEUED when it goes on as an SMS",
    edits: [
      {
        file: "src/domain/messages/fallback-transitions.ts",
        find: "return shown !== null && FAR[shown] > FAR[status] ? shown : status;",
        replace: "return shown !== null && FAR[shown] > FAR[status] ? status : status;",
      },
    ],
    ...WITH_OUTAGES,
  },
];
