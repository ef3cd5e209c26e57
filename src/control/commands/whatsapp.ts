import { refuse } from "../../operations/refusal.ts";
import {
  type TemplatesView,
  whatsappRelease,
  whatsappSync,
  whatsappTemplates,
} from "../../operations/whatsapp.ts";
import { type AdminCommand, needed } from "../command.ts";

const TABLES: AdminCommand["table"] = [
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

export const WHATSAPP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "whatsapp sync",
    positionals: [],
    flags: [],
    table: TABLES,
    needsServer: true,
    exitCode: (value) => (allWereRead(value) ? 0 : 1),
    run: (context) => whatsappSync(context),
  },
  {
    name: "whatsapp template",
    does: "reads",
    positionals: [{ name: "list" }],
    flags: [],
    table: TABLES,
    run: (context, args) =>
      needed(args, "list") === "list" ? whatsappTemplates(context) : refuse("COMMAND_UNKNOWN.templates"),
  },
  {
    name: "whatsapp release",
    positionals: [{ name: "NAME" }, { name: "LANGUAGE" }],
    flags: [],
    run: (context, args) => whatsappRelease(context, needed(args, "NAME"), needed(args, "LANGUAGE")),
  },
];

function allWereRead(value: unknown): boolean {
  const { syncs } = value as TemplatesView;
  return syncs.every(({ error }) => error === null);
}
