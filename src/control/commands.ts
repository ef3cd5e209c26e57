/**
 * Administrative commands by name, and the socket over which a running server takes them.
 *
 * A command is words and flags (`commands/`, a file a noun) over one operation or report. The command line runs it here when no server
 * has the directory, and else asks the server (`control-client`, `control`). It decides nothing itself.
 */
import { refused } from "../base/failures.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { COMPAT_OPERATIONS } from "../operations/compat.ts";
import type { AdminContext } from "../operations/context.ts";
import { KEY_OPERATIONS } from "../operations/keys.ts";
import { PRICE_OPERATIONS } from "../operations/prices.ts";
import { type AdminCode, type AdminOutcome, refuse } from "../operations/refusal.ts";
import { SENDER_OPERATIONS } from "../operations/senders.ts";
import { WALLET_OPERATIONS } from "../operations/wallets.ts";
import { SERVER_OPERATIONS } from "../upkeep/doctor/server-checks.ts";
import type { AdminCommand, Args, Attachment, Does } from "./command.ts";
import { ACCOUNT_COMMANDS } from "./commands/account.ts";
import { ALERT_COMMANDS } from "./commands/alert.ts";
import { APPLIANCE_COMMANDS } from "./commands/appliance.ts";
import { BACKUP_COMMANDS } from "./commands/backup.ts";
import { BATCH_COMMANDS } from "./commands/batch.ts";
import { CONFIG_COMMANDS } from "./commands/config.ts";
import { DATA_COMMANDS } from "./commands/data.ts";
import { INBOUND_COMMANDS } from "./commands/inbound.ts";
import { LOOKUP_COMMANDS } from "./commands/lookup.ts";
import { MESSAGE_FIND_COMMANDS, MESSAGE_TRACE_COMMANDS } from "./commands/message.ts";
import { OPERATOR_STATUS } from "./commands/operator.ts";
import { REPORT_COMMANDS } from "./commands/report.ts";
import { STATEMENT_COMMANDS } from "./commands/statement.ts";
import { STORAGE_COMMANDS } from "./commands/storage.ts";
import { SUPPRESSION_COMMANDS } from "./commands/suppression.ts";
import { TRAFFIC_COMMANDS } from "./commands/traffic.ts";
import { USER_COMMANDS } from "./commands/user.ts";
import { WEBHOOK_COMMANDS } from "./commands/webhook.ts";
import { WHATSAPP_COMMANDS } from "./commands/whatsapp.ts";
import { commandsOf } from "./commands-of.ts";

/** Characters of an id. */
const ULID_LENGTH = 26;

/** Every administrative command (docs/administration.md#list-of-commands), in the order that help lists them. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...commandsOf(KEY_OPERATIONS),
  ...commandsOf(COMPAT_OPERATIONS),
  ...commandsOf(WALLET_OPERATIONS),
  ...STATEMENT_COMMANDS,
  ...commandsOf(SENDER_OPERATIONS),
  ...SUPPRESSION_COMMANDS,
  ...commandsOf(PRICE_OPERATIONS),
  ...BATCH_COMMANDS,
  ...MESSAGE_FIND_COMMANDS,
  ...REPORT_COMMANDS,
  ...MESSAGE_TRACE_COMMANDS,
  ...TRAFFIC_COMMANDS,
  ...INBOUND_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...WHATSAPP_COMMANDS,
  ...LOOKUP_COMMANDS,
  ...USER_COMMANDS,
  ...DATA_COMMANDS,
  ...STORAGE_COMMANDS,
  ...CONFIG_COMMANDS,
  ...ALERT_COMMANDS,
  ...OPERATOR_STATUS,
  ...APPLIANCE_COMMANDS,
  ...BACKUP_COMMANDS,
];

/** What the executable asks a running server that nobody types. */
const UNLISTED_COMMANDS: readonly AdminCommand[] = commandsOf(SERVER_OPERATIONS);

const ALL_COMMANDS = [...ADMIN_COMMANDS, ...UNLISTED_COMMANDS];

/** Whether a command is for a running server alone. */
export function needsServer(name: string): boolean {
  return ALL_COMMANDS.some((known) => known.name === name && known.needsServer === true);
}

/** What a command does to the database, by the words that it was given. */
export function doesTo(name: string, args: Args): Does {
  const { does = "changes" } = ALL_COMMANDS.find((known) => known.name === name) ?? {};
  return typeof does === "function" ? does(args) : does;
}

/** Runs a command by its name, wherever it was typed. */
export async function runCommand(
  context: AdminContext,
  name: string,
  args: Args,
  attachment: Attachment | null = null,
): Promise<AdminOutcome<unknown>> {
  const command = ALL_COMMANDS.find((known) => known.name === name);
  if (!command) {
    return refuse("COMMAND_UNKNOWN", { command: name });
  }
  const outcome = await command.run(context, args, attachment);
  if (outcome.ok) return outcome;
  const { code, detail } = outcome.refusal;
  const advice = whereToLook(code, name, args);
  return advice === null ? outcome : refused(code, phrase("cli.look", { refusal: detail, advice }));
}

/**
 * Which command shows what there is, where something of that kind was not found. It is said here and not by operations: of the console, to
 * whom what is another account's is as if it were not there, both must read alike.
 */
function whereToLook(code: AdminCode, command: string, args: Args): Phrase | null {
  const [noun] = command.split(" ");
  switch (code) {
    case "ACCOUNT_NOT_FOUND":
      // Of a text that may be a name, what was found instead is told already.
      return (args.ACCOUNT ?? args.account)?.trim().length === ULID_LENGTH
        ? phrase("cli.look.accounts")
        : null;
    case "BATCH_NOT_FOUND":
      return phrase("cli.look.batches");
    case "MESSAGE_NOT_FOUND":
      return noun === "inbound" ? phrase("cli.look.inbound") : phrase("cli.look.messages");
    case "KEY_NOT_FOUND":
      return phrase("cli.look.keys");
    case "WEBHOOK_NOT_FOUND":
      return phrase("cli.look.webhooks");
    case "SENDER_NOT_FOUND":
      return phrase("cli.look.senders");
    case "USER_NOT_FOUND":
      return noun === "compat" ? phrase("cli.look.compat_users") : phrase("cli.look.users");
    default:
      return null;
  }
}
