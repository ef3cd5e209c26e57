/**
 * Every administrative command by name, and how one is run.
 *
 * A command is the words and flags of one operation (`registry.ts`), with what is special to a terminal (`operation-commands.ts`).
 * Without a server on the data directory the command line runs it here; otherwise it asks the server over a Unix socket
 * (`control-client.ts`, `control-server.ts`). Commands hold no rules of their own.
 */

import { Type as t } from "typebox";
import { Value } from "typebox/value";
import { decodeText, findLostLine } from "../core/decode-text.ts";
import { causePhrase, type ImportRow, type NewImport, type RowCause } from "../core/import-row.ts";
import { parseWhole } from "../core/parse-number.ts";
import { refused } from "../core/refusals.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../core/text-rules.ts";
import { MESSAGE_CLASSES } from "../domain/accounts/message-class.ts";
import type { TitleLines } from "../domain/imports/headings.ts";
import { type BadRow, readRecipients } from "../domain/imports/spreadsheet.ts";
import { toUnreadableRows } from "../domain/imports/stored-rows.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { SERVER_OPERATIONS } from "../ops/doctor/server-checks.ts";
import {
  ACCOUNT,
  type AdminCommand,
  type Args,
  type Attachment,
  type AttachmentResult,
  type DatabaseEffect,
  type FileAccess,
  type Flag,
  optional,
  requireArgument,
} from "./command.ts";
import { deriveCommands, PRESENTATIONS } from "./operation-commands.ts";
import { batchQuote, batchSend, quoteWithMargin } from "./operations/batch-send.ts";
import type { AdminContext } from "./operations/context.ts";
import { createSearchReader } from "./operations/msisdn.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./operations/refusal.ts";
import { PORTED_FILE_COMMAND } from "./ported-file.ts";
import { OPERATIONS } from "./registry.ts";

// Batches from files: what the command line builds from the words and files before it runs the command.

/** The most rows named in a refusal. */
const MAX_NAMED = 1000;

const SENDER: Flag = { name: "sender", value: "NAME" };
const CLASS: Flag = { name: "class", value: "CLASS", helpValues: { classes: MESSAGE_CLASSES.join(", ") } };
const RECIPIENTS: Flag = {
  name: "recipients",
  value: "FILE",
  isRequired: true,
};

const TEXT_FLAGS: readonly Flag[] = [
  { name: "body", value: "TEXT" },
  { name: "body-file", value: "FILE", excludes: ["body"] },
  { name: "column", value: "NAME" },
  { name: "sheet", value: "NAME|N" },
  { name: "heading-row", value: "N" },
  { name: "skip-bad-rows", value: null },
  {
    name: "scheduled-at",
    value: "T",
  },
  {
    name: "text-policy",
    value: "POLICY",
    choices: TEXT_POLICIES,
  },
  {
    name: "missing-attributes",
    value: "POLICY",
    choices: MISSING_ATTRIBUTES,
  },
  { name: "reference", value: "TEXT" },
];

const BATCH_TABLES = [
  { rows: "by_operator", columns: ["operator", "price", "messages", "segments", "amount"] },
  { rows: "rejections", columns: ["index", "msisdn", "reason_code"] },
  { rows: "characters", columns: ["character", "code_point", "name", "in", "messages", "replacement"] },
  { rows: "warnings", columns: ["code", "detail"] },
  { rows: "unreadable_rows", columns: ["line", "cause"] },
  { rows: "file_notes", columns: ["code", "detail"] },
  { rows: "unfollowed_formats", columns: ["column", "rows", "line", "sent_as", "format"] },
];

const MARGIN_TABLE = {
  title: "margin",
  rows: "margin_by_route",
  columns: [
    "operator",
    "route",
    "segments",
    "charged",
    "cost",
    "unknown_cost_segments",
    "margin",
    "margin_share",
  ],
};

const BATCH_FILE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "batch quote",
    does: "reads",
    positionals: [ACCOUNT, { name: "FILE" }],
    flags: [SENDER, CLASS, ...TEXT_FLAGS, { name: "margin", value: null }],
    table: [...BATCH_TABLES, MARGIN_TABLE],
    attach: (args, files) => attached(args, requireArgument(args, "FILE"), files),
    run: (context, args, brought) => {
      const quote = args.margin === undefined ? batchQuote : quoteWithMargin;
      return quote(context, requireArgument(args, ACCOUNT.name), parted(context, brought).body);
    },
  },
  {
    name: "batch send",
    does: (args) => (args.quote === undefined ? "changes" : "reads"),
    positionals: [ACCOUNT],
    flags: [
      RECIPIENTS,
      { ...SENDER, isRequired: true },
      { ...CLASS, isRequired: true },
      ...TEXT_FLAGS,
      { name: "quote", value: null },
      { name: "yes", value: null },
      {
        name: "idempotency-key",
        value: "KEY",
      },
    ],
    table: BATCH_TABLES,
    preview: { flag: "quote", agreed: "yes" },
    attach: (args, files) => attached(args, requireArgument(args, RECIPIENTS.name), files),
    run: (context, args, brought) => {
      const account = requireArgument(args, ACCOUNT.name);
      const { body, file } = parted(context, brought);
      return args.quote === undefined
        ? batchSend(context, account, body, optional(args, "idempotency-key"), { file })
        : batchQuote(context, account, body);
    },
  },
];

/** Builds the JSON body of a submission from the arguments and the file at `path`; a JSON file is one already. */
async function attached(
  args: Args,
  path: string,
  files: FileAccess,
): Promise<AdminOutcome<AttachmentResult>> {
  const file = await files.read(path);
  if (!file.ok) return file;
  if (path.toLowerCase().endsWith(".json")) return done({ args, attachment: file.value });
  const text = await textToSend(args, files);
  if (!text.ok) return text;
  const row = optional(args, "heading-row");
  const headingRow = row === null ? null : parseWhole(row);
  if (row !== null && (headingRow === null || headingRow === 0)) {
    return refuse("INVALID_NUMBER", { text: row });
  }
  const read = readRecipients(file.value, {
    column: optional(args, "column"),
    sheet: optional(args, "sheet"),
    headingRow,
    isNumber: files.isNumber,
  });
  if (!read.ok) return read;
  const { columns, recipients, bad, titles } = read.value;
  const isSkipping = args["skip-bad-rows"] !== undefined;
  if (bad.length > 0 && (!isSkipping || recipients.length === 0)) {
    return refuseRows(bad);
  }
  const { body, tags } = files.written(
    text.value,
    columns.attributes.filter((name) => name !== null),
  );
  const formats = read.value.formats.filter(({ column }) => tags.has(column.normalize("NFC")));
  const request = {
    sender: args.sender,
    body,
    message_class: args.class?.toUpperCase(),
    scheduled_at: args["scheduled-at"],
    text_policy: args["text-policy"],
    missing_attributes: args["missing-attributes"],
    client_reference: args.reference,
    recipients,
  };
  // The search number of a row is filled in where the batch is accepted, and no row here has an id known there.
  const rows = toUnreadableRows(bad, columns, { tags, soughtBy: () => null, originOf: () => null });
  const json = new TextEncoder().encode(JSON.stringify(request));
  const attachment = withLeftOut(json, { count: bad.length, rows });
  const told = {
    ...(titles === null ? {} : { file_notes: [noteTitles(titles)] }),
    ...(isSkipping ? summariseBadRows(bad) : {}),
    ...(formats.length > 0 ? { unfollowed_formats: formats } : {}),
  };
  return done({ args, attachment, told });
}

/** Lines above the headings, which are no recipients and no bad rows. */
function noteTitles(titles: TitleLines) {
  return { ...titles, detail: phrase("row.titles", { count: titles.count, text: titles.text }) };
}

/** The rows left out, shown beside the answer for the others. */
function summariseBadRows(bad: readonly BadRow[]) {
  return {
    unreadable: bad.length,
    unreadable_rows: bad.map(({ line, cause }) => ({ line, cause: causePhrase(cause) ?? "" })),
  };
}

function parted({ config }: AdminContext, brought: Attachment | null) {
  return brought === null ? { body: null, file: null } : leftOutOf(brought, createSearchReader(config));
}

async function textToSend(args: Args, files: FileAccess): Promise<AdminOutcome<string>> {
  const path = optional(args, "body-file");
  if (path === null) {
    const body = optional(args, "body");
    return body === null ? refuse("INVALID_TEXT.missing") : done(body);
  }
  const file = await files.read(path);
  // A line end after the last line comes from the editor and is no part of the text.
  if (!file.ok) return file;
  const text = decodeText(file.value).replace(/\r?\n$/, "");
  const lost = findLostLine(text);
  return lost === null ? done(text) : refuse("INVALID_TEXT.lost", { line: lost });
}

function refuseRows(bad: readonly BadRow[]) {
  const named = bad
    .slice(0, MAX_NAMED)
    .map(({ line, cause }) => phrase("line", { line, why: causePhrase(cause) ?? said(cause.code) }));
  const rest = bad.length > MAX_NAMED ? [phrase("more", { more: bad.length - MAX_NAMED })] : [];
  return refuse("INVALID_FILE.unreadable_rows", { unreadable: bad.length, rows: [...named, ...rest] });
}

/** The fields of an unreadable row that are handed over. */
type LeftOutRow = Pick<ImportRow, "line" | "written" | "cells" | "client_reference"> & {
  readonly cause: ImportRow["cause"];
};

/** The rows left out of a file: how many, and the first of them. */
type LeftOut = { readonly count: number; readonly rows: readonly LeftOutRow[] };

/** Marks a body with left-out rows: no JSON starts with it; a line of JSON follows, then the body. */
const MARK = "#";
const LINE_END = 0x0a;

/** Prefixes a body with the rows left out of it. */
function withLeftOut(body: Attachment, leftOut: LeftOut): Attachment {
  if (leftOut.count === 0) return body;
  const head = new TextEncoder().encode(`${MARK}${JSON.stringify(leftOut)}\n`);
  const whole = new Uint8Array(head.byteLength + body.byteLength);
  whole.set(head);
  whole.set(body, head.byteLength);
  return whole;
}

/** Splits what `withLeftOut` joined; without the mark all is body. `soughtBy`: the number a row can be searched by. */
function leftOutOf(
  brought: Attachment,
  soughtBy: (written: string) => string | null,
): { readonly body: Attachment; readonly file: NewImport | null } {
  const end = brought[0] === MARK.charCodeAt(0) ? brought.indexOf(LINE_END) : -1;
  const leftOut = end < 0 ? null : leftOutIn(new TextDecoder().decode(brought.subarray(1, end)));
  if (leftOut === null) return { body: brought, file: null };
  const rows = leftOut.rows.map(
    ({ line, written, cause, cells, client_reference }): ImportRow => ({
      line,
      status: "UNREADABLE",
      cause,
      position: null,
      written,
      msisdn: soughtBy(written),
      cells,
      client_reference,
      of: null,
    }),
  );
  return {
    body: brought.slice(end + 1),
    file: { ulid: null, lines: null, leftOut: leftOut.count, rows },
  };
}

const LEFT_OUT = t.Object({
  count: t.Integer({ minimum: 0 }),
  rows: t.Array(
    t.Object({
      line: t.Integer({ minimum: 1 }),
      written: t.String(),
      cause: t.Unsafe<RowCause>(t.Object({ code: t.String(), params: t.Record(t.String(), t.Unknown()) })),
      cells: t.Union([t.Record(t.String(), t.String()), t.Null()]),
      client_reference: t.Union([t.String(), t.Null()]),
    }),
  ),
});

function leftOutIn(line: string): LeftOut | null {
  try {
    const read: unknown = JSON.parse(line);
    return Value.Check(LEFT_OUT, read) ? read : null;
  } catch {
    return null;
  }
}

/** Characters of an id. */
const ULID_LENGTH = 26;

/** Every administrative command (docs/administration.md#list-of-commands), those of a noun together, as help lists them. */
export const ADMIN_COMMANDS: readonly AdminCommand[] = byNoun([
  ...deriveCommands(OPERATIONS, PRESENTATIONS),
  ...BATCH_FILE_COMMANDS,
  PORTED_FILE_COMMAND,
]);

/** Commands that only the executable itself sends to a running server. */
const UNLISTED_COMMANDS: readonly AdminCommand[] = deriveCommands(SERVER_OPERATIONS);

const ALL_COMMANDS = [...ADMIN_COMMANDS, ...UNLISTED_COMMANDS];

/** Whether a command is for a running server alone. */
export function needsServer(name: string): boolean {
  return ALL_COMMANDS.some((known) => known.name === name && known.needsServer === true);
}

/** What a command does to the database, by its arguments. */
export function deriveEffect(name: string, args: Args): DatabaseEffect {
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
  const advice = adviseNextStep(code, name, args);
  return advice === null ? outcome : refused(code, phrase("cli.look", { refusal: detail, advice }));
}

/**
 * Names the command that lists what exists, where something was not found. Operations do not say it: in the console another account's
 * objects must read exactly like missing ones.
 */
function adviseNextStep(code: AdminCode, command: string, args: Args): Phrase | null {
  const [noun] = command.split(" ");
  switch (code) {
    case "ACCOUNT_NOT_FOUND":
      // For a text that may be a name, the refusal already names what was found instead.
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
      if (noun === "smpp") return phrase("cli.look.smpp_users");
      return noun === "compat" ? phrase("cli.look.compat_users") : phrase("cli.look.users");
    default:
      return null;
  }
}

/** Nouns in the order in which they first come. */
function byNoun(commands: readonly AdminCommand[]): AdminCommand[] {
  return [...Map.groupBy(commands, ({ name }) => name.split(" ")[0]).values()].flat();
}
