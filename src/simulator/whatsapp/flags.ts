import { cloudCode, isBareStatus } from "./codes.ts";
import { type Failure, SIM_DEFAULTS, type WhatsappSimSettings } from "./settings.ts";
import { waIdFormOf } from "./wa-id.ts";

/** One flag of `bendre whatsapp-sim`. */
export type SimFlag = {
  readonly name: string;
  /** Null: the flag stands alone. */
  readonly value: string | null;
  readonly help: string;
  /** The settings with this flag's word in them; null when the word makes no sense. */
  readonly read: (settings: WhatsappSimSettings, word: string) => WhatsappSimSettings | null;
};

type KeysOf<Value> = {
  [Key in keyof WhatsappSimSettings]: WhatsappSimSettings[Key] extends Value ? Key : never;
}[keyof WhatsappSimSettings];

const LARGEST_MS = 86_400_000;
const LARGEST_CODE = 9_999_999;

function whole(name: string, value: string, key: KeysOf<number>, largest: number, help: string): SimFlag {
  return {
    ...{ name, value, help: `${help} [${SIM_DEFAULTS[key]}]` },
    read: (settings, word) =>
      /^\d{1,10}$/.test(word) && Number(word) <= largest ? { ...settings, [key]: Number(word) } : null,
  };
}

function share(name: string, key: KeysOf<number>, help: string): SimFlag {
  return {
    ...{ name, value: "P", help: `${help} [${SIM_DEFAULTS[key]}]` },
    read: (settings, word) => {
      const found = shareOf(word);
      return found === null ? null : { ...settings, [key]: found };
    },
  };
}

function text(name: string, value: string, key: "appSecret" | "verifyToken", help: string): SimFlag {
  const read: SimFlag["read"] = (settings, word) => (word === "" ? null : { ...settings, [key]: word });
  return { name, value, help: `${help} [${SIM_DEFAULTS[key]}]`, read };
}

function switched(name: "quiet" | "json" | "control", help: string): SimFlag {
  return { name, value: null, help, read: (settings) => ({ ...settings, [name]: true }) };
}

const WEBHOOK: SimFlag = {
  name: "webhook",
  value: "URL",
  help: "where statuses are posted, such as http://127.0.0.1:8080/whatsapp/webhook [nowhere]",
  read: (settings, word) => (/^https?:\/\/[^/?#\s]+/.test(word) ? { ...settings, webhook: word } : null),
};

const FAIL: SimFlag = {
  name: "fail",
  value: "CODE:P",
  help: "so many posts meet this code of Meta's; CODE:P:answer or CODE:P:status says how; 500 to 599 are bare HTTP; repeatable",
  read: (settings, word) => {
    const failure = failureOf(word);
    return failure === null ? null : { ...settings, failures: [...settings.failures, failure] };
  },
};

const WA_ID: SimFlag = {
  name: "wa-id",
  value: "FROM=TO",
  help: "a user whose number begins with FROM is called by one that begins with TO; usual: as in Côte d'Ivoire, Benin, Mexico, Argentina and Brazil; repeatable",
  read: (settings, word) => {
    const form = waIdFormOf(word);
    return form === null ? null : { ...settings, waIds: [...settings.waIds, form] };
  },
};

const GONE: SimFlag = {
  name: "gone",
  value: "ID",
  help: "this phone number id does not exist: its posts get 400 with code 100 and error_subcode 33; repeatable",
  read: (settings, word) =>
    /^\d{1,20}$/.test(word) ? { ...settings, gone: [...settings.gone, word] } : null,
};

/** Every flag, in the order of the help. */
export const SIM_FLAGS: readonly SimFlag[] = [
  whole("port", "N", "port", 65_535, "TCP port on 127.0.0.1, 0 for any free one"),
  WEBHOOK,
  text("app-secret", "S", "appSecret", "signs what is posted there"),
  text("verify-token", "V", "verifyToken", "the word that the webhook is verified with"),
  whole("seed", "N", "seed", 4_294_967_295, "the same seed draws the same fate for each post"),
  share("lose", "lose", "statuses that are never told"),
  share("lose-answers", "loseAnswers", "posts that are taken and never answered"),
  share("double", "double", "statuses that are told twice"),
  whole(
    "disorder",
    "MS",
    "disorderMs",
    LARGEST_MS,
    "each status is told up to so much later: they overtake each other",
  ),
  FAIL,
  WA_ID,
  GONE,
  whole("delay", "MS", "delayMs", LARGEST_MS, "about so long from a post to the handset"),
  share("read", "read", "delivered messages that are read too; of a third of them only that is told"),
  share("free", "free", "messages that Meta bills nobody for"),
  whole(
    "throughput",
    "N",
    "throughput",
    100_000,
    "posts a second of one number, more get 130429; 0: no limit",
  ),
  whole(
    "pair-ms",
    "MS",
    "pairMs",
    LARGEST_MS,
    "between two posts to one user, sooner gets 131056; 0: no limit",
  ),
  switched("quiet", "print nothing but the configuration, and the sums at the end"),
  switched("json", "print everything seen, one JSON object a line"),
  switched("control", "take commands on standard input"),
];

/** A share: "0.05" and "5" are both five in a hundred, "1" is all. Null for anything else. */
export function shareOf(word: string): number | null {
  if (!/^(\d{1,3}(\.\d{1,6})?|\.\d{1,6})$/.test(word)) return null;
  const number = Number(word);
  if (number <= 1) return number;
  return number <= 100 ? number / 100 : null;
}

function failureOf(word: string): Failure | null {
  const [, digits = "", portion = "", how] = /^(\d{1,7}):([\d.]+)(?::(answer|status))?$/.exec(word) ?? [];
  const share = shareOf(portion);
  const code = Number(digits);
  if (digits === "" || share === null || code > LARGEST_CODE) return null;
  if (how === "status" && isBareStatus(code)) return null;
  return { code, share, as: how === "status" || how === "answer" ? how : cloudCode(code).as };
}
