import { characters, choice, flag, table, text, whole } from "./setting.ts";

/** A rule's own table: whether it is looked at, and its thresholds. */
function rule<Keys extends Parameters<typeof table>[0]>(keys: Keys) {
  return table({ enabled: flag({ default: true, description: "Whether the rule is looked at." }), ...keys });
}

function lasting(seconds: number, description: string) {
  return { seconds: whole({ min: 0, max: 86_400, default: seconds, description }) };
}

/** When somebody is told that something is wrong, where, and in which language (docs/administration.md#alarms). */
export const AlertsSchema = table({
  webhook: text({
    default: "",
    description:
      "Where alarms are posted, signed like webhooks. It may be a private address. Empty: nowhere.",
    expects: "an https: URL without credentials, or an empty text for none",
    isValid: (value) => value === "" || /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(value),
  }),
  secret: text({
    default: "",
    description: "What alarms are signed with: whsec_ and base64, or any text. Needed with webhook.",
    secret: true,
    ...characters(0, 200),
  }),
  language: choice(["en", "fr"], {
    default: "en",
    description: "The language of what is told.",
  }),
  rules: table({
    link_down: rule(lasting(60, "A connection to an operator is down for so long, and another one is up.")),
    operator_down: rule(lasting(30, "The last connection to an operator is down for so long.")),
    otp_waits: rule(lasting(60, "The oldest OTP waits for so long.")),
    transactional_waits: rule(lasting(900, "The oldest TRANSACTIONAL message waits for so long.")),
    delivered_share: rule({
      points: whole({
        min: 1,
        max: 100,
        default: 20,
        description: "The share that an operator delivers is so far below the median of seven days.",
      }),
      messages: whole({
        min: 1,
        max: 1_000_000,
        default: 200,
        description: "Fewer messages tell nothing.",
      }),
    }),
    receipts_unmatched: rule({
      percent: whole({
        min: 1,
        max: 100,
        default: 1,
        description: "More of the receipts of 15 minutes name no message.",
      }),
      receipts: whole({ min: 1, max: 1_000_000, default: 50, description: "And more than so many." }),
    }),
    throttled: rule(lasting(600, "An operator asks for less for so long.")),
    disk: rule({}),
    clock: rule({}),
    books: rule({}),
    backup: rule({
      hours: whole({ min: 1, max: 8760, default: 26, description: "The newest backup is older." }),
    }),
    drill: rule({}),
    certificate: rule({
      days: whole({ min: 1, max: 365, default: 14, description: "A certificate ends within so many." }),
    }),
    endpoint: rule({}),
    wallet_low: rule({}),
  }),
});
