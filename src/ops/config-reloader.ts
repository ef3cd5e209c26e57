/** The configuration of the running server: its file, what is in force, and what the log says of a reload. */

import { configReload } from "../admin/operations/config-reload.ts";
import type { AdminContext, ConfigChangeView, ServerConfiguration } from "../admin/operations/context.ts";
import type { SettingsHolder } from "../config/live-config.ts";
import type { LoadedConfig, Proposal } from "../config/load-config.ts";
import { createMutex } from "../core/concurrency.ts";
import type { Invocation } from "../core/invocation.ts";
import { errorFields, type Log } from "../core/log.ts";
import { phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

/** Reads the configuration that the process was started with, as if what is proposed stood in it. */
type ReadConfig = (proposal?: Proposal) => Promise<LoadedConfig>;

/** Where the configuration comes from; nothing where there is no file. */
export type ConfigSource = {
  /** Reads the file anew. */
  readonly readConfig?: ReadConfig;
  /** How the server was started with it, for whoever types commands. */
  readonly started?: Invocation;
};

const NO_FILE: ReadConfig = async () => ({ ok: false, faults: [phrase("config.no_file")] });

export function createConfigReloader(
  settings: SettingsHolder,
  log: Log,
  { readConfig: read = NO_FILE, started }: ConfigSource = {},
): ServerConfiguration {
  return {
    read,
    ...(started && { started }),
    inForce: settings.whole,
    put: (file) => {
      settings.replace(file.config, file);
    },
    alone: createMutex(),
    tell: (outcome) => {
      if (!outcome.ok) {
        log.error("the configuration was not reloaded: nothing changed", {
          detail: english(outcome.refusal.detail),
        });
        return;
      }
      const { file, changes, restart } = outcome.value;
      log.info("configuration reloaded", { file, changes: changes.length, restart: restart.length });
      for (const change of changes) log.info("configuration changed", fieldsOf(change));
      for (const change of restart)
        log.warn("a change of the configuration waits for a restart", fieldsOf(change));
    },
  };
}

function fieldsOf({ path, change, from, to, waiting, consequence }: ConfigChangeView) {
  return { path, change, from: textOf(from), to: textOf(to), waiting, consequence: english(consequence) };
}

function textOf(value: unknown): string | undefined {
  return value === null ? undefined : JSON.stringify(value);
}

/** Reloads without anybody who waits for the answer: the log has it. Resolves when that is over, however it went. */
export async function reloadBySignal(context: AdminContext, log: Log): Promise<void> {
  try {
    await configReload(context);
  } catch (error) {
    log.error("the configuration could not be reloaded", { ...errorFields(error) });
  }
}
