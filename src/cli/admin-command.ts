/**
 * Runs one administrative command, in the running server or else on the database itself, and prints the answer as text, JSON
 * or CSV.
 */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  AdminCommand,
  Args,
  AttachmentResult,
  CsvLine,
  CsvShape,
  DatabaseEffect,
  FileAccess,
  Usage,
} from "../admin/command.ts";
import { deriveEffect, needsServer, runCommand } from "../admin/commands.ts";
import { askServer, type ControlAnswer, type ControlRequest } from "../admin/control-client.ts";
import { createMsisdnReader } from "../admin/operations/msisdn.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "../admin/operations/refusal.ts";
import { createClaimRecovery } from "../app/channels.ts";
import { type Platform, systemPlatform } from "../app/platform.ts";
import { createOfflineSubmissions } from "../app/submissions.ts";
import type { Whole } from "../config/changes.ts";
import { NO_PEMS } from "../config/files.ts";
import { deriveCached } from "../config/live-config.ts";
import { loadConfig, readDataDirectory } from "../config/load-config.ts";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, isoUtc, systemClock, wait } from "../core/clock.ts";
import { toCsvField } from "../core/csv.ts";
import { decodeText } from "../core/decode-text.ts";
import { idFactory } from "../core/ids.ts";
import { errorFields, systemErrorCode } from "../core/log.ts";
import { toRefusal } from "../core/refusals.ts";
import { escapeLines } from "../core/terminal-text.ts";
import { isDiskFailure, StoreError } from "../db/errors.ts";
import { openReadOnly } from "../db/read-only.ts";
import { openStore, type Store, type StoreOptions } from "../db/store.ts";
import { EXACT_ENGLISH, type Locale, type Phrase, phrase, type Reader, said } from "../i18n/phrase.ts";
import { renderIn, withTexts } from "../i18n/text.ts";
import { createUpgradeBackup } from "../ops/backup/upgrade-backup.ts";
import { compileTemplate, matchTagsToColumns } from "../text/template.ts";
import { deriveActor } from "./actor.ts";
import { withProgress } from "./progress.ts";
import { isRow, isTable, type Row, readMember, renderData } from "./render.ts";
import {
  deriveLocale,
  type Io,
  printError,
  printJson,
  toDisplay,
  toTextReader,
  wrapToWidth,
} from "./terminal.ts";

/** Runs an administrative command and prints the answer; resolves with the exit code. */
export async function runAdminCommand(
  io: Io,
  command: AdminCommand,
  args: Args,
  configPath: string,
  json: boolean,
): Promise<number> {
  const read = await readFileArguments(command, args);
  if (!read.ok) return printError(io, json, read.refusal);
  const { executeCommand, isNumber } = await chooseExecutor(io, configPath);
  const brought = await command.attach?.(read.value, { read: readBytes, isNumber, written });
  if (brought?.ok === false) return printError(io, json, brought.refusal);
  const asked = { io, command, executeCommand, args: read.value, ...brought?.value };
  if (command.csv && args.csv !== undefined && !json) return printCsv(asked, command.csv);
  if (command.isWatchable && args.watch !== undefined && !json) return watch(asked);
  const agreed = json ? { kind: "go on" as const } : await agreement(asked);
  if (agreed.kind === "end") return agreed.exitCode;
  const answer = await ask(asked, json ? EXACT_ENGLISH : toTextReader(io));
  if (!answer.ok) return printError(io, json, answer.refusal);
  const kept = await writeNewFile(command, args, answer.value);
  if (!kept.ok) return printError(io, json, kept.refusal);
  if (json) printJson(io, { data: kept.value });
  else io.out(renderData(kept.value, command.table, toDisplay(io)));
  return command.exitCode?.(kept.value) ?? 0;
}

type CommandRun = {
  readonly io: Io;
  readonly command: AdminCommand;
  readonly executeCommand: (request: ControlRequest) => Promise<ControlAnswer>;
  readonly args: Args;
} & Partial<Omit<AttachmentResult, "args">>;

/** Runs it; phrases in the answer are rendered for the reader. */
async function ask(
  { io, command, executeCommand, args, attachment, told }: CommandRun,
  reader: Reader,
): Promise<ControlAnswer> {
  const request = { command: command.name, args, actor: deriveActor(io.env) };
  const whole = attachment === undefined ? request : { ...request, attachment };
  const done = await withProgress(io, systemClock, executeCommand(whole));
  if (!done.ok) return done;
  const value = told && isRow(done.value) ? { ...done.value, ...told } : done.value;
  return { ok: true, value: withTexts(value, reader) };
}

function written(text: string, columns: readonly string[]): ReturnType<FileAccess["written"]> {
  const body = matchTagsToColumns(text, columns);
  return { body, tags: new Set(compileTemplate(body, columns).tags.map((tag) => tag.normalize("NFC"))) };
}

/** What counts as agreement. */
const AGREEMENTS: Readonly<Record<Locale, readonly string[]>> = {
  en: ["y", "yes"],
  fr: ["o", "oui", "y"],
};

/** Shows what a command would do and asks for agreement; without a terminal, or agreed beforehand, it goes on. */
async function agreement(
  asked: CommandRun,
): Promise<{ readonly kind: "go on" } | { readonly kind: "end"; readonly exitCode: number }> {
  const { io, args } = asked;
  const { preview, table } = asked.command;
  if (!preview || !io.ask || args[preview.agreed] !== undefined || args[preview.flag] !== undefined) {
    return { kind: "go on" };
  }
  const shown = await ask({ ...asked, args: { ...args, [preview.flag]: "" } }, toTextReader(io));
  if (!shown.ok) return { kind: "end", exitCode: printError(io, false, shown.refusal) };
  io.out(renderData(shown.value, table, toDisplay(io)));
  const locale = deriveLocale(io);
  const answer = (await io.ask(`\n${renderIn(locale, phrase("cli.go_on"))} `))?.trim().toLowerCase() ?? "";
  if (AGREEMENTS[locale].includes(answer)) return { kind: "go on" };
  io.err(`${renderIn(locale, phrase("cli.nothing_done"))}\n`);
  return { kind: "end", exitCode: 1 };
}

/**
 * Decides who runs commands. With a faulty configuration it is the running server, which has a good one in force: a bad edit does not
 * blind its author. Without a server the command is refused.
 */
async function chooseExecutor(
  io: Io,
  configPath: string,
): Promise<Pick<CommandRun, "executeCommand"> & Pick<FileAccess, "isNumber">> {
  const loaded = await loadConfig(configPath, io.env, "a fault but for secrets");
  if (loaded.ok) {
    const reader = deriveCached(() => loaded.config, createMsisdnReader);
    return {
      executeCommand: (request) => executeCommand(loaded, request),
      isNumber: (text) => reader()(text) !== null,
    };
  }
  const directory = await readDataDirectory(configPath, io.env);
  let isSaid = false;
  const askAlone: CommandRun["executeCommand"] = async (request) => {
    const answer = directory === null ? null : await askServer(directory, request);
    if (answer === null) {
      return { ok: false, refusal: toRefusal("CONFIG_INVALID", { faults: loaded.faults }) };
    }
    const note = phrase(loaded.isMissing ? "cli.file_is_missing" : "cli.file_has_fault");
    if (!isSaid) io.err(`${wrapToWidth(renderIn(deriveLocale(io), note), io)}\n`);
    isSaid = true;
    return answer;
  };
  return { executeCommand: askAlone, isNumber: () => true };
}

/** The interval of `--watch`. */
const WATCH_EVERY_MS = 2000;

/** Escape codes: cursor to the upper left, clear what follows. */
const CLEAR = "\u001b[H\u001b[J";

/** Shows the answer again and again, until it is refused or the process is interrupted. */
async function watch(asked: CommandRun): Promise<number> {
  const { io, command } = asked;
  const look = toDisplay(io);
  for (;;) {
    const answer = await ask(asked, toTextReader(io));
    if (!answer.ok) return printError(io, false, answer.refusal);
    const shown = renderData(answer.value, command.table, look);
    io.out(`${look.width === null ? "" : CLEAR}${isoUtc(systemClock.nowMs())}\n\n${shown}`);
    await wait(systemClock, WATCH_EVERY_MS);
  }
}

/** Prints an answer as comma-separated values; of a command with pages, all of them. */
async function printCsv(asked: CommandRun, shapes: readonly CsvShape[]): Promise<number> {
  const { pagedBy = "from" } = asked.command;
  const args = asked.command.isPaged ? { ...asked.args, page: "" } : asked.args;
  for (let from: string | null = null, isFirst = true; isFirst || from !== null; isFirst = false) {
    const answer = await ask(
      { ...asked, args: from === null ? args : { ...args, [pagedBy]: from } },
      EXACT_ENGLISH,
    );
    if (!answer.ok) return printError(asked.io, false, answer.refusal);
    const next = isRow(answer.value) ? answer.value.next : null;
    from = typeof next === "string" ? next : null;
    const lines = toCsv(answer.value, shapes, { isFirst, isLast: from === null });
    // Escaped only for a terminal, which would obey control characters; a file gets them as they are.
    asked.io.out(asked.io.columns === undefined ? lines : escapeLines(lines.replaceAll("\r\n", "\n")));
  }
  return 0;
}

type ExecutionDeps = { readonly clock: Clock; readonly chance: Chance; readonly machine?: Platform };

/**
 * Runs a command: in the server on the data directory, else here on the database itself
 * (docs/administration.md#beside-a-running-server). Waits while another process is starting, stopping or running a short
 * command.
 */
export async function executeCommand(
  { config, pems, given, ofConsole }: Pick<Whole, "config"> & Partial<Whole>,
  request: ControlRequest,
  { clock, chance, machine = systemPlatform }: ExecutionDeps = { clock: systemClock, chance: systemChance },
): Promise<ControlAnswer> {
  const { directory } = config.storage;
  const answer = await withPatience(clock, async () => {
    const served = await askServer(directory, request);
    if (served) return served;
    if (needsServer(request.command)) return serverNotRunning(directory);
    let attempt: OpenAttempt;
    try {
      attempt = tryOpen(directory, clock, deriveEffect(request.command, request.args), {
        openDatabase: machine.openDatabase,
        beforeMigrating: createUpgradeBackup({ config, clock, chance, machine }),
      });
    } catch (error) {
      return internalError(error);
    }
    switch (attempt.kind) {
      case "held":
        return null;
      case "unusable":
        return unusable(attempt.detail);
      case "open":
        try {
          const { store } = attempt;
          const newId = idFactory(clock, chance);
          const context = {
            store,
            config,
            file: {
              pems: pems ?? NO_PEMS,
              given: given ?? new Set<string>(),
              ofConsole: ofConsole ?? new Set<string>(),
            },
            clock,
            chance,
            newId,
            actor: request.actor,
            server: null,
            recoverClaim: createClaimRecovery({ now: () => config }),
            machine,
            submissions: createOfflineSubmissions({ store, config, clock, newId, spaceOf: machine.spaceOf }),
          };
          return await runCommand(context, request.command, request.args, request.attachment);
        } catch (error) {
          if (error instanceof StoreError) return unusable(error.reason);
          return internalError(error);
        } finally {
          // The change is in the write-ahead log, whether or not a full disk lets it be checkpointed.
          await attempt.store.close().catch((error) => {
            if (!isDiskFailure(error)) throw error;
          });
        }
    }
  });
  return answer ?? { ok: false, refusal: toRefusal("STORE_BUSY", { directory }) };
}

/** An unexpected error, with its place in our own code. */
function internalError(error: unknown): ControlAnswer {
  const { error: words, at } = errorFields(error);
  return refusal("INTERNAL_ERROR", said(at === undefined ? words : `${words} (${at})`));
}

function unusable(detail: Phrase): ControlAnswer {
  return refusal("STORE_UNAVAILABLE", detail);
}

function refusal(code: string, detail: Phrase): ControlAnswer {
  return { ok: false, refusal: { code, detail } };
}

/** The result of one try to open the data directory. */
type OpenAttempt =
  | { readonly kind: "open"; readonly store: Store }
  /** Another process holds it: a server that starts or stops, or another command. */
  | { readonly kind: "held" }
  | { readonly kind: "unusable"; readonly detail: Phrase };

/** Tries once to open the data directory for a command with this effect. */
function tryOpen(
  directory: string,
  clock: Clock,
  does: DatabaseEffect,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): OpenAttempt {
  try {
    if (does === "reads") {
      return { kind: "open", store: openReadOnly(directory, clock) ?? openStore(directory, clock, options) };
    }
    const written = openedToWrite(directory, clock, options);
    if (written instanceof StoreError && does === "notes" && written.kind === "unusable") {
      const read = openReadOnly(directory, clock);
      if (read !== null) return { kind: "open", store: read };
    }
    if (written instanceof StoreError) throw written;
    return { kind: "open", store: written };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.kind === "locked" ? { kind: "held" } : { kind: "unusable", detail: error.reason };
  }
}

function openedToWrite(
  directory: string,
  clock: Clock,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): Store | StoreError {
  try {
    return openStore(directory, clock, options);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Interval and total of retries while another process holds the directory. */
const RETRY_MS = 100;
const PATIENCE_MS = 5000;

/** Repeats `attempt` until it gives a result or time runs out; then null. */
async function withPatience<T>(clock: Clock, attempt: () => Promise<T | null>): Promise<T | null> {
  const untilMs = clock.steadyMs() + PATIENCE_MS;
  for (;;) {
    const result = await attempt();
    if (result !== null || clock.steadyMs() >= untilMs) return result;
    await wait(clock, RETRY_MS);
  }
}

/** The largest file that a running server takes in one command, but for one whose rows are brought in pieces. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Replaces file paths by the file's content, and makes other paths absolute: a running server may run in another directory, or see
 * other files.
 */
async function readFileArguments(command: Usage, args: Args): Promise<AdminOutcome<Args>> {
  const read: Record<string, string> = { ...args };
  for (const { name, isFile, isPath } of command.positionals) {
    const path = args[name];
    if (isPath && path !== undefined) read[name] = resolve(path);
    if (!isFile || path === undefined) continue;
    const text = await readText(path);
    if (!text.ok) return text;
    read[name] = text.value;
  }
  return done(read);
}

/** Writes the answer's file member into a new file, readable by its owner alone, and puts its name in the answer. */
export async function writeNewFile(
  { file }: Pick<AdminCommand, "file">,
  args: Args,
  answer: unknown,
): Promise<AdminOutcome<unknown>> {
  const path = file && args[file.flag];
  if (!file || path === undefined || !isRow(answer)) return done(answer);
  const octets = answer[file.member];
  if (typeof octets !== "string") {
    return refuse("COMMAND_UNKNOWN.flag", { flag: file.flag });
  }
  try {
    await writeFile(path, Buffer.from(octets, "base64"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = systemErrorCode(error) || "unknown error";
    return code === "EEXIST"
      ? refuse("FILE_UNWRITABLE.present", { path })
      : refuse("FILE_UNWRITABLE", { path, error: code });
  }
  return done({ ...answer, [file.member]: path });
}

async function readText(path: string): Promise<AdminOutcome<string>> {
  const read = await readBytes(path);
  return read.ok ? done(decodeText(read.value)) : read;
}

/** Reads a file named on the command line. */
async function readBytes(
  path: string,
  maxBytes: number = MAX_FILE_BYTES,
): Promise<AdminOutcome<Uint8Array<ArrayBuffer>>> {
  const file = Bun.file(path);
  try {
    if ((await file.stat()).size > maxBytes) {
      return refuse("FILE_UNREADABLE.too_large", { path, most: maxBytes });
    }
    return done(await file.bytes());
  } catch (error) {
    const code = systemErrorCode(error);
    return code === ""
      ? refuse("FILE_UNREADABLE.unexplained", { path })
      : refuse("FILE_UNREADABLE", { path, error: code });
  }
}

/**
 * The rows of an answer, the first list of `shapes` that it holds, as comma-separated values (RFC 4180), under a line of
 * column names and between the shape's own first and last line: a page that is not the first or last leaves them out. A text that
 * a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function toCsv(
  data: unknown,
  shapes: readonly CsvShape[],
  page: { readonly isFirst: boolean; readonly isLast: boolean } = { isFirst: true, isLast: true },
): string {
  if (!isRow(data)) return "";
  const shape = shapes.find(({ rows }) => isTable(data[rows]));
  if (!shape) return "";
  const found = data[shape.rows];
  const rows = isTable(found) ? found : [];
  const { columns, first, last } = shape;
  const own = (line: CsvLine | undefined): string[][] =>
    line ? [columns.map((column) => ownField(line, column, data))] : [];
  const lines = [
    ...(page.isFirst ? [columns, ...own(first)] : []),
    ...rows.map((row) => columns.map((column) => toCsvField(readMember(row, column)))),
    ...(page.isLast ? own(last) : []),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function ownField({ texts, members }: CsvLine, column: string, data: Row): string {
  const member = members[column];
  return toCsvField(texts[column] ?? (member === undefined ? null : readMember(data, member)));
}
