import { refuse } from "../../operations/refusal.ts";
import { whatsappSync, whatsappTemplates } from "../../operations/whatsapp.ts";
import { type AdminCommand, needed } from "../command.ts";

const TABLES: AdminCommand["table"] = [
  {
    rows: "templates",
    columns: ["operators", "name", "language", "category", "status", "is_usable", "why_not", "body"],
  },
  { rows: "syncs", title: "readings", columns: ["waba_id", "tried_at", "synced_at", "error"] },
];

export const WHATSAPP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "whatsapp sync",
    summary:
      "read the templates of WhatsApp's numbers from Meta now; a running server does it every sync_minutes",
    positionals: [],
    flags: [],
    table: TABLES,
    needsServer: true,
    run: (context) => whatsappSync(context),
  },
  {
    name: "whatsapp template",
    summary: "list the templates that are known, with why one cannot be sent",
    positionals: [{ name: "list", help: "the one thing that is done with them here" }],
    flags: [],
    table: TABLES,
    run: (context, args) =>
      needed(args, "list") === "list"
        ? whatsappTemplates(context)
        : refuse("COMMAND_UNKNOWN", 'templates can only be listed: "whatsapp template list"'),
  },
];
