/** `bendre licences`: the licences of what the executable carries. */
import { toRefusal } from "../core/refusals.ts";
import { unpackOr } from "../i18n/carried-texts.ts";
import type { LocalCommand } from "./local-command.ts";
import { printError, printJson } from "./terminal.ts";

export const LICENCES: LocalCommand = {
  kind: "own",
  name: "licences",
  positionals: [],
  flags: [],
  run: async ({ io, json }) => {
    // The build puts the text in place of this variable.
    const text = unpackOr<string | null>(process.env.BENDRE_LICENCES, () => null);
    if (text === null) return printError(io, json, toRefusal("NOT_BUILT"));
    if (json) printJson(io, { data: { licences: text } });
    else io.out(text);
    return 0;
  },
};
