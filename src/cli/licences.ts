import { said } from "../i18n/phrase.ts";
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
      const detail =
        "this runs from source: the licences lie with each package; the built executable prints them";
      return printError(io, json, { code: "NOT_BUILT", detail: said(detail) });
    }
    if (json) printJson(io, { data: { licences: text } });
    else io.out(text);
    return 0;
  },
};
