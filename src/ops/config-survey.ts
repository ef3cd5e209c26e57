/**
 * What a configuration meets where it would run: the data directory, the database, what waits there
 * (docs/administration.md#looking-before-starting).
 */

import { type CodeWarning, findCodeWarnings } from "../admin/operations/operator-codes.ts";
import { findRetentionWarnings, type RetentionWarning } from "../admin/operations/purge.ts";
import { type AdminOutcome, done, refuse } from "../admin/operations/refusal.ts";
import { findTemplateWarnings, type TemplateWarning } from "../admin/operations/whatsapp.ts";
import type { Config } from "../config/config.ts";
import { findRouteWarnings, type RouteWarning } from "../config/route-warnings.ts";
import type { Clock } from "../core/clock.ts";
import { errorText } from "../core/log.ts";
import { isCorruption } from "../db/errors.ts";
import { inspectDatabase } from "../db/inspect.ts";
import { INTERMEDIATE_BUILD } from "../db/migrate.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type DirectorySurvey, type DirectoryWarning, surveyDirectory } from "./directory-survey.ts";

/** What works, and still deserves a look. `operator` and `messages` are null where the warning is not about them. */
export type ConfigWarning = {
  readonly code:
    | DirectoryWarning["code"]
    | CodeWarning["code"]
    | TemplateWarning["code"]
    | RetentionWarning["code"]
    | RouteWarning["code"]
    | "DATABASE_UNREADABLE"
    | "VARIABLE_UNSET"
    | "CONSOLE_FILE_UNSEEN"
    | "CONSOLE_PASSWORD_UNREADABLE"
    | "CONSOLE_KEY_SHADOWED";
  readonly operator: string | null;
  readonly messages: number | null;
  readonly detail: Phrase;
};

export type ConfigSurvey = {
  readonly directory: string;
  readonly directory_state: DirectorySurvey["state"];
  /** The schema of the database that is there, and the one that this executable brings it to. */
  readonly database: { readonly schema: number; readonly becomes: number } | null;
  readonly warnings: readonly ConfigWarning[];
};

/** Looks, and changes nothing; refused where a start would be. */
export async function surveyConfig(config: Config, clock: Clock): Promise<AdminOutcome<ConfigSurvey>> {
  const { directory } = config.storage;
  const found = surveyDirectory(directory);
  const warnings: ConfigWarning[] = [
    ...[...findRetentionWarnings(config), ...found.warnings].map(({ code, detail }) => plain(code, detail)),
    ...findRouteWarnings(config).map((warning) => ({ ...warning, messages: null })),
  ];
  const survey = { directory, directory_state: found.state };
  if (found.state !== "looked at") return done({ ...survey, database: null, warnings });
  const database = inspectDatabase(directory);
  switch (database.kind) {
    case "absent":
    case "restored":
      return done({ ...survey, database: null, warnings });
    case "unreadable": {
      const detail = phrase("config.warning.database_unreadable", { error: database.detail });
      return done({
        ...survey,
        database: null,
        warnings: [...warnings, plain("DATABASE_UNREADABLE", detail)],
      });
    }
    case "damaged":
      return damaged(directory, database.detail);
    case "foreign":
      return refuse("STORE_UNAVAILABLE.foreign", { directory });
    case "newer":
      return refuse("STORE_UNAVAILABLE.newer", {
        directory,
        schema: database.schema,
        latest: database.latest,
      });
    case "unsupported":
      return refuse("STORE_UNAVAILABLE.unsupported", {
        directory,
        schema: database.schema,
        ...INTERMEDIATE_BUILD,
      });
    case "older": {
      const { schema, latest } = database;
      return done({ ...survey, database: { schema, becomes: latest }, warnings });
    }
    case "current": {
      const { schema, read, close } = database;
      try {
        const codes = await findCodeWarnings(read, config, clock);
        const met = [...warnings, ...codes, ...findTemplateWarnings(read, config)];
        return done({ ...survey, database: { schema, becomes: schema }, warnings: met });
      } catch (error) {
        if (isCorruption(error)) return damaged(directory, errorText(error));
        throw error;
      } finally {
        close();
      }
    }
  }
}

function damaged(directory: string, error: string): AdminOutcome<never> {
  return refuse("STORE_UNAVAILABLE.damaged", { directory, error });
}

/** A warning that is about no operator. */
export function plain(code: ConfigWarning["code"], detail: Phrase): ConfigWarning {
  return { code, operator: null, messages: null, detail };
}
