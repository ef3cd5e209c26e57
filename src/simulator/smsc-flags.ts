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

/** Flags that stand together in the help. */
export type FlagGroup = { readonly title: string; readonly flags: readonly SmscFlag[] };

const ALPHABETS: readonly DefaultAlphabet[] = ["gsm", "latin1", "ascii"];

const PORT: SmscFlag = {
  name: "port",
  value: "N",
  help: "TCP port on 127.0.0.1, 0 for any free one [2775]",
  read: (settings, word) => {
    const port = wholeOf(word, 65_535);
    return port === null ? null : { ...settings, port };
  },
};

const USER: SmscFlag = {
  name: "user",
  value: "ID[:PASSWORD]",
  help: "a system_id that may bind; repeatable [anybody]",
  read: (settings, word) => {
    const [systemId = "", ...rest] = word.split(":");
    const password = rest.length === 0 ? null : rest.join(":");
    return systemId === "" ? null : { ...settings, users: [...settings.users, { systemId, password }] };
  },
};

const DEFAULT_ALPHABET: SmscFlag = {
  name: "default-alphabet",
  value: ALPHABETS.join("|"),
  help: "what data_coding 0 means here [gsm]",
  read: (settings, word) => {
    const defaultAlphabet = ALPHABETS.find((known) => known === word);
    return defaultAlphabet === undefined ? null : { ...settings, defaultAlphabet };
  },
};

/** Every flag, in the order of the help. A quirk takes one line here and one in quirks.ts. */
export const FLAG_GROUPS: readonly FlagGroup[] = [
  {
    title: "Where, and for whom",
    flags: [
      PORT,
      USER,
      DEFAULT_ALPHABET,
      path("tls-key", "tlsKey", "private key (PEM): with --tls-certificate, SMPP inside TLS"),
      path("tls-certificate", "tlsCertificate", "certificate chain (PEM)"),
    ],
  },
  {
    title: "Binds",
    flags: [
      amount("refuse-binds", "refuseBinds", "refuse so many binds"),
      status("refuse-bind-status", "refuseBindStatus", "with this status"),
      amount("max-binds", "maxBinds", "links one system_id may have bound, more get 0x05; 0: no limit"),
      amount("bind-delay-ms", "bindDelayMs", "from the bind to its response"),
      turn("outbind", "outbind", "send an outbind on every new link"),
    ],
  },
  {
    title: "Message ids",
    flags: [
      oneOf("id-format", "idFormat", ID_FORMATS, "how message ids are written"),
      oneOf("receipt-id-case", "receiptIdCase", ID_CASES, "letters of the id in receipts"),
      amount("response-id-pad", "responseIdPad", "fill ids in responses with zeros to so many characters"),
      amount("receipt-id-pad", "receiptIdPad", "the same in receipts"),
      amount("reuse-ids-after", "reuseIdsAfter", "after so many messages the first id comes again; 0: never"),
    ],
  },
  {
    title: "Responses",
    flags: [
      amount("response-delay-ms", "responseDelayMs", "from submit_sm to its response"),
      amount("response-jitter-ms", "responseJitterMs", "up to so much more: responses come out of order"),
      amount(
        "swallow-every",
        "swallowEvery",
        "accept every Nth submit_sm and never answer it; 0: answer all",
      ),
      percent("refuse-percent", "refusePercent", "how many submit_sm are refused"),
      status("refuse-status", "refuseStatus", "with this status"),
      turn("refusal-body", "refusalBody", "refusals carry an empty message_id, not no body"),
    ],
  },
  {
    title: "Receipts",
    flags: [
      amount("receipt-delay-ms", "receiptDelayMs", "from the response to the handset and its receipt"),
      amount("receipt-jitter-ms", "receiptJitterMs", "up to so much more"),
      percent("delivered-percent", "deliveredPercent", "how many reach their handset, the rest is UNDELIV"),
      percent("lost-receipt-percent", "lostReceiptPercent", "receipts that are never sent"),
      percent("duplicate-receipt-percent", "duplicateReceiptPercent", "receipts that are sent twice"),
      turn("receipt-before-response", "receiptBeforeResponse", "the receipt overtakes the response"),
      turn("no-tlvs", "noTlvs", "receipts are text only; nor does the bind response have any"),
      turn("no-receipt-text", "noReceiptText", "receipts are optional parameters only"),
      turn("payload-receipts", "payloadReceipts", "the text of receipts is in message_payload"),
      turn("data-sm-receipts", "dataSmReceipts", "receipts come as data_sm"),
      turn("unmarked-receipts", "unmarkedReceipts", "receipts have esm_class 0"),
      turn("receipt-seconds", "receiptSeconds", "dates of 12 digits"),
      turn("enroute-receipts", "enrouteReceipts", "an intermediate notification before each receipt"),
      turn("receipts-elsewhere", "receiptsElsewhere", "on another link of the system_id, if there is one"),
      amount(
        "receipt-ack-timeout-ms",
        "receiptAckTimeoutMs",
        "send again what is not acknowledged; 0: don't",
      ),
      amount("receipt-window", "receiptWindow", "receipts unacknowledged on one link at most; 0: no limit"),
      turn("no-receipts", "noReceipts", "no receipts at all"),
    ],
  },
  {
    title: "What comes in",
    flags: [
      oneOf("text-coding", "textCoding", TEXT_CODINGS, "how texts from handsets are coded"),
      oneOf(
        "number-spelling",
        "numberSpelling",
        NUMBER_SPELLINGS,
        "numbers of handsets, whose type is always international",
      ),
      turn("broken-parameters", "brokenParameters", "an optional parameter behind it is longer than its PDU"),
      amount("stray-receipts", "strayReceipts", "so many receipts about nothing come with each receipt"),
    ],
  },
  {
    title: "Pace",
    flags: [
      amount("throttle-per-second", "throttlePerSecond", "submit_sm accepted from a system_id; 0: no limit"),
      amount("throttle-window-ms", "throttleWindowMs", "the span in which that rate holds"),
      amount("throttle-burst", "throttleBurst", "in place of a span, so many at once, refilled at the rate"),
      status("throttle-status", "throttleStatus", "what is too much gets this status"),
    ],
  },
  {
    title: "Links",
    flags: [
      amount("drop-after", "dropAfter", "drop each link at its Nth submit_sm, accepted unanswered; 0: never"),
      amount("drop-times", "dropTimes", "drop so many links at most; 0: no limit"),
      oneOf("drop-mode", "dropMode", DROP_MODES, "how"),
      amount("stall-after", "stallAfter", "stop reading each link at its Nth submit_sm; 0: never"),
      amount("stall-ms", "stallMs", "for so long; 0: for ever"),
      amount("unbind-after", "unbindAfter", "ask each link to unbind at its Nth submit_sm; 0: never"),
      turn("ignore-enquire-link", "ignoreEnquireLink", "never answer enquire_link"),
      amount("enquire-link-ms", "enquireLinkMs", "how often a link is asked whether it is there"),
      turn("byte-writes", "byteWrites", "write every octet apart"),
      amount("garbage-every", "garbageEvery", "write garbage after every Nth submit_sm of a link; 0: never"),
      oneOf("garbage-kind", "garbageKind", ["cycle", ...GARBAGE_KINDS], "of this kind; cycle: each in turn"),
    ],
  },
  {
    title: "Checks: what it has to refuse is always counted; these count besides",
    flags: [
      amount("window-check", "windowCheck", "more unanswered submit_sm on a link than that; 0: don't"),
      amount("throughput-check", "throughputCheck", "more submit_sm a second on a link than that; 0: don't"),
      switched("strict", "strict", "refuse what breaks a rule, and exit 3 when any was broken"),
    ],
  },
  {
    title: "Output and control",
    flags: [
      switched("quiet", "quiet", "print nothing but the port, and the sums at the end"),
      switched("json", "json", "print everything seen, one JSON object a line"),
      switched("control", "control", "take commands on standard input"),
    ],
  },
];

export const FLAGS: readonly SmscFlag[] = FLAG_GROUPS.flatMap(({ flags }) => flags);
