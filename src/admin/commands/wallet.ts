import { readAmount } from "../amount.ts";
import { batchesStatement, batchStatement } from "../batch-statements.ts";
import { ACCOUNT, type Args, type Command, needed, optional } from "../command.ts";
import { parseStretch, type Stretch } from "../instant.ts";
import { type AdminOutcome, done, refuse } from "../refusal.ts";
import { walletStatement } from "../statements.ts";
import { walletAdjust, walletShow, walletTopUp } from "../wallets.ts";

const MONEY = ["reserved", "charged", "released", "still_reserved"];

export const WALLET_COMMANDS: readonly Command[] = [
  {
    name: "wallet topup",
    summary: "pay money into a wallet; a reference counts once",
    positionals: [ACCOUNT, { name: "AMOUNT", help: "whole XOF" }],
    flags: [{ name: "reference", value: "TEXT", help: "the payment's own reference", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletTopUp(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reference"));
    },
  },
  {
    name: "wallet adjust",
    summary: "correct a wallet by hand, up or down",
    positionals: [ACCOUNT, { name: "AMOUNT", help: "whole XOF, with a sign: -500" }],
    flags: [{ name: "reason", value: "TEXT", help: "why, for the statement", isRequired: true }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      return walletAdjust(context, needed(args, "ACCOUNT"), amount.value, needed(args, "reason"));
    },
  },
  {
    name: "wallet show",
    summary: "show what an account has and may spend",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => walletShow(context, needed(args, "ACCOUNT")),
  },
  {
    name: "wallet statement",
    summary: "list the entries of a wallet with cause and running balance, or what its batches cost",
    positionals: [ACCOUNT],
    flags: [
      { name: "from", value: "ISO", help: "entries at or after this; a date alone is UTC" },
      { name: "to", value: "ISO", help: "entries before this; a date alone includes that day" },
      { name: "batch", value: "BATCH", help: "what this batch costs, by operator and price" },
      { name: "batches", value: null, help: "what each batch accepted in that time costs" },
      { name: "csv", value: null, help: "as comma-separated values" },
    ],
    csv: [
      {
        rows: "entries",
        columns: ["at", "kind", "amount", "change", "balance", "batch_id", "cause", "note"],
      },
      { rows: "lines", columns: ["operator", "price", "messages", "segments", ...MONEY] },
      {
        rows: "batches",
        columns: [
          "batch_id",
          "created_at",
          "sender",
          "message_class",
          "status",
          "messages",
          "segments",
          ...MONEY,
        ],
      },
    ],
    run: (context, args) => {
      const from = optionalStretch(args, "from");
      if (!from.ok) return from;
      const to = optionalStretch(args, "to");
      if (!to.ok) return to;
      const stretch = { fromMs: from.value?.beginMs ?? null, toMs: endOf(to.value) };
      const account = needed(args, "ACCOUNT");
      const batch = optional(args, "batch");
      if (batch !== null) return batchStatement(context, account, batch);
      return optional(args, "batches") === null
        ? walletStatement(context, account, stretch)
        : batchesStatement(context, account, stretch);
    },
  },
];

function optionalStretch(args: Args, flag: string): AdminOutcome<Stretch | null> {
  const text = optional(args, flag);
  if (text === null) return done(null);
  const stretch = parseStretch(text);
  return stretch
    ? done(stretch)
    : refuse("INVALID_TIME", `${JSON.stringify(text)} is not an ISO 8601 date or date-time`);
}

/** Where a statement ends: at an instant that was named, or after a day that was named. */
function endOf(stretch: Stretch | null): number | null {
  if (stretch === null) return null;
  return stretch.endMs - stretch.beginMs === 1 ? stretch.beginMs : stretch.endMs;
}
