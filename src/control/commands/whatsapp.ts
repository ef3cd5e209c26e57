import { type TemplatesView, WHATSAPP_OPERATIONS } from "../../operations/whatsapp.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

const TABLES: NonNullable<AdminCommand["table"]> = [
  {
    rows: "templates",
    columns: [
      ...["operators", "name", "language", "category", "status", "quality", "is_usable", "why_not"],
      ...["moves_to", "moves_at", "body"],
    ],
  },
  {
    rows: "stopped_texts",
    title: "text without a template, stopped",
    columns: ["operator", "message_class", "since", "why"],
  },
  { rows: "syncs", title: "readings", columns: ["waba_id", "tried_at", "synced_at", "error"] },
];

/** What can be sent by the numbers of WhatsApp. */
export const WHATSAPP_COMMANDS = commandsOf(WHATSAPP_OPERATIONS, {
  "whatsapp sync": { table: TABLES, exitCode: (value) => (allWereRead(value) ? 0 : 1) },
  "whatsapp template": { table: TABLES },
});

function allWereRead(value: unknown): boolean {
  const { syncs } = value as TemplatesView;
  return syncs.every(({ error }) => error === null);
}
