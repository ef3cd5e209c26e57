import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import {
  amount,
  oneOf,
  path,
  percent,
  type SmscFlag,
  status,
  switched,
  turn,
  wholeOf,
} from "./flag-shapes.ts";
import { GARBAGE_KINDS } from "./garbage.ts";
import { ID_CASES, ID_FORMATS } from "./message-ids.ts";
import { DROP_MODES, NUMBER_SPELLINGS, TEXT_CODINGS } from "./quirks.ts";
import { DEFAULTS } from "./smsc-settings.ts";

/** Flags that stand together in the help. */
export type FlagGroup = { readonly title: Phrase; readonly flags: readonly SmscFlag[] };

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
