import { operatorRename, operatorRetire } from "../../operations/operator-codes.ts";
import { operatorPause, operatorReconnect, operatorResume } from "../../operations/operator-pauses.ts";
import { operatorTest, operatorTests } from "../../operations/operator-test.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { inboundListFor } from "../../reports/inbound.ts";
import { messageTraceFor } from "../../reports/message-trace.ts";
import { operatorReceipts } from "../../reports/parked-receipts.ts";
import { queueShow } from "../../reports/queue.ts";
import { operatorUnanswered } from "../../reports/unanswered.ts";
import { type AdminCommand, type Flag, needed, optional, type Positional } from "../command.ts";

const MESSAGE: Positional = { name: "MESSAGE", help: "the message's id" };
const CODE: Positional = { name: "CODE", help: "the operator's code in the configuration" };
const CONNECTION: Positional = {
  name: "CONNECTION",
  help: "one of its connections, by its place in the list from 1; all of the operator without it",
  isOptional: true,
};
const OPERATOR: Flag = { name: "operator", value: "CODE", help: "of this operator only" };
const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", help: `how many; ${USUAL} without this` };

/** Of what shows texts: scripts that were made without it go on, and the audit list tells that they read. */
const REASON: Flag = { name: "reason", value: "TEXT", help: "why texts are read, for the audit list" };

/** What goes to and comes from the operators, message by message. */
export const TRAFFIC_COMMANDS: readonly AdminCommand[] = [
  {
    name: "message trace",
    does: (args) => (args["show-text"] === undefined ? "reads" : "changes"),
    summary: "show all that happened to one message: submits, answers, receipts, money",
    positionals: [MESSAGE],
    flags: [
      {
        name: "show-text",
        value: null,
        help: "show its text, which is masked without this; who read it is in the audit list",
      },
      REASON,
      { name: "hex", value: null, help: "show its PDUs in hex, made again from what is kept of them" },
      {
        name: "pcap",
        value: "FILE",
        help:
          "write its PDUs into a new file for Wireshark: numbers whole, the text masked without --show-text; made again from " +
          "what is kept, a comment of each packet says what is not; addresses, ports and packets are made up",
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
  {
    name: "queue show",
    does: "reads",
    summary:
      "show what waits to be sent, by operator and class: how many, since when, until when, and what holds them",
    positionals: [],
    flags: [{ name: "watch", value: null, help: "show it again every two seconds, until it is interrupted" }],
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
    summary: "list messages that an operator may or may not have, and what happens to them next",
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
    summary: "list receipts that match no message yet, newest first",
    positionals: [],
    flags: [OPERATOR, LIMIT],
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      return limit.ok ? operatorReceipts(context, optional(args, "operator"), limit.value) : limit;
    },
  },
  {
    name: "operator pause",
    summary:
      "let nothing leave by an operator or one of its connections, until it is resumed; receipts still come",
    positionals: [CODE, CONNECTION],
    flags: [{ name: "reason", value: "TEXT", help: "why, for those who look at it later", isRequired: true }],
    run: (context, args) =>
      operatorPause(context, needed(args, "CODE"), optional(args, "CONNECTION"), needed(args, "reason")),
  },
  {
    name: "operator resume",
    summary: "let messages leave again by an operator that was paused, or by one of its connections",
    positionals: [CODE, CONNECTION],
    flags: [],
    run: (context, args) => operatorResume(context, needed(args, "CODE"), optional(args, "CONNECTION")),
  },
  {
    name: "operator reconnect",
    summary:
      "have an operator's connections wait for their answers, unbind and bind anew; one that is down tries at once",
    positionals: [CODE, CONNECTION],
    flags: [],
    needsServer: true,
    run: (context, args) => operatorReconnect(context, needed(args, "CODE"), optional(args, "CONNECTION")),
  },
  {
    name: "operator test",
    summary: "send one text over an operator, outside all accounts, and follow it to its receipt; 10 an hour",
    positionals: [CODE, { name: "MSISDN", help: "the phone that gets it, in hand best" }],
    flags: [
      { name: "text", value: "TEXT", help: "one segment; without this one that names operator and time" },
      { name: "sender", value: "NAME", help: "who it is from; Bendre without this" },
      { name: "wait", value: "SECONDS", help: "how long its answer and its receipt are waited for; 60" },
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
    summary: "list texts that were sent to test operators, newest first, with what came of each since",
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
    summary: "hand what waits for an operator that left the configuration over to another code",
    positionals: [
      { name: "OLD", help: "the code that it had; not in the configuration" },
      { name: "NEW", help: "the code that it has; in the configuration" },
    ],
    flags: [],
    run: (context, args) => operatorRename(context, needed(args, "OLD"), needed(args, "NEW")),
  },
  {
    name: "operator retire",
    summary: "give up what waits for an operator that left the configuration: FAILED, the money released",
    positionals: [{ name: "CODE", help: "the code that it had; not in the configuration" }],
    flags: [],
    run: (context, args) => operatorRetire(context, needed(args, "CODE")),
  },
  {
    name: "inbound list",
    does: "notes",
    summary: "list what subscribers sent in, newest first; who read it is in the audit list",
    positionals: [],
    flags: [
      OPERATOR,
      { name: "from", value: "ISO", help: "received then or later" },
      { name: "before", value: "ID", help: "texts before this one: next_before of the page before" },
      LIMIT,
      REASON,
    ],
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

/** It arrived, or an operator without receipts took it. */
function isWell(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && value.error === null;
}
