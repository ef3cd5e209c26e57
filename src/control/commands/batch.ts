import { BATCH_CANCEL_OPERATIONS } from "../../operations/batch-cancel.ts";
import { BATCH_OPERATIONS } from "../../operations/batches.ts";
import { BATCH_FIND_OPERATIONS } from "../../reports/batch-find.ts";
import { REJECTION_OPERATIONS } from "../../reports/rejections.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";
import { BATCH_FILE_COMMANDS } from "./batch-file.ts";

const OPERATIONS = { ...BATCH_OPERATIONS, ...BATCH_CANCEL_OPERATIONS };

export const BATCH_COMMANDS: readonly AdminCommand[] = [
  ...BATCH_FILE_COMMANDS,
  ...commandsOf(OPERATIONS, {
    "batch list": {
      table: {
        rows: "batches",
        columns: [
          ...["batch_id", "status", "message_class", "sender", "accepted", "rejected"],
          ...["reserved_amount", "charged_amount", "released_amount", "created_at"],
        ],
      },
    },
  }),
];

const LOOKUP_OPERATIONS = { ...BATCH_FIND_OPERATIONS, ...REJECTION_OPERATIONS };

/** Batches by what somebody remembers of them, and who was rejected. */
export const BATCH_LOOKUP_COMMANDS = commandsOf(LOOKUP_OPERATIONS, {
  "batch find": {
    table: {
      rows: "batches",
      columns: [
        ...["created_at", "account", "status", "message_class", "sender", "accepted", "rejected"],
        ...["charged_amount", "batch_id"],
      ],
    },
  },
  "batch rejections": {
    csvLimit: 5000,
    csv: [{ rows: "rejections", columns: ["index", "msisdn", "reason_code", "client_reference"] }],
  },
});
