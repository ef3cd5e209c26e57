import type { AdminCommand, Args, AttachmentResult, CsvShape, FileAccess } from "../admin/command.ts";
import { askServer, type ControlAnswer } from "../admin/control-client.ts";
import type { ControlRequest } from "../admin/control-message.ts";
import { createMsisdnReader } from "../admin/operations/msisdn.ts";
import { readDataDirectory } from "../config/data-directory.ts";
import { deriveCached } from "../config/in-force.ts";
import { loadConfig } from "../config/load-config.ts";
import { isoUtc, systemClock, wait } from "../core/clock.ts";
import { escapeLines } from "../core/escape-controls.ts";
import { toRefusal } from "../core/failures.ts";
import { EXACT_ENGLISH, type Locale, phrase, type Reader } from "../i18n/phrase.ts";
import { renderIn, withTexts } from "../i18n/text.ts";
import { compileTemplate, matchTagsToColumns } from "../text/template.ts";
import { deriveActor } from "./actor.ts";
import { toCsv } from "./csv.ts";
import { writeNewFile, readBytes, readFileArguments } from "./file-arguments.ts";
import type { Io } from "./io.ts";
import { deriveLocale, toDisplay, toTextReader } from "./look.ts";
import { executeCommand } from "./obey.ts";
import { wrapToWidth, printError, printJson } from "./print.ts";
import { withProgress } from "./progress.ts";
import { isRow, renderData } from "./show.ts";

/** Has an administrative command done and prints the answer; resolves with the exit code. */
export async function runAdminCommand(
  io: Io,
  command: AdminCommand,
  args: Args,
  configPath: string,
  json: boolean,
): Promise<number> {
  const read = await readFileArguments(command, args);
  if (!read.ok) return printError(io, json, read.refusal);
  const { executeCommand, isNumber } = await obedience(io, configPath);
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

type Asked = {
  readonly io: Io;
  readonly command: AdminCommand;
  readonly executeCommand: (request: ControlRequest) => Promise<ControlAnswer>;
  readonly args: Args;
} & Partial<Omit<AttachmentResult, "args">>;

/** Has it done; phrases in the answer are texts for that reader. */
async function ask(
  { io, command, executeCommand, args, attachment, told }: Asked,
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

/** What somebody types who agrees. */
const AGREEMENTS: Readonly<Record<Locale, readonly string[]>> = {
  en: ["y", "yes"],
  fr: ["o", "oui", "y"],
};

/** Shows a person what a command would do, and asks whether to; where nobody sits, or it was said beforehand, it goes on. */
async function agreement(
  asked: Asked,
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
 * By whom commands are done. With a fault in the configuration it is the server that runs, which goes on with the one in force: who
 * edits a file badly still sees what happens. Without a server, nothing is done.
 */
async function obedience(
  io: Io,
  configPath: string,
): Promise<Pick<Asked, "executeCommand"> & Pick<FileAccess, "isNumber">> {
  const loaded = await loadConfig(configPath, io.env, "a fault but for secrets");
  if (loaded.ok) {
    const reader = deriveCached(() => loaded.config, createMsisdnReader);
    return { executeCommand: (request) => executeCommand(loaded, request), isNumber: (text) => reader()(text) !== null };
  }
  const directory = await readDataDirectory(configPath, io.env);
  let isSaid = false;
  const askAlone: Asked["executeCommand"] = async (request) => {
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

/** Between two looks. */
const WATCH_EVERY_MS = 2000;

/** What a terminal obeys: to the upper left, and clear what follows. */
const CLEAR = "\u001b[H\u001b[J";

/** Shows the answer again and again, until it is refused or the process is interrupted. */
async function watch(asked: Asked): Promise<number> {
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
async function printCsv(asked: Asked, shapes: readonly CsvShape[]): Promise<number> {
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
    // A file is what it is; a terminal would obey what stands in it.
    asked.io.out(asked.io.columns === undefined ? lines : escapeLines(lines.replaceAll("\r\n", "\n")));
  }
  return 0;
}
