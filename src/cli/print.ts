import { foldedAt } from "../base/columns.ts";
import { escapeLines, printableJson } from "../base/escape-controls.ts";
import type { ToldRefusal } from "../control/control-message.ts";
import { english } from "../i18n/text.ts";
import { withAmounts } from "./cell.ts";
import type { Io } from "./io.ts";
import { errorPaint, localeOf } from "./look.ts";
import { dictionaryOf } from "./words/speak.ts";

/** The one document that `--json` puts on stdout. */
export function printJson(io: Io, document: { readonly data: unknown } | { readonly error: unknown }): void {
  io.out(`${printableJson(document)}\n`);
}

/** Tells why a command was not done: a document for scripts, a sentence on stderr for people. The exit code, 1. */
export function printError(io: Io, json: boolean, refusal: ToldRefusal): number {
  if (json) printJson(io, { error: { code: refusal.code, detail: english(refusal.detail) } });
  else
    io.err(
      `${errorPaint(io).problem(fitting(dictionaryOf(localeOf(io)).refusal(refusal), io))}\n(${refusal.code})\n`,
    );
  return 1;
}

/** Lines that steer no terminal; folded at their blanks where they are wider than it, their amounts grouped. */
export function fitting(text: string, { columns }: Io): string {
  const shown = escapeLines(text);
  if (columns === undefined) return shown;
  return withAmounts(shown)
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : foldedAt(line, columns)))
    .join("\n");
}
