import { MESSAGE_TEXT_OPERATIONS } from "../../operations/message-text.ts";
import { MESSAGE_FIND_OPERATIONS } from "../../reports/message-find.ts";
import { MESSAGE_REFERENCE_OPERATIONS } from "../../reports/message-reference.ts";
import { MESSAGE_TRACE_OPERATIONS } from "../../reports/message-trace.ts";
import type { TableShape } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

const FOUND: TableShape = {
  rows: "messages",
  columns: [
    ...["created_at", "msisdn", "status", "error.code", "operator", "sender", "account", "message_id"],
  ],
};

export const MESSAGE_FIND_COMMANDS = commandsOf(MESSAGE_FIND_OPERATIONS, {
  "message find": {
    csv: [
      {
        rows: "messages",
        columns: [
          ...[
            "created_at",
            "message_id",
            "account_id",
            "account",
            "batch_id",
            "msisdn",
            "operator",
            "sender",
          ],
          ...["message_class", "status", "error", "segments", "amount", "submitted_at", "sent_at"],
          ...["delivered_at", "read_at", "finalized_at"],
        ],
      },
    ],
    isPaged: true,
    pagedBy: "before",
    // Rows of a page; all pages make one file.
    csvLimit: 1000,
    table: FOUND,
  },
});

export const MESSAGE_TRACE_COMMANDS = commandsOf(MESSAGE_TRACE_OPERATIONS, {
  "message trace": {
    table: [
      { rows: "events", columns: ["at", "event", "part", "connection", "detail"] },
      { rows: "pdus", columns: ["at", "way", "connection", "command", "sequence_number", "hex", "assumed"] },
    ],
    file: { flag: "pcap", member: "pcap" },
  },
});

const LOOKUP_OPERATIONS = { ...MESSAGE_REFERENCE_OPERATIONS, ...MESSAGE_TEXT_OPERATIONS };

/** Messages by what their clients called them, and their texts. */
export const MESSAGE_LOOKUP_COMMANDS = commandsOf(LOOKUP_OPERATIONS, { "message named": { table: FOUND } });
