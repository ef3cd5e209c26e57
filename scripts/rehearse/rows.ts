/** One operator's habit to rehearse against: how the simulated operator is started, and how the appliance is told of it. */
export type Row = {
  readonly name: string;
  /** Flags of `bendre smsc`. */
  readonly smsc: readonly string[];
  /** Operators over the one account, four at most; each has the connections. One unless there are more. */
  readonly operators?: number;
  /** Lines of each connection's table, over the usual ones; one connection unless there are more. */
  readonly connections?: readonly string[];
  readonly window?: number;
  readonly throughput?: number;
  /** What else may end a message than its delivery. */
  readonly mayEnd?: readonly Ending[];
  /** TLS, with a certificate made for the run. */
  readonly isTls?: true;
};

/** `refused` and `undelivered` FAILED, `unreceipted` SENT. */
export type Ending = "refused" | "undelivered" | "unreceipted";

const SOON = ["--receipt-delay-ms", "20", "--receipt-jitter-ms", "80"];
const row = (name: string, flags: string, more: Omit<Row, "name" | "smsc"> = {}): Row => ({
  name,
  smsc: [...SOON, ...flags.split(" ").filter((word) => word !== "")],
  ...more,
});

const PAIR = ['bind = "transmitter"', 'bind = "receiver"'];
const TWO = ["", ""];
/** Drops and stalls happen this often, whatever the number of messages. */
const DROP = "--drop-after 220 --drop-times 5 --drop-mode";

/** Every row, in the order of the table. */
export const ROWS: readonly Row[] = [
  row("plain", ""),
  row("transmitter and receiver", "", { connections: PAIR }),
  row("two transceivers", "", { connections: TWO }),
  row("sar parameters", "", { connections: ['long_messages = "sar"'] }),
  row("message_payload", "", { connections: ['long_messages = "payload"'] }),
  row("latin-1 alphabet", "--default-alphabet latin1", { connections: ['default_alphabet = "latin1"'] }),
  row("tls", "", { isTls: true }),

  row("ids hex", "--id-format hex"),
  row("ids hex upper", "--id-format hex_upper"),
  row("ids uuid", "--id-format uuid"),
  row("ids hex, then decimal", "--id-format hex_response_decimal_receipt"),
  row("ids decimal, then hex", "--id-format decimal_response_hex_receipt"),
  row("ids in another case", "--id-format hex --receipt-id-case upper"),
  row("ids padded in receipts", "--receipt-id-pad 20"),
  row("ids padded in responses", "--response-id-pad 20"),
  row(
    "ids padded hex, then dec",
    "--id-format hex_response_decimal_receipt --response-id-pad 16 --receipt-id-pad 20",
  ),
  row("ids used again", "--reuse-ids-after 300"),

  row("receipts early", "--receipt-before-response --response-delay-ms 30"),
  row("receipts doubled", "--duplicate-receipt-percent 100"),
  row("receipts lost", "--lost-receipt-percent 20", { mayEnd: ["unreceipted"] }),
  row("receipts, none at all", "--no-receipts", { mayEnd: ["unreceipted"] }),
  row("receipts undelivered", "--delivered-percent 70", { mayEnd: ["undelivered"] }),
  row("receipts without tlvs", "--no-tlvs"),
  row("receipts without text", "--no-receipt-text"),
  row("receipts in payload", "--payload-receipts"),
  row("receipts in payload, no tlvs", "--payload-receipts --no-tlvs"),
  row("receipts as data_sm", "--data-sm-receipts"),
  row("receipts unmarked", "--unmarked-receipts"),
  row("receipts unmarked, no tlvs", "--unmarked-receipts --no-tlvs --receipt-seconds"),
  row("receipts enroute first", "--enroute-receipts"),
  row("receipts elsewhere", "--receipts-elsewhere", { connections: TWO }),
  row("receipts all at once", "--receipt-window 0 --receipt-delay-ms 4000"),
  row("receipts, broken parameters", "--broken-parameters"),
  row("receipts about nothing", "--stray-receipts 2"),
  row("account shared by four", "--receipts-elsewhere", { operators: 4 }),
  row("account shared, early", "--receipts-elsewhere --receipt-before-response --response-delay-ms 30", {
    operators: 4,
  }),
  row("account shared, unmarked", "--receipts-elsewhere --unmarked-receipts --no-tlvs", { operators: 4 }),
  row("receipts repeated unacked", "--receipt-ack-timeout-ms 3"),

  row("responses late, disordered", "--response-delay-ms 100 --response-jitter-ms 600", { window: 100 }),
  row("responses swallowed", "--swallow-every 40"),
  row("responses refused", "--refuse-percent 20", { mayEnd: ["refused"] }),
  row("responses refused, body", "--refuse-percent 20 --refuse-status 0x0B --refusal-body", {
    mayEnd: ["refused"],
  }),
  row("responses try later", "--refuse-percent 10 --refuse-status 0x08"),

  row("throttled, sliding", "--throttle-per-second 200"),
  row("throttled, long window", "--throttle-per-second 200 --throttle-window-ms 3000"),
  row("throttled, bucket", "--throttle-per-second 200 --throttle-burst 20"),
  row("throttled, queue full", "--throttle-per-second 200 --throttle-status 0x14"),

  row("bytes apart", "--byte-writes"),
  row("garbage", "--garbage-every 40"),
  row("dropped, rst", `${DROP} rst`),
  row("dropped, fin", `${DROP} fin`),
  row("dropped, mid-pdu", `${DROP} mid_pdu`),
  row("dropped, half open", `${DROP} half_open`),
  row("dropped, in flight", `${DROP} rst --response-delay-ms 15`),
  row("stalled", "--stall-after 100 --stall-ms 3000"),
  row("stalled for ever", "--stall-after 400 --enquire-link-ms 500"),
  row("unbound by the operator", "--unbind-after 200"),
  row("binds refused", "--refuse-binds 3 --refuse-bind-status 0x08"),
  row("binds refused, bound already", "--refuse-binds 3 --refuse-bind-status 0x05"),
  row("binds limited", "--max-binds 1", { connections: TWO }),
  row("binds slow", "--bind-delay-ms 700"),
  row("outbind first", "--outbind"),
  row("enquire_link ignored", "--ignore-enquire-link --receipt-delay-ms 2500"),
  row("enquire_link often", "--enquire-link-ms 100"),

  row(
    "everything at once",
    "--id-format hex_response_decimal_receipt --receipt-id-pad 20 --receipt-before-response --response-delay-ms 20 --response-jitter-ms 60 --duplicate-receipt-percent 30 --no-tlvs --payload-receipts --enroute-receipts --throttle-per-second 400 --byte-writes --garbage-every 300 --drop-after 250 --drop-times 3 --swallow-every 200",
    { connections: TWO, window: 20 },
  ),
];
