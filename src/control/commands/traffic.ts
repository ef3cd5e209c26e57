import { operatorRename, operatorRetire } from "../../operations/operator-codes.ts";
import { operatorPause, operatorReconnect, operatorResume } from "../../operations/operator-pauses.ts";
import { operatorTest, operatorTests } from "../../operations/operator-test.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { operatorReceipts } from "../../reports/parked-receipts.ts";
import { queueShow } from "../../reports/queue.ts";
import { operatorUnanswered } from "../../reports/unanswered.ts";
import { type AdminCommand, type Flag, needed, optional, type Positional } from "../command.ts";

const CODE: Positional = { name: "CODE" };
const CONNECTION: Positional = {
  name: "CONNECTION",
  isOptional: true,
};
const OPERATOR: Flag = { name: "operator", value: "CODE" };
const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };

/** What goes to and comes from the operators. */
export const TRAFFIC_COMMANDS: readonly AdminCommand[] = [
  {
    name: "queue show",
    does: "reads",
    positionals: [],
    flags: [{ name: "watch", value: null }],
    isWatchable: true,
    table: [
      {
        rows: "queues",
        columns: ["operator", "message_class", "messages", "held", "oldest_at", "rate", "empty_at"],
      },
    ],
    run: (context) => queueShow(context),
  },
  {
    name: "operator unanswered",
    does: "reads",
    positionals: [],
    flags: [OPERATOR, LIMIT],
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      return limit.ok ? operatorUnanswered(context, optional(args, "operator"), limit.value) : limit;
    },
  },
  {
    name: "operator receipts",
    does: "reads",
    positionals: [],
    flags: [OPERATOR, LIMIT],
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      return limit.ok ? operatorReceipts(context, optional(args, "operator"), limit.value) : limit;
    },
  },
  {
    name: "operator pause",
    positionals: [CODE, CONNECTION],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) =>
      operatorPause(context, needed(args, "CODE"), optional(args, "CONNECTION"), needed(args, "reason")),
  },
  {
    name: "operator resume",
    positionals: [CODE, CONNECTION],
    flags: [],
    run: (context, args) => operatorResume(context, needed(args, "CODE"), optional(args, "CONNECTION")),
  },
  {
    name: "operator reconnect",
    positionals: [CODE, CONNECTION],
    flags: [],
    needsServer: true,
    run: (context, args) => operatorReconnect(context, needed(args, "CODE"), optional(args, "CONNECTION")),
  },
  {
    name: "operator test",
    positionals: [CODE, { name: "MSISDN" }],
    flags: [
      { name: "text", value: "TEXT" },
      { name: "sender", value: "NAME" },
      { name: "wait", value: "SECONDS" },
    ],
    needsServer: true,
    exitCode: (value) => (isWell(value) ? 0 : 1),
    run: (context, args) => {
      const seconds = readWhole(optional(args, "wait") ?? "60");
      if (!seconds.ok) return seconds;
      return operatorTest(context, needed(args, "CODE"), {
        msisdn: needed(args, "MSISDN"),
        text: optional(args, "text"),
        sender: optional(args, "sender"),
        waitSeconds: seconds.value,
        anyNumber: true,
      });
    },
  },
  {
    name: "operator tests",
    does: "reads",
    positionals: [],
    flags: [OPERATOR, LIMIT],
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
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      return limit.ok ? operatorTests(context, optional(args, "operator"), limit.value) : limit;
    },
  },
  {
    name: "operator rename",
    positionals: [{ name: "OLD" }, { name: "NEW" }],
    flags: [],
    run: (context, args) => operatorRename(context, needed(args, "OLD"), needed(args, "NEW")),
  },
  {
    name: "operator retire",
    positionals: [{ name: "CODE" }],
    flags: [],
    run: (context, args) => operatorRetire(context, needed(args, "CODE")),
  },
];

/** It arrived, or an operator without receipts took it. */
function isWell(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && value.error === null;
}
