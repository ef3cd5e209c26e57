/** Flags of `bendre smsc` with their values and defaults; a quirk of the simulated operator has one line here. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import { GARBAGE_KINDS } from "./garbage.ts";
import { ID_CASES, ID_FORMATS } from "./message-ids.ts";
import { DROP_MODES, NUMBER_SPELLINGS, PLAIN, type Quirks, TEXT_CODINGS } from "./quirks.ts";
import type { User } from "./smsc-state.ts";
import { type SettingFlag, switchFlag } from "./usage.ts";

/** One flag of `bendre smsc`. */
type SmscFlag = SettingFlag<SmscSettings>;

type QuirkOf<Value> = { [Key in keyof Quirks]: Quirks[Key] extends Value ? Key : never }[keyof Quirks];

const MAX_AMOUNT = 86_400_000;
const MAX_STATUS = 0xffff_ffff;

/** A flag that sets a quirk and is called as it is: `refuse-binds` for refuseBinds. `read`: null for what cannot be read. */
function quirk<Key extends keyof Quirks>(
  key: Key,
  value: string | null,
  read: (word: string) => Quirks[Key] | null,
  usual?: string,
): SmscFlag {
  return {
    name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    value,
    ...(value !== null && { usual: usual ?? String(DEFAULTS.quirks[key]) }),
    read: (settings, word) => {
      const found = read(word);
      return found === null ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that is a whole number. */
function amount(key: QuirkOf<number>): SmscFlag {
  return quirk(key, "N", (word) => wholeOf(word, MAX_AMOUNT));
}

function percent(key: QuirkOf<number>): SmscFlag {
  return quirk(key, "0-100", (word) => wholeOf(word, 100));
}

/** A quirk that is a command_status, in decimal or as 0x… */
function status(key: QuirkOf<number>): SmscFlag {
  const usual = `0x${DEFAULTS.quirks[key].toString(16).toUpperCase().padStart(2, "0")}`;
  return quirk(key, "0xNN", statusOf, usual);
}

/** A quirk that takes one of a few values. */
function oneOf<Key extends keyof Quirks>(key: Key, words: readonly (Quirks[Key] & string)[]): SmscFlag {
  return quirk(key, words.join("|"), (word) => words.find((known) => known === word) ?? null);
}

/** A quirk that is on or off. */
function turn(key: QuirkOf<boolean>): SmscFlag {
  return quirk(key, null, () => true);
}

function path(name: string, key: "tlsKey" | "tlsCertificate"): SmscFlag {
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
      amount("refuseBinds"),
      status("refuseBindStatus"),
      amount("maxBinds"),
      amount("bindDelayMs"),
      turn("outbind"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.ids"),
    flags: [
      oneOf("idFormat", ID_FORMATS),
      oneOf("receiptIdCase", ID_CASES),
      amount("responseIdPad"),
      amount("receiptIdPad"),
      amount("reuseIdsAfter"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.responses"),
    flags: [
      amount("responseDelayMs"),
      amount("responseJitterMs"),
      amount("swallowEvery"),
      percent("refusePercent"),
      status("refuseStatus"),
      turn("refusalBody"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.receipts"),
    flags: [
      amount("receiptDelayMs"),
      amount("receiptJitterMs"),
      percent("deliveredPercent"),
      percent("lostReceiptPercent"),
      percent("duplicateReceiptPercent"),
      turn("receiptBeforeResponse"),
      turn("noTlvs"),
      turn("noReceiptText"),
      turn("payloadReceipts"),
      turn("dataSmReceipts"),
      turn("unmarkedReceipts"),
      turn("receiptSeconds"),
      turn("enrouteReceipts"),
      turn("receiptsElsewhere"),
      amount("receiptAckTimeoutMs"),
      amount("receiptWindow"),
      turn("noReceipts"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.incoming"),
    flags: [
      oneOf("textCoding", TEXT_CODINGS),
      oneOf("numberSpelling", NUMBER_SPELLINGS),
      turn("brokenParameters"),
      amount("strayReceipts"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.pace"),
    flags: [
      amount("throttlePerSecond"),
      amount("throttleWindowMs"),
      amount("throttleBurst"),
      status("throttleStatus"),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.links"),
    flags: [
      amount("dropAfter"),
      amount("dropTimes"),
      oneOf("dropMode", DROP_MODES),
      amount("stallAfter"),
      amount("stallMs"),
      amount("unbindAfter"),
      turn("ignoreEnquireLink"),
      amount("enquireLinkMs"),
      turn("byteWrites"),
      amount("garbageEvery"),
      oneOf("garbageKind", ["cycle", ...GARBAGE_KINDS]),
    ],
  },
  {
    title: phrase("simulator_help.smsc.group.checks"),
    flags: [amount("windowCheck"), amount("throughputCheck"), switchFlag("strict")],
  },
  {
    title: phrase("simulator_help.smsc.group.output"),
    flags: [switchFlag("quiet"), switchFlag("json"), switchFlag("control")],
  },
];

export const FLAGS: readonly SmscFlag[] = FLAG_GROUPS.flatMap(({ flags }) => flags);
