import type { ReceivedRefusal } from "../admin/control-message.ts";
import { wrapText } from "../core/columns.ts";
import { escapeLines, printableJson } from "../core/escape-controls.ts";
import { paramsIn } from "../i18n/phrase.ts";
import { english, renderTo } from "../i18n/text.ts";
import type { Io } from "./io.ts";
import { errorPaint, toTextReader } from "./look.ts";

/** The one document that `--json` puts on stdout. */
export function printJson(io: Io, document: { readonly data: unknown } | { readonly error: unknown }): void {
  io.out(`${printableJson(document)}\n`);
}

/** Tells why a command was not done: a document for scripts, a sentence on stderr for people. The exit code, 1. */
export function printError(io: Io, json: boolean, refusal: ReceivedRefusal): number {
  if (json) {
    const { code, detail } = refusal;
    // What is told beside a refusal, where to look, is for people.
    const { params = {} } = paramsIn(detail, "cli.look")?.refusal ?? detail;
    printJson(io, { error: { code, detail: english(detail), params } });
  } else {
    const text = renderTo(toTextReader(io), refusal.detail);
    io.err(`${errorPaint(io).problem(wrapToWidth(text, io))}\n(${refusal.code})\n`);
  }
  return 1;
}

/** Lines that steer no terminal; folded at their blanks where they are wider than it. */
export function wrapToWidth(text: string, { columns }: Io): string {
  const shown = escapeLines(text);
  if (columns === undefined) return shown;
  return shown
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : wrapText(line, columns)))
    .join("\n");
}
