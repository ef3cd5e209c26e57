import { readWhole } from "../../operations/typed-values.ts";
import { inboundListFor } from "../../reports/inbound.ts";
import { messageTraceFor } from "../../reports/message-trace.ts";
import { type AdminCommand, type Flag, needed, optional, type Positional } from "../command.ts";
import { OPERATOR_COMMANDS } from "./operator.ts";
import { QUEUE_COMMANDS } from "./queue.ts";

const MESSAGE: Positional = { name: "MESSAGE" };
const OPERATOR: Flag = { name: "operator", value: "CODE" };
const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };

/** Of what shows texts: scripts that were made without it go on, and the audit list tells that they read. */
const REASON: Flag = { name: "reason", value: "TEXT" };

/** What goes to and comes from the operators, message by message. */
export const TRAFFIC_COMMANDS: readonly AdminCommand[] = [
  {
    name: "message trace",
    does: (args) => (args["show-text"] === undefined ? "reads" : "changes"),
    positionals: [MESSAGE],
    flags: [
      {
        name: "show-text",
        value: null,
      },
      REASON,
      { name: "hex", value: null },
      {
        name: "pcap",
        value: "FILE",
      },
    ],
    table: [
      { rows: "events", columns: ["at", "event", "part", "connection", "detail"] },
      { rows: "pdus", columns: ["at", "way", "connection", "command", "sequence_number", "hex", "assumed"] },
    ],
    file: { flag: "pcap", member: "pcap" },
    run: (context, args) =>
      messageTraceFor(
        context,
        needed(args, MESSAGE.name),
        {
          text: args["show-text"] !== undefined,
          hex: args.hex !== undefined,
          pcap: args.pcap !== undefined,
        },
        optional(args, "reason"),
      ),
  },
  ...QUEUE_COMMANDS,
  ...OPERATOR_COMMANDS,
  {
    name: "inbound list",
    does: "notes",
    positionals: [],
    flags: [OPERATOR, { name: "from", value: "ISO" }, { name: "before", value: "ID" }, LIMIT, REASON],
    table: {
      rows: "texts",
      columns: ["received_at", "operator", "from", "to", "text", "missing_parts", "times", "opt_out"],
    },
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      if (!limit.ok) return limit;
      const [operator, from, before] = ["operator", "from", "before"].map((name) => optional(args, name));
      return inboundListFor(
        context,
        { operator: operator ?? null, from: from ?? null, before: before ?? null, limit: limit.value },
        optional(args, "reason"),
      );
    },
  },
];
