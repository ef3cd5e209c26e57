/**
 * Administrative commands by name, and the socket over which a running server takes them.
 *
 * A command is the words and flags of one operation (`operations.ts`), with what is special of it on a terminal (`shown.ts`). The
 * command line runs it here when no server has the directory, and else asks the server (`control-client`, `control`). It decides
 * nothing itself.
 */
import { refused } from "../core/failures.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { SERVER_OPERATIONS } from "../ops/doctor/server-checks.ts";
import { BATCH_FILE_COMMANDS } from "./batch-file.ts";
import type { AdminCommand, Args, Attachment, Does } from "./command.ts";
import { commandsOf } from "./commands-of.ts";
import type { AdminContext } from "./operations/context.ts";
import { type AdminCode, type AdminOutcome, refuse } from "./operations/refusal.ts";
import { OPERATIONS } from "./registry.ts";
import { SHOWN } from "./shown.ts";

/** Characters of an id. */
const ULID_LENGTH = 26;

/** Every administrative command (docs/administration.md#list-of-commands), those of a noun together, as help lists them. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = byNoun([
  ...commandsOf(OPERATIONS, SHOWN),
  ...BATCH_FILE_COMMANDS,
]);

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

/** Nouns in the order in which they first come. */
function byNoun(commands: readonly AdminCommand[]): AdminCommand[] {
  return [...Map.groupBy(commands, ({ name }) => name.split(" ")[0]).values()].flat();
}
