/** Derives commands from operations: their words and flags are the operations' parameters. */
import type { AdminCommand, Args, Flag, Positional, TableShape } from "./command.ts";
import type { AdminContext } from "./operations/context.ts";
import type { AnyOperation, Operations, Parameter, Parameters } from "./operations/operation.ts";
import { type AdminOutcome, done } from "./operations/refusal.ts";
import type { TemplatesView } from "./operations/whatsapp.ts";
import type { OPERATIONS } from "./registry.ts";

/** What is special to an operation's command on a terminal. */
type CommandPresentation = Pick<
  AdminCommand,
  "csv" | "isPaged" | "pagedBy" | "table" | "file" | "isWatchable" | "exitCode"
> & {
  /** The default of `--limit` with `--csv`. */
  readonly csvLimit?: number;
};

const CSV: Flag = { name: "csv", value: null };
const WATCH: Flag = { name: "watch", value: null };

/** Derives the commands of a table of operations. */
export function deriveCommands<Defined extends Operations>(
  operations: Defined,
  shown: { readonly [Name in keyof Defined]?: CommandPresentation } = {},
): AdminCommand[] {
  return Object.entries(operations).map(([name, operation]) => deriveCommand(name, operation, shown[name]));
}

function deriveCommand(name: string, operation: AnyOperation, shown: CommandPresentation = {}): AdminCommand {
  const { params, does = "changes", needsServer } = operation;
  const { csvLimit, ...rest } = shown;
  const given = Object.entries(params);
  const surface = [...(shown.csv ? [CSV] : []), ...(shown.isWatchable ? [WATCH] : [])];
  return {
    name,
    positionals: given.flatMap(([, parameter]) => toPositional(parameter, params)),
    flags: [...given.flatMap(([key, parameter]) => toFlag(key, parameter)), ...surface],
    does:
      typeof does === "string"
        ? does
        : (args) => does((key) => args[toArgumentName(key, params[key])] !== undefined),
    ...(needsServer === undefined ? {} : { needsServer }),
    ...rest,
    run: (context, args) => {
      const isLong = csvLimit !== undefined && args.csv !== undefined && args.limit === undefined;
      return runTyped(context, operation, isLong ? { ...args, limit: String(csvLimit) } : args);
    },
  };
}

async function runTyped(
  context: AdminContext,
  operation: AnyOperation,
  args: Args,
): Promise<AdminOutcome<unknown>> {
  const values = readTyped(operation.params, args);
  return values.ok ? operation.run(context, values.value) : values;
}

/** Reads the arguments as values; refuses the first that cannot be read. */
function readTyped(params: Parameters, args: Args): AdminOutcome<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(params)) {
    const inPlace = flagInPlaceOf(parameter, params);
    const isReplaced = inPlace !== undefined && args[inPlace] !== undefined;
    const typed = isReplaced ? undefined : args[toArgumentName(key, parameter)];
    const mayBeMissing = inPlace === undefined || isReplaced;
    if (typed === undefined && mayBeMissing && parameter.otherwise !== undefined) {
      values[key] = parameter.otherwise.value;
      continue;
    }
    // A word replaced by a flag is absent; what is required is there, or the parser refused.
    const value = parameter.typed.read(typed ?? "");
    if (!value.ok) return value;
    values[key] = value.value;
  }
  return done(values);
}

/** The flag that may replace a word: the word is left out only where the flag is given. */
function flagInPlaceOf({ typed: { word } }: Parameter<unknown>, params: Parameters): string | undefined {
  if (word === undefined) return undefined;
  const found = Object.entries(params).find(([, { typed }]) => typed.replaces === word);
  return found && toArgumentName(...found);
}

/** The name of a parameter among the typed arguments. */
function toArgumentName(key: string, parameter: Parameter<unknown> | undefined): string {
  return parameter?.typed.word ?? parameter?.typed.flag ?? key.replaceAll("_", "-");
}

function toPositional(parameter: Parameter<unknown>, params: Parameters): Positional[] {
  const { word, helpValues, isFile, isPath } = parameter.typed;
  if (word === undefined) return [];
  return [
    {
      name: word,
      ...(helpValues && { helpValues }),
      ...(isFile && { isFile }),
      ...(isPath && { isPath }),
      ...(parameter.otherwise && flagInPlaceOf(parameter, params) === undefined && { isOptional: true }),
    },
  ];
}

function toFlag(key: string, parameter: Parameter<unknown>): Flag[] {
  const { word, value, helpValues, choices, excludes, replaces, isUnlisted } = parameter.typed;
  if (word !== undefined || isUnlisted) return [];
  return [
    {
      name: toArgumentName(key, parameter),
      value,
      ...(helpValues && { helpValues }),
      ...(choices && { choices }),
      ...(excludes && { excludes }),
      ...(replaces && { replaces }),
      ...(parameter.otherwise === undefined && { isRequired: true }),
    },
  ];
}

// What is special to commands on a terminal, by name: tables, files, exit codes. Everything else follows from the operation.

const ACCOUNTS: TableShape = {
  rows: "accounts",
  columns: [
    "name",
    "short_name",
    "status",
    "billing_mode",
    "wallet.balance",
    "wallet.spendable",
    "account_id",
  ],
};

const FIGURES = ["messages", "segments", "reserved", "charged", "released", "still_reserved"];
const OF_LINES = [...FIGURES, "billed_segments", "free_segments"];

const MESSAGES: TableShape = {
  rows: "messages",
  columns: ["created_at", "msisdn", "status", "error.code", "operator", "sender", "account", "message_id"],
};

const DELIVERY: TableShape = {
  rows: "rows",
  columns: [
    "key",
    "account",
    "accepted",
    "sent",
    "delivered",
    "failed",
    "without_receipt",
    "delivered_share",
    "receipt_seconds.p50",
    "receipt_seconds.p90",
    "receipt_seconds.p99",
    "segments",
    "charged",
  ],
};

const MARGIN: TableShape = {
  rows: "rows",
  columns: [
    "key",
    "account",
    "segments",
    "charged",
    "cost",
    "unknown_cost_segments",
    "margin",
    "margin_share",
  ],
};

const TEMPLATES: readonly TableShape[] = [
  {
    rows: "templates",
    columns: [
      "operators",
      "name",
      "language",
      "category",
      "status",
      "quality",
      "is_usable",
      "why_not",
      "moves_to",
      "moves_at",
      "body",
    ],
  },
  {
    rows: "stopped_texts",
    title: "text without a template, stopped",
    columns: ["operator", "message_class", "since", "why"],
  },
  { rows: "syncs", title: "readings", columns: ["waba_id", "tried_at", "synced_at", "error"] },
];

/** The exit code of "config diff" where there are differences (docs/administration.md#reload). */
const DIFFERENT = 3;

export const PRESENTATIONS: { readonly [Name in keyof typeof OPERATIONS]?: CommandPresentation } = {
  "account list": { table: ACCOUNTS },
  "account find": { table: ACCOUNTS },
  "smpp list": {
    table: {
      rows: "users",
      columns: [
        "system_id",
        "status",
        "mode",
        "class",
        "sender",
        "max_binds",
        "throughput",
        "networks",
        "tls",
        "account_id",
      ],
    },
  },
  "smpp show": {
    table: [
      {
        rows: "sessions",
        title: "sessions",
        columns: ["session", "peer", "bind", "version", "tls", "since", "window_used", "rate"],
      },
      { rows: "refusals", title: "refusals", columns: ["at", "command_status", "reason", "detail"] },
    ],
    isWatchable: true,
  },
  "wallet statement": {
    csv: [
      {
        rows: "entries",
        columns: ["at", "kind", "amount", "change", "balance", "batch_id", "cause", "note"],
        first: { texts: { kind: "OPENING" }, members: { at: "from", balance: "opening_balance" } },
        last: { texts: { kind: "CLOSING" }, members: { at: "to", balance: "closing_balance" } },
      },
      { rows: "lines", columns: ["operator", "price", ...OF_LINES] },
      {
        rows: "batches",
        columns: ["batch_id", "created_at", "sender", "message_class", "status", ...FIGURES],
      },
    ],
    isPaged: true,
    table: { rows: "entries", columns: ["at", "kind", "change", "amount", "balance", "batch_id", "note"] },
  },
  "wallet invoice": {
    file: { flag: "pdf", member: "pdf" },
    csv: [
      {
        rows: "lines",
        columns: ["operator", "message_class", "price", ...OF_LINES],
        last: {
          texts: { operator: "TOTAL" },
          members: Object.fromEntries(OF_LINES.map((figure) => [figure, `total.${figure}`])),
        },
      },
    ],
  },
  "suppression list": {
    csv: [{ rows: "suppressions", columns: ["msisdn", "message_class", "source", "created_at", "note"] }],
  },
  "suppression find": {
    table: { rows: "lists", columns: ["account", "message_class", "source", "created_at", "note"] },
  },
  "batch list": {
    table: {
      rows: "batches",
      columns: [
        "batch_id",
        "status",
        "message_class",
        "sender",
        "accepted",
        "rejected",
        "reserved_amount",
        "charged_amount",
        "released_amount",
        "created_at",
      ],
    },
  },
  "batch find": {
    table: {
      rows: "batches",
      columns: [
        "created_at",
        "account",
        "status",
        "message_class",
        "sender",
        "accepted",
        "rejected",
        "charged_amount",
        "batch_id",
      ],
    },
  },
  "batch rejections": {
    csvLimit: 5000,
    csv: [{ rows: "rejections", columns: ["index", "msisdn", "reason_code", "client_reference"] }],
  },
  "message find": {
    csv: [
      {
        rows: "messages",
        columns: [
          "created_at",
          "message_id",
          "account_id",
          "account",
          "batch_id",
          "msisdn",
          "operator",
          "sender",
          "message_class",
          "status",
          "error",
          "segments",
          "amount",
          "submitted_at",
          "sent_at",
          "delivered_at",
          "read_at",
          "finalized_at",
        ],
      },
    ],
    isPaged: true,
    pagedBy: "before",
    // Rows of a page; all pages make one file.
    csvLimit: 1000,
    table: MESSAGES,
  },
  "message named": { table: MESSAGES },
  "message trace": {
    table: [
      { rows: "events", columns: ["at", "event", "part", "connection", "detail"] },
      { title: "routes", rows: "events", having: ["route"], columns: ["at", "event", "part", "route"] },
      { rows: "pdus", columns: ["at", "way", "connection", "command", "sequence_number", "hex", "assumed"] },
    ],
    file: { flag: "pcap", member: "pcap" },
  },
  "operator unanswered": {
    table: [
      {
        rows: "messages",
        columns: ["message_id", "operator", "message_class", "msisdn", "since", "resends", "until", "next"],
      },
      {
        title: "sent_twice",
        rows: "sent_twice",
        columns: ["message_id", "operator", "message_class", "msisdn", "status", "accepted_at"],
      },
    ],
  },
  "inbound list": {
    table: {
      rows: "texts",
      columns: ["received_at", "operator", "from", "to", "text", "missing_parts", "times", "opt_out"],
    },
  },
  "report delivery": { csv: [DELIVERY], table: DELIVERY },
  "report margin": {
    csv: [MARGIN],
    table: [
      MARGIN,
      { title: "unknown_outcomes", rows: "unknown_outcomes", columns: ["operator", "route", "segments"] },
    ],
  },
  "queue show": {
    isWatchable: true,
    table: {
      rows: "queues",
      columns: ["operator", "message_class", "messages", "held", "oldest_at", "rate", "empty_at"],
    },
  },
  "operator status": {
    table: [
      {
        rows: "connections",
        columns: ["operator", "connection", "kind", "host", "port", "bind", "state", "since"],
      },
      {
        title: "routes",
        rows: "routes",
        having: ["route"],
        columns: ["operator", "route", "order", "carries", "why", "away_since", "rate", "segments_last_hour"],
      },
      {
        title: "pace",
        rows: "connections",
        columns: ["operator", "connection", "in_flight", "window", "throughput", "rate", "sent_last_second"],
      },
      {
        title: "what is in the way",
        rows: "connections",
        having: ["paused", "last_error"],
        columns: ["operator", "connection", "paused", "reconnect_in_seconds", "last_error_at", "last_error"],
      },
      {
        title: "traffic since the start",
        rows: "connections",
        columns: [
          "operator",
          "connection",
          "accepted",
          "refused",
          "throttled",
          "postponed",
          "unanswered",
          "receipts_matched",
          "receipts_unmatched",
          "receipts_refused",
        ],
      },
      {
        title: "numbers of WhatsApp",
        rows: "numbers",
        columns: [
          "operator",
          "state",
          "since",
          "in_flight",
          "throughput",
          "rate",
          "sent_last_second",
          "recipients_of_day",
          "recipients_per_day",
          "paused",
          "last_error",
        ],
      },
      {
        title: "SMSC accounts: receipts come by any session of one, whichever operator it is of",
        rows: "smsc_accounts",
        columns: ["account", "operators", "unmarked_receipts", "receipts"],
      },
    ],
  },
  // 0: it was delivered, or accepted by an operator without receipts.
  "operator test": { exitCode: (value) => (memberOf(value, "error") === null ? 0 : 1) },
  "operator tests": {
    table: {
      rows: "tests",
      columns: [
        "at",
        "operator",
        "to",
        "status",
        "submitted_at",
        "answered_at",
        "receipt_at",
        "error",
        "detail",
      ],
    },
  },
  "route export": {
    csv: [{ rows: "rows", columns: ["msisdn", "operator", "by", "since", "source"] }],
    isPaged: true,
    pagedBy: "after",
    csvLimit: 10_000,
  },
  "webhook list": {
    table: {
      rows: "webhooks",
      columns: [
        "webhook_id",
        "status",
        "consecutive_failures",
        "backlog.waiting",
        "backlog.retrying",
        "backlog.next_attempt_at",
        "last_success_at",
        "last_failure_at",
        "url",
      ],
    },
  },
  "whatsapp sync": { table: TEMPLATES, exitCode: (value) => (allWereRead(value) ? 0 : 1) },
  "whatsapp template": { table: TEMPLATES },
  "user list": { table: { rows: "users", columns: ["login", "role", "account", "status", "created_at"] } },
  "data export": {
    table: {
      rows: "messages",
      columns: ["message_id", "account_id", "sender", "status", "segments", "amount", "text"],
    },
  },
  "storage show": { table: { rows: "tables", columns: ["name", "bytes", "rows"] } },
  "config diff": {
    table: changes("changes", "changes"),
    exitCode: (value) => (hasRows(memberOf(value, "changes")) ? DIFFERENT : 0),
  },
  "config reload": { table: [changes("changes", "changed"), changes("restart", "waits for a restart")] },
  "alert list": {
    table: [
      {
        rows: "alerts",
        title: "what lasts",
        having: ["since"],
        columns: ["rule", "subject", "state", "since", "detail", "action"],
      },
      { rows: "alerts", title: "rules", columns: ["rule", "subject", "state"] },
      {
        rows: "deliveries",
        columns: [
          "at",
          "rule",
          "subject",
          "state",
          "channel",
          "recipient",
          "outcome",
          "attempts",
          "error",
          "by",
        ],
      },
    ],
  },
  "audit list": {
    csv: [{ rows: "entries", columns: ["at", "actor", "action", "subject", "detail"] }],
    csvLimit: 10_000,
  },
  "backup list": {
    table: {
      rows: "backups",
      columns: ["made_at", "file", "bytes", "schema", "version", "keys", "verified_at"],
    },
  },
  "backup resume": {
    table: [
      { rows: "decided", columns: ["message_class", "operator", "kind", "messages"] },
      { rows: "counts", title: "still held", columns: ["message_class", "operator", "kind", "messages"] },
      { rows: "late_receipts", columns: ["message_id", "at", "detail"] },
    ],
  },
};

function changes(rows: string, title: string): TableShape {
  return { rows, title, columns: ["path", "change", "waiting", "consequence"] };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function hasRows(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function allWereRead(value: unknown): boolean {
  const { syncs } = value as TemplatesView;
  return syncs.every(({ error }) => error === null);
}
