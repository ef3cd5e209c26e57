import type { Io } from "./io.ts";
import { errorPaint, wordsFor } from "./look.ts";

/** The one document that `--json` puts on stdout. */
export function printJson(io: Io, document: { readonly data: unknown } | { readonly error: unknown }): void {
  io.out(`${JSON.stringify(document)}\n`);
}

/** Tells why a command was not done: a document for scripts, a sentence on stderr for people. The exit code, 1. */
export function printError(
  io: Io,
  json: boolean,
  refusal: { readonly code: string; readonly detail: string },
): number {
  if (json) printJson(io, { error: { code: refusal.code, detail: refusal.detail } });
  else io.err(`${errorPaint(io).problem(wordsFor(io).refusal(refusal))}\n(${refusal.code})\n`);
  return 1;
}
