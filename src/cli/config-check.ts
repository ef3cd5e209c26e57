import { said } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { ConfigSurvey, ConfigWarning } from "../upkeep/config-survey.ts";
import type { OwnCommand } from "./own-command.ts";
import { fitting, printError, printJson } from "./print.ts";
import type { Dictionary } from "./words/dictionary.ts";

/**
 * Reads the configuration and says what is wrong with it; looks at the data directory and the database that it names, and
 * warns of what would surprise at the start. Nothing is changed (docs/administration.md#looking-before-starting).
 */
export const CONFIG_CHECK: OwnCommand = {
  kind: "own",
  name: "config check",
  positionals: [],
  flags: [
    { name: "strict", value: null },
    { name: "no-secrets", value: null },
  ],
  run: async ({ io, args, configPath, json }) => {
    const { loadConfig } = await import("../config/load-config.ts");
    const { plain, surveyConfig } = await import("../upkeep/config-survey.ts");
    const { systemClock } = await import("../base/clock.ts");
    const unsetMeans = args["no-secrets"] === undefined ? "a fault" : "a warning";
    const loaded = await loadConfig(configPath, io.env, unsetMeans);
    if (!loaded.ok)
      return printError(io, json, { code: "CONFIG_INVALID", detail: said(loaded.lines.join("\n")) });
    const { config, unset } = loaded;
    const survey = await surveyConfig(config, systemClock);
    if (!survey.ok) return printError(io, json, survey.refusal);
    const warnings = [
      ...unset.map(({ key, variable }) =>
        plain("VARIABLE_UNSET", `${key} asks for the environment variable ${variable}, which is not set`),
      ),
      ...survey.value.warnings,
    ];
    const data = { file: configPath, operators: Object.keys(config.operators), ...survey.value, warnings };
    const isRefused = args.strict !== undefined && warnings.length > 0;
    const error = {
      code: "CONFIG_WARNINGS",
      detail: said(`${warnings.length} warning(s), and --strict was given`),
    };
    if (json)
      printJson(
        io,
        isRefused ? { error: { code: error.code, detail: english(error.detail), warnings } } : { data },
      );
    else {
      const { localeOf } = await import("./look.ts");
      const { dictionaryOf } = await import("./words/speak.ts");
      io.out(fitting(report(data, dictionaryOf(localeOf(io))), io));
      if (isRefused) printError(io, json, error);
    }
    return isRefused ? 1 : 0;
  },
};

type Report = ConfigSurvey & {
  readonly file: string;
  readonly operators: readonly string[];
  readonly warnings: readonly ConfigWarning[];
};

function report(found: Report, say: Dictionary): string {
  const { file, operators, directory, directory_state, database, warnings } = found;
  const base =
    database === null
      ? "no database to look at"
      : database.schema === database.becomes
        ? `database of schema ${database.schema}`
        : `database of schema ${database.schema}, which the next start brings to ${database.becomes}`;
  return [
    say.sentence(
      operators.length === 0
        ? `${file} is fine: no operator is in it, and every number is answered UNROUTABLE_PREFIX`
        : `${file} is fine: ${operators.length} operator(s), ${operators.join(", ")}`,
    ),
    say.sentence(`${directory}: ${directory_state}, ${base}`),
    ...warnings.map(({ code, detail }) => say.warning(detail, code)),
    "",
  ].join("\n");
}
