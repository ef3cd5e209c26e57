import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import type { User } from "./centre.ts";
import { ID_FORMATS } from "./message-ids.ts";
import { PLAIN, type Quirks } from "./quirks.ts";

/** What `bendre smsc` was told. */
export type SmscSettings = {
  readonly port: number;
  readonly users: readonly User[];
  readonly defaultAlphabet: DefaultAlphabet;
  readonly quirks: Quirks;
  readonly quiet: boolean;
  readonly json: boolean;
};

export type SmscFlag = {
  readonly name: string;
  /** Null: the flag stands alone. */
  readonly value: string | null;
  readonly help: string;
  /** The settings with this flag's word in them; null when the word makes no sense. */
  readonly read: (settings: SmscSettings, word: string) => SmscSettings | null;
};

export const DEFAULTS: SmscSettings = {
  port: 2775,
  users: [],
  defaultAlphabet: "gsm",
  quirks: { ...PLAIN, receiptDelayMs: 1000, receiptJitterMs: 500 },
  quiet: false,
  json: false,
};

const LARGEST_AMOUNT = 86_400_000;
const ALPHABETS: readonly DefaultAlphabet[] = ["gsm", "latin1", "ascii"];

type NumberQuirk = { [Key in keyof Quirks]: Quirks[Key] extends number ? Key : never }[keyof Quirks];
type SwitchQuirk = { [Key in keyof Quirks]: Quirks[Key] extends boolean ? Key : never }[keyof Quirks];

/** Every flag, in the order of the help. A quirk that is a number or a switch takes one line. */
export const FLAGS: readonly SmscFlag[] = [
  {
    name: "port",
    value: "N",
    help: "TCP port on 127.0.0.1, 0 for any free one [2775]",
    read: (settings, word) => {
      const port = wholeOf(word, 65_535);
      return port === null ? null : { ...settings, port };
    },
  },
  {
    name: "user",
    value: "ID[:PASSWORD]",
    help: "a system_id that may bind; repeatable [anybody]",
    read: (settings, word) => {
      const [systemId = "", ...rest] = word.split(":");
      const password = rest.length === 0 ? null : rest.join(":");
      return systemId === "" ? null : { ...settings, users: [...settings.users, { systemId, password }] };
    },
  },
  {
    name: "default-alphabet",
    value: ALPHABETS.join("|"),
    help: "what data_coding 0 means here [gsm]",
    read: (settings, word) => {
      const defaultAlphabet = ALPHABETS.find((known) => known === word);
      return defaultAlphabet === undefined ? null : { ...settings, defaultAlphabet };
    },
  },
  {
    name: "id-format",
    value: ID_FORMATS.join("|"),
    help: "how message ids are written [decimal]",
    read: (settings, word) => {
      const idFormat = ID_FORMATS.find((known) => known === word);
      return idFormat === undefined ? null : { ...settings, quirks: { ...settings.quirks, idFormat } };
    },
  },
  amount("receipt-delay-ms", "receiptDelayMs", "from the response to the handset and its receipt"),
  amount("receipt-jitter-ms", "receiptJitterMs", "up to so much more"),
  amount("response-delay-ms", "responseDelayMs", "from submit_sm to its response"),
  amount("response-jitter-ms", "responseJitterMs", "up to so much more: responses come out of order"),
  percent("delivered-percent", "deliveredPercent", "how many reach their handset, the rest is UNDELIV"),
  percent("lost-receipt-percent", "lostReceiptPercent", "receipts that are never sent"),
  percent("duplicate-receipt-percent", "duplicateReceiptPercent", "receipts that are sent twice"),
  turn("receipt-before-response", "receiptBeforeResponse", "the receipt overtakes the response"),
  turn("no-tlvs", "noTlvs", "receipts are text only, without optional parameters"),
  turn("no-receipts", "noReceipts", "no receipts at all"),
  amount("throttle-per-second", "throttlePerSecond", "more submit_sm than that get 0x58; 0: no limit"),
  amount("drop-after", "dropAfter", "cut each link at its Nth submit_sm; 0: never"),
  amount("window-check", "windowCheck", "report more unanswered submit_sm than that; 0: don't"),
  {
    name: "quiet",
    value: null,
    help: "print nothing but the port",
    read: (settings) => ({ ...settings, quiet: true }),
  },
  {
    name: "json",
    value: null,
    help: "print everything seen, one JSON object a line",
    read: (settings) => ({ ...settings, json: true }),
  },
];

function amount(name: string, key: NumberQuirk, help: string): SmscFlag {
  return number(name, "N", key, help, LARGEST_AMOUNT);
}

function percent(name: string, key: NumberQuirk, help: string): SmscFlag {
  return number(name, "0-100", key, help, 100);
}

function number(name: string, value: string, key: NumberQuirk, help: string, largest: number): SmscFlag {
  return {
    name,
    value,
    help: `${help} [${DEFAULTS.quirks[key]}]`,
    read: (settings, word) => {
      const found = wholeOf(word, largest);
      return found === null ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

function turn(name: string, key: SwitchQuirk, help: string): SmscFlag {
  const read = (settings: SmscSettings) => ({ ...settings, quirks: { ...settings.quirks, [key]: true } });
  return { name, value: null, help, read };
}

function wholeOf(word: string, largest: number): number | null {
  return /^\d{1,9}$/.test(word) && Number(word) <= largest ? Number(word) : null;
}
