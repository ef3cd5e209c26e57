/** `bendre config check` (docs/administration.md#looking-before-starting). */
import { shadowedPhrase } from "../config/console-file.ts";
import { type ConfigFile, unopenedIn } from "../config/load-config.ts";
import { systemClock } from "../core/clock.ts";
import { toRefusal } from "../core/refusals.ts";
import { EXACT_ENGLISH, type Phrase, phrase, type Reader } from "../i18n/phrase.ts";
import { renderTo, withTexts } from "../i18n/text.ts";
import type { ConfigSurvey, ConfigWarning } from "../ops/config-survey.ts";
import type { LocalCommand } from "./local-command.ts";
import { printError, printJson, toTextReader, wrapToWidth } from "./terminal.ts";

/**
 * Reads the configuration and says what is wrong with it; looks at the data directory and the database that it names, and
 * warns of what would surprise at the start. Nothing is changed (docs/administration.md#looking-before-starting).
 */
export const CONFIG_CHECK: LocalCommand = {
  kind: "own",
  name: "config check",
  positionals: [],
  flags: [
    { name: "strict", value: null },
    { name: "no-secrets", value: null },
  ],
  run: async ({ io, args, configPath, json }) => {
    const { loadConfig } = await import("../config/load-config.ts");
    const { plain, surveyConfig } = await import("../ops/config-survey.ts");
    const unsetMeans = args["no-secrets"] === undefined ? "a fault" : "a warning";
    const loaded = await loadConfig(configPath, io.env, unsetMeans);
    if (!loaded.ok) return printError(io, json, toRefusal("CONFIG_INVALID", { faults: loaded.faults }));
    const { config, unset } = loaded;
    const survey = await surveyConfig(config, systemClock);
    if (!survey.ok) return printError(io, json, survey.refusal);
    const warnings = [
      ...unset.map(({ key, variable }) =>
        plain("VARIABLE_UNSET", phrase("config.warning.variable_unset", { key, variable })),
      ),
      ...consoleWarnings(loaded),
      ...survey.value.warnings,
    ];
    const consoleFile = loaded.console?.text === null ? null : (loaded.console?.path ?? null);
    const files = { file: configPath, console_file: consoleFile };
    const data = { ...files, operators: Object.keys(config.operators), ...survey.value, warnings };
    const isRefused = args.strict !== undefined && warnings.length > 0;
    const error = {
      code: "CONFIG_WARNINGS",
      detail: phrase("config.check.strict", { warnings: warnings.length }),
    };
    if (json)
      printJson(
        io,
        isRefused
          ? { error: withTexts({ ...error, warnings }, EXACT_ENGLISH) }
          : { data: withTexts(data, EXACT_ENGLISH) },
      );
    else {
      io.out(wrapToWidth(report(data, toTextReader(io)), io));
      if (isRefused) printError(io, json, error);
    }
    return isRefused ? 1 : 0;
  },
};

/** What the file by hand and what the console keeps say differently, and what of the latter cannot be read. */
function consoleWarnings({ path, console: kept }: ConfigFile): ConfigWarning[] {
  if (!kept) return [];
  const warn = (code: ConfigWarning["code"], detail: Phrase) => ({
    code,
    operator: null,
    messages: null,
    detail,
  });
  return [
    ...(kept.isUnseen
      ? [warn("CONSOLE_FILE_UNSEEN", phrase("config.warning.console_unseen", { path: kept.path }))]
      : []),
    ...(kept.unopened.length > 0
      ? [warn("CONSOLE_PASSWORD_UNREADABLE", phrase("config.warning.passwords_unopened", unopenedIn(kept)))]
      : []),
    ...kept.shadowed.map((one) => warn("CONSOLE_KEY_SHADOWED", shadowedPhrase(path, kept.path, one))),
  ];
}

type Report = ConfigSurvey & {
  readonly file: string;
  readonly operators: readonly string[];
  readonly warnings: readonly ConfigWarning[];
};

const STATES: Readonly<Record<ConfigSurvey["directory_state"], Phrase>> = {
  "looked at": phrase("config.check.looked_at"),
  "not there yet": phrase("config.check.not_there_yet"),
  "cannot be read": phrase("config.check.unreadable"),
};

function report(found: Report, reader: Reader): string {
  const { file: path, operators, directory, directory_state, database, warnings } = found;
  const codes = operators.join(", ");
  const fine =
    operators.length === 0
      ? phrase("config.check.fine.no_operator", { path })
      : phrase("config.check.fine", { path, operators: operators.length, codes });
  const met = { directory, state: STATES[directory_state], database: databasePhrase(database) };
  const lines = [
    fine,
    phrase("config.check.directory", met),
    ...warnings.map(({ code, detail }) => phrase("cli.warning", { detail, code })),
  ];
  return lines.map((line) => `${renderTo(reader, line)}\n`).join("");
}

function databasePhrase(database: ConfigSurvey["database"]): Phrase {
  if (database === null) return phrase("config.check.no_database");
  const { schema, becomes } = database;
  return schema === becomes
    ? phrase("config.check.database", { schema })
    : phrase("config.check.database.older", { schema, becomes });
}
