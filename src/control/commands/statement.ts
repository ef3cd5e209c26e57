import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { readTime } from "../../operations/typed-values.ts";
import { batchesStatement, batchStatement } from "../../reports/batch-statements.ts";
import { walletInvoice } from "../../reports/invoice.ts";
import { type StatementPeriod, statementPage, walletStatement } from "../../reports/statements.ts";
import { ACCOUNT, type AdminCommand, type Args, needed, optional } from "../command.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const FIGURES = ["messages", "segments", "reserved", "charged", "released", "still_reserved"];
const OF_LINES = [...FIGURES, "billed_segments", "free_segments"];
const CSV = { name: "csv", value: null };

export const STATEMENT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "wallet statement",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [
      { name: "from", value: "ISO" },
      { name: "to", value: "ISO" },
      {
        name: "batch",
        value: "BATCH",
        excludes: ["batches", "from", "to"],
      },
      {
        name: "batches",
        value: null,
      },
      MODE_FLAG,
      CSV,
    ],
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
    run: (context, args) => {
      const account = needed(args, "ACCOUNT");
      const mode = readMode(args);
      if (!mode.ok) return mode;
      const batch = optional(args, "batch");
      if (batch !== null) return batchStatement(context, account, batch, mode.value);
      const period = readPeriod(args);
      if (!period.ok) return period;
      if (optional(args, "batches") !== null)
        return batchesStatement(context, account, period.value, undefined, mode.value);
      const ask = optional(args, "page") === null ? walletStatement : statementPage;
      return ask(context, account, period.value, undefined, mode.value);
    },
  },
  {
    name: "wallet invoice",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [{ name: "from", value: "ISO" }, { name: "to", value: "ISO" }, CSV],
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
    run: (context, args) => {
      const period = readPeriod(args);
      return period.ok ? walletInvoice(context, needed(args, "ACCOUNT"), period.value) : period;
    },
  },
];

/** The time that `--from` and `--to` name: a date alone begins with its day, and ends after it. */
function readPeriod(args: Args): AdminOutcome<StatementPeriod> {
  const from = args.from === undefined ? done(null) : readTime(args.from);
  if (!from.ok) return from;
  const to = args.to === undefined ? done(null) : readTime(args.to);
  if (!to.ok) return to;
  const fromMs = from.value?.beginMs ?? null;
  const toMs = to.value && (to.value.isDay ? to.value.endMs : to.value.beginMs);
  if (fromMs !== null && toMs !== null && fromMs > toMs) {
    return refuse("INVALID_TIME.backwards", { from: args.from ?? "", to: args.to ?? "" });
  }
  return done({ fromMs, toMs });
}
