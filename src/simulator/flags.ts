/** Flags of `bendre smsc` with their values and defaults; a quirk of the simulated operator has one line here. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import { GARBAGE_KINDS } from "./garbage.ts";
import { ID_CASES, ID_FORMATS } from "./message-ids.ts";
import { DROP_MODES, NUMBER_SPELLINGS, PLAIN, type Quirks, TEXT_CODINGS } from "./quirks.ts";
import type { User } from "./smsc-state.ts";
import type { SettingFlag } from "./usage.ts";

/** One flag of `bendre smsc`. */
type SmscFlag = SettingFlag<SmscSettings>;

type QuirkOf<Value> = { [Key in keyof Quirks]: Quirks[Key] extends Value ? Key : never }[keyof Quirks];
type NumberQuirk = QuirkOf<number>;
type SwitchQuirk = QuirkOf<boolean>;
type SwitchSetting = "quiet" | "json" | "control" | "strict";
type PathSetting = "tlsKey" | "tlsCertificate";

const MAX_AMOUNT = 86_400_000;
const MAX_STATUS = 0xffff_ffff;

/** A quirk that is a whole number. */
function amount(name: string, key: NumberQuirk): SmscFlag {
  return number(name, "N", key, String(DEFAULTS.quirks[key]), (word) => wholeOf(word, MAX_AMOUNT));
}

function percent(name: string, key: NumberQuirk): SmscFlag {
  return number(name, "0-100", key, String(DEFAULTS.quirks[key]), (word) => wholeOf(word, 100));
}

/** A quirk that is a command_status, in decimal or as 0x… */
function status(name: string, key: NumberQuirk): SmscFlag {
  const usual = `0x${DEFAULTS.quirks[key].toString(16).toUpperCase().padStart(2, "0")}`;
  return number(name, "0xNN", key, usual, statusOf);
}

function number(
  name: string,
  value: string,
  key: NumberQuirk,
  usual: string,
  readWord: (word: string) => number | null,
): SmscFlag {
  return {
    name,
    value,
    usual,
    read: (settings, word) => {
      const found = readWord(word);
      return found === null ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that takes one of a few values. */
function oneOf<Key extends keyof Quirks>(
  name: string,
  key: Key,
  words: readonly (Quirks[Key] & string)[],
): SmscFlag {
  return {
    name,
    value: words.join("|"),
    usual: String(DEFAULTS.quirks[key]),
    read: (settings, word) => {
      const found = words.find((known) => known === word);
      return found === undefined ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that is on or off. */
function turn(name: string, key: SwitchQuirk): SmscFlag {
  const read = (settings: SmscSettings) => ({ ...settings, quirks: { ...settings.quirks, [key]: true } });
  return { name, value: null, read };
}

function switched(name: string, key: SwitchSetting): SmscFlag {
  return { name, value: null, read: (settings) => ({ ...settings, [key]: true }) };
}

function path(name: string, key: PathSetting): SmscFlag {
  return {
    name,
    value: "FILE",
    read: (settings, word) => (word === "" ? null : { ...settings, [key]: word }),
  };
}

/** A whole number in decimal, up to `largest`; null for anything else. */
function wholeOf(word: string, largest: number): number | null {
  return /^\d{1,9}$/.test(word) && Number(word) <= largest ? Number(word) : null;
}

function statusOf(word: string): number | null {
  return /^(\d{1,10}|0x[\da-f]{1,8})$/i.test(word) && Number(word) <= MAX_STATUS ? Number(word) : null;
}

/** The settings of `bendre smsc`. */
export type SmscSettings = {
  readonly port: number;
  readonly users: readonly User[];
  readonly defaultAlphabet: DefaultAlphabet;
  readonly quirks: Quirks;
  /** Paths of PEM files; TLS when both are there. */
  readonly tlsKey: string | null;
  readonly tlsCertificate: string | null;
  readonly quiet: boolean;
  readonly json: boolean;
  /** Takes commands on standard input. */
  readonly control: boolean;
  /** Refuses what breaks a rule of the protocol, and exits 3 when one was broken. */
  readonly strict: boolean;
};

export const DEFAULTS: SmscSettings = {
  port: 2775,
  users: [],
  defaultAlphabet: "gsm",
  quirks: { ...PLAIN, receiptDelayMs: 1000, receiptJitterMs: 500 },
  tlsKey: null,
  tlsCertificate: null,
  quiet: false,
  json: false,
  control: false,
  strict: false,
};

/** Flags that stand together in the help. */
type FlagGroup = { readonly title: Phrase; readonly flags: readonly SmscFlag[] };

const ALPHABETS: readonly DefaultAlphabet[] = ["gsm", "latin1", "ascii"];

const PORT: SmscFlag = {
  name: "port",
  value: "N",
  usual: String(DEFAULTS.port),
  read: (settings, word) => {
    const port = wholeOf(word, 65_535);
    return port === null ? null : { ...settings, port };
  },
};

const USER: SmscFlag = {
  name: "user",
  value: "ID[:PASSWORD]",
  read: (settings, word) => {
    const [systemId = "", ...rest] = word.split(":");
    const password = rest.length === 0 ? null : rest.join(":");
    return systemId === "" ? null : { ...settings, users: [...settings.users, { systemId, password }] };
  },
};

const DEFAULT_ALPHABET: SmscFlag = {
  name: "default-alphabet",
  value: ALPHABETS.join("|"),
  usual: DEFAULTS.defaultAlphabet,
  read: (settings, word) => {
    const defaultAlphabet = ALPHABETS.find((known) => known === word);
    return defaultAlphabet === undefined ? null : { ...settings, defaultAlphabet };
  },
};

/** Every flag, in the order of the help. A quirk takes one line here and one in quirks.ts. */
export const FLAG_GROUPS: readonly FlagGroup[] = [
  {
    title: phrase("simulator_help.smsc.group.where"),
    flags: [
      PORT,
      USER,
      DEFAULT_ALPHABET,
      path("tls-key", "tlsKey"),
      path("tls-certificate", "tlsCertificate"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.binds"),
    flags: [
      amount("refuse-binds", "refuseBinds"),
      status("refuse-bind-status", "refuseBindStatus"),
      amount("max-binds", "maxBinds"),
      amount("bind-delay-ms", "bindDelayMs"),
      turn("outbind", "outbind"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.ids"),
    flags: [
      oneOf("id-format", "idFormat", ID_FORMATS),
      oneOf("receipt-id-case", "receiptIdCase", ID_CASES),
      amount("response-id-pad", "responseIdPad"),
      amount("receipt-id-pad", "receiptIdPad"),
      amount("reuse-ids-after", "reuseIdsAfter"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.responses"),
    flags: [
      amount("response-delay-ms", "responseDelayMs"),
      amount("response-jitter-ms", "responseJitterMs"),
      amount("swallow-every", "swallowEvery"),
      percent("refuse-percent", "refusePercent"),
      status("refuse-status", "refuseStatus"),
      turn("refusal-body", "refusalBody"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.receipts"),
    flags: [
      amount("receipt-delay-ms", "receiptDelayMs"),
      amount("receipt-jitter-ms", "receiptJitterMs"),
      percent("delivered-percent", "deliveredPercent"),
      percent("lost-receipt-percent", "lostReceiptPercent"),
      percent("duplicate-receipt-percent", "duplicateReceiptPercent"),
      turn("receipt-before-response", "receiptBeforeResponse"),
      turn("no-tlvs", "noTlvs"),
      turn("no-receipt-text", "noReceiptText"),
      turn("payload-receipts", "payloadReceipts"),
      turn("data-sm-receipts", "dataSmReceipts"),
      turn("unmarked-receipts", "unmarkedReceipts"),
      turn("receipt-seconds", "receiptSeconds"),
      turn("enroute-receipts", "enrouteReceipts"),
      turn("receipts-elsewhere", "receiptsElsewhere"),
      amount("receipt-ack-timeout-ms", "receiptAckTimeoutMs"),
      amount("receipt-window", "receiptWindow"),
      turn("no-receipts", "noReceipts"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.incoming"),
    flags: [
      oneOf("text-coding", "textCoding", TEXT_CODINGS),
      oneOf("number-spelling", "numberSpelling", NUMBER_SPELLINGS),
      turn("broken-parameters", "brokenParameters"),
      amount("stray-receipts", "strayReceipts"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.pace"),
    flags: [
      amount("throttle-per-second", "throttlePerSecond"),
      amount("throttle-window-ms", "throttleWindowMs"),
      amount("throttle-burst", "throttleBurst"),
      status("throttle-status", "throttleStatus"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.links"),
    flags: [
      amount("drop-after", "dropAfter"),
      amount("drop-times", "dropTimes"),
      oneOf("drop-mode", "dropMode", DROP_MODES),
      amount("stall-after", "stallAfter"),
      amount("stall-ms", "stallMs"),
      amount("unbind-after", "unbindAfter"),
      turn("ignore-enquire-link", "ignoreEnquireLink"),
      amount("enquire-link-ms", "enquireLinkMs"),
      turn("byte-writes", "byteWrites"),
      amount("garbage-every", "garbageEvery"),
      oneOf("garbage-kind", "garbageKind", ["cycle", ...GARBAGE_KINDS]),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.checks"),
    flags: [
      amount("window-check", "windowCheck"),
      amount("throughput-check", "throughputCheck"),
      switched("strict", "strict"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.output"),
    flags: [switched("quiet", "quiet"), switched("json", "json"), switched("control", "control")],
  },
];

export const FLAGS: readonly SmscFlag[] = FLAG_GROUPS.flatMap(({ flags }) => flags);
