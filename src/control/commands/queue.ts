import { QUEUE_OPERATIONS } from "../../reports/queue.ts";
import { commandsOf } from "../commands-of.ts";

export const QUEUE_COMMANDS = commandsOf(QUEUE_OPERATIONS, {
  "queue show": {
    isWatchable: true,
    table: {
      rows: "queues",
      columns: ["operator", "message_class", "messages", "held", "oldest_at", "rate", "empty_at"],
    },
  },
});
