import { refusalOf } from "../core/failures.ts";
import type { OwnCommand } from "./own-command.ts";
import { printError, printJson } from "./print.ts";

export const LICENCES: OwnCommand = {
  kind: "own",
  name: "licences",
  positionals: [],
  flags: [],
  run: async ({ io, json }) => {
    // The build puts the text in place of this variable.
    const text = process.env.BENDRE_LICENCES;
    if (text === undefined) {
      return printError(io, json, refusalOf("NOT_BUILT"));
    }
    if (json) printJson(io, { data: { licences: text } });
    else io.out(text);
    return 0;
  },
};
