/** `bendre config manual` (docs/administration.md#2-configuration). */
import { nearest } from "../core/edit-distance.ts";
import { toRefusal } from "../core/refusals.ts";
import { EXACT_ENGLISH } from "../i18n/phrase.ts";
import { withTexts } from "../i18n/text.ts";
import type { LocalCommand } from "./local-command.ts";
import { deriveLocale, printError, printJson } from "./terminal.ts";

/** Prints the manual of the configuration, or the part of a key or a table. It reads no file. */
export const CONFIG_MANUAL: LocalCommand = {
  kind: "own",
  name: "config manual",
  positionals: [{ name: "KEY", isOptional: true }],
  flags: [],
  run: async ({ io, args, json }) => {
    const { findSettings, listManual, listNames, renderManual, renderManualOf } = await import(
      "../config/manual.ts"
    );
    const { KEY: key } = args;
    const settings = key === undefined ? undefined : findSettings(key);
    if (key !== undefined && settings?.length === 0) {
      const meant = nearest(key, listNames());
      const refusal =
        meant === null
          ? toRefusal("SETTING_UNKNOWN", { key })
          : toRefusal("SETTING_UNKNOWN.meant", { key, meant });
      return printError(io, json, refusal);
    }
    const locale = deriveLocale(io);
    if (json) printJson(io, { data: withTexts({ settings: listManual(settings) }, EXACT_ENGLISH) });
    else io.out((key === undefined ? null : renderManualOf(locale, key)) ?? renderManual(locale));
    return 0;
  },
};
