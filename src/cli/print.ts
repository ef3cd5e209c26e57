import type { ToldRefusal } from "../admin/control-message.ts";
import { foldedAt } from "../core/columns.ts";
import { escapeLines, printableJson } from "../core/escape-controls.ts";
import { paramsIn } from "../i18n/phrase.ts";
import { english, spokenTo } from "../i18n/text.ts";
import type { Io } from "./io.ts";
import { errorPaint, readerOf } from "./look.ts";

/** The one document that `--json` puts on stdout. */
export function printJson(io: Io, document: { readonly data: unknown } | { readonly error: unknown }): void {
  io.out(`${printableJson(document)}\n`);
}

/** Tells why a command was not done: a document for scripts, a sentence on stderr for people. The exit code, 1. */
export function printError(io: Io, json: boolean, refusal: ToldRefusal): number {
  if (json) {
    const { code, detail } = refusal;
    // What is told beside a refusal, where to look, is for people.
    const { params = {} } = paramsIn(detail, "cli.look")?.refusal ?? detail;
    printJson(io, { error: { code, detail: english(detail), params } });
  } else {
    const text = spokenTo(readerOf(io), refusal.detail);
    io.err(`${errorPaint(io).problem(fitting(text, io))}\n(${refusal.code})\n`);
  }
  return 1;
}

/** Lines that steer no terminal; folded at their blanks where they are wider than it. */
export function fitting(text: string, { columns }: Io): string {
  const shown = escapeLines(text);
  if (columns === undefined) return shown;
  return shown
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : foldedAt(line, columns)))
    .join("\n");
}
