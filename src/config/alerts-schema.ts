import { Type } from "typebox";
import { phrase } from "../i18n/phrase.ts";
import { characters, choice, file, flag, table, text, whole, wireText } from "./setting.ts";

/** A rule's own table: whether it is looked at, and its thresholds. */
function rule<Keys extends Parameters<typeof table>[0]>(keys: Keys) {
  return table({ enabled: flag({ default: true, description: "Whether the rule is looked at." }), ...keys });
}

function lasting(seconds: number, description: string) {
  return { seconds: whole({ min: 0, max: 86_400, default: seconds, description }) };
}

const ADDRESS = {
  expects: phrase("config.expects.mail_address"),
  isValid: (value: string) => /^[^\s<>"(),:;@\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,190}$/u.test(value),
};

/** The mail server that alarms are handed to. */
const smtp = table({
  host: text({
    default: "",
    description: "The mail server that takes alarms. Needed with email.",
    expects: phrase("config.expects.mail_host"),
    isValid: (value) => value === "" || /^[A-Za-z0-9.:-]{1,253}$/.test(value),
  }),
  port: whole({
    min: 1,
    max: 65_535,
    default: 587,
    description: "Its port: 587 with starttls, 465 with implicit, as a rule.",
  }),
  tls: choice(["starttls", "implicit", "none"], {
    default: "starttls",
    description: "How the way there is secured. none takes neither TLS nor a password.",
  }),
  user: text({
    default: "",
    description: "Who we are there. Empty: without authentication.",
    ...characters(0, 200),
  }),
  password: text({
    default: "",
    description: "Our password there. Needed with user.",
    secret: true,
    ...characters(0, 200),
  }),
  from: text({
    default: "",
    description: "The address that alarms come from. Needed with email.",
    expects: phrase("config.expects.mail_address.or_none"),
    isValid: (value) => value === "" || ADDRESS.isValid(value),
  }),
  ca_file: file({
    description: "Authorities that its certificate is of, in place of the system's.",
  }),
});

/** When somebody is told that something is wrong, where, and in which language (docs/administration.md#alarms). */
export const AlertsSchema = table({
  webhook: text({
    default: "",
    description:
      "Where alarms are posted, signed like webhooks. It may be a private address. Empty: nowhere.",
    expects: phrase("config.expects.alert_url"),
    isValid: (value) => value === "" || /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(value),
  }),
  secret: text({
    default: "",
    description: "What alarms are signed with: whsec_ and base64, or any text. Needed with webhook.",
    secret: true,
    ...characters(0, 200),
  }),
  email: Type.Array(text({ description: "One address.", ...ADDRESS }), {
    minItems: 0,
    maxItems: 20,
    default: [],
    description: "Addresses that alarms are mailed to, over the server of [alerts.smtp]. None: nobody.",
  }),
  smtp,
  sms: Type.Array(
    text({
      description: "One number.",
      expects: phrase("config.expects.msisdn"),
      isValid: (value) => /^\+[1-9]\d{6,14}$/.test(value),
    }),
    {
      minItems: 0,
      maxItems: 20,
      default: [],
      description: "Numbers that alarms are texted to, over an operator that works. None: nobody.",
    },
  ),
  sms_sender: text({
    default: "Bendre",
    description: "Whom those texts come from: a name that the operators let us use, or a number.",
    ...wireText(1, 11),
  }),
  sms_per_hour: whole({
    min: 1,
    max: 60,
    default: 6,
    description: "Alarms that one number gets in an hour at most. More wait, and are told together.",
  }),
  language: choice(["en", "fr"], {
    default: "en",
    description: "The language of what is told.",
  }),
  rules: table({
    link_down: rule(lasting(60, "A connection to an operator is down for so long, and another one is up.")),
    operator_down: rule(lasting(30, "The last connection to an operator is down for so long.")),
    not_taken: rule({
      ...lasting(30, "An operator has taken no message of a connection for so long."),
      answers: whole({
        min: 1,
        max: 1_000_000,
        default: 5,
        description: "And has answered so often meanwhile.",
      }),
    }),
    number_stopped: rule({}),
    template_stopped: rule({}),
    direct_text_stopped: rule({}),
    template_moves: rule({}),
    templates_unread: rule(lasting(3600, "The templates of a number could not be read for so long.")),
    country_refused: rule({}),
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
