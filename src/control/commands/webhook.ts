import { WEBHOOK_OPERATIONS } from "../../operations/webhooks.ts";
import { commandsOf } from "../commands-of.ts";

/** Where programs of accounts are told what happens. */
export const WEBHOOK_COMMANDS = commandsOf(WEBHOOK_OPERATIONS, {
  "webhook list": {
    table: {
      rows: "webhooks",
      columns: [
        ...["webhook_id", "status", "consecutive_failures", "backlog.waiting", "backlog.retrying"],
        ...["backlog.next_attempt_at", "last_success_at", "last_failure_at", "url"],
      ],
    },
  },
});
