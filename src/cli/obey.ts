import type { DatabaseEffect } from "../admin/command.ts";
import { deriveEffect, needsServer, runCommand } from "../admin/commands.ts";
import { askServer, type ControlAnswer } from "../admin/control-client.ts";
import type { ControlRequest } from "../admin/control-message.ts";
import { serverNotRunning } from "../admin/operations/refusal.ts";
import { unheldIn } from "../app/channels.ts";
import { type Platform, systemPlatform } from "../app/platform.ts";
import { createOfflineSubmissions } from "../app/submissions.ts";
import type { Whole } from "../config/changes.ts";
import { NO_PEMS } from "../config/pems.ts";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock, wait } from "../core/clock.ts";
import { toRefusal } from "../core/failures.ts";
import { idFactory } from "../core/ids.ts";
import { errorFields } from "../core/log.ts";
import { openReadOnly } from "../db/read-only.ts";
import { isDiskFailure } from "../db/sqlite-error.ts";
import { openStore, type Store, type StoreOptions } from "../db/store.ts";
import { StoreError } from "../db/store-error.ts";
import { type Phrase, said } from "../i18n/phrase.ts";
import { createUpgradeBackup } from "../ops/backup/before-upgrade.ts";

type ExecutionDeps = { readonly clock: Clock; readonly chance: Chance; readonly machine?: Platform };

/**
 * Has a command done: by the server that runs on the data directory, else here on the database itself
 * (docs/administration.md#beside-a-running-server). While another process is just starting, stopping or doing a short
 * command, it is waited for.
 */
export async function executeCommand(
  { config, pems, given }: Pick<Whole, "config"> & Partial<Whole>,
  request: ControlRequest,
  { clock, chance, machine = systemPlatform }: ExecutionDeps = { clock: systemClock, chance: systemChance },
): Promise<ControlAnswer> {
  const { directory } = config.storage;
  const answer = await withPatience(clock, async () => {
    const served = await askServer(directory, request);
    if (served) return served;
    if (needsServer(request.command)) return serverNotRunning(directory);
    let attempt: OpenAttempt;
    try {
      attempt = tryOpen(directory, clock, deriveEffect(request.command, request.args), {
        openDatabase: machine.openDatabase,
        beforeMigrating: createUpgradeBackup({ config, clock, chance, machine }),
      });
    } catch (error) {
      return internalError(error);
    }
    switch (attempt.kind) {
      case "held":
        return null;
      case "unusable":
        return unusable(attempt.detail);
      case "open":
        try {
          const { store } = attempt;
          const newId = idFactory(clock, chance);
          const context = {
            store,
            config,
            file: { pems: pems ?? NO_PEMS, given: given ?? new Set<string>() },
            clock,
            chance,
            newId,
            actor: request.actor,
            server: null,
            recoverClaim: unheldIn({ now: () => config }),
            machine,
            submissions: createOfflineSubmissions({ store, config, clock, newId, spaceOf: machine.spaceOf }),
          };
          return await runCommand(context, request.command, request.args, request.attachment);
        } catch (error) {
          if (error instanceof StoreError) return unusable(error.told);
          return internalError(error);
        } finally {
          // What was done stands in the log, whether or not a full disk lets it be folded in.
          await attempt.store.close().catch((error) => {
            if (!isDiskFailure(error)) throw error;
          });
        }
    }
  });
  return answer ?? { ok: false, refusal: toRefusal("STORE_BUSY", { directory }) };
}

/** What nobody expected, with where in our own code it came up. */
function internalError(error: unknown): ControlAnswer {
  const { error: words, at } = errorFields(error);
  return refusal("INTERNAL_ERROR", said(at === undefined ? words : `${words} (${at})`));
}

function unusable(detail: Phrase): ControlAnswer {
  return refusal("STORE_UNAVAILABLE", detail);
}

function refusal(code: string, detail: Phrase): ControlAnswer {
  return { ok: false, refusal: { code, detail } };
}

/** What came of one try to open the data directory. */
type OpenAttempt =
  | { readonly kind: "open"; readonly store: Store }
  /** Another process has it: a server that starts or stops, or another command. */
  | { readonly kind: "held" }
  | { readonly kind: "unusable"; readonly detail: Phrase };

/** Tries once to open the data directory for a command that does so much to it. */
function tryOpen(
  directory: string,
  clock: Clock,
  does: DatabaseEffect,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): OpenAttempt {
  try {
    if (does === "reads") {
      return { kind: "open", store: openReadOnly(directory, clock) ?? openStore(directory, clock, options) };
    }
    const written = openedToWrite(directory, clock, options);
    if (written instanceof StoreError && does === "notes" && written.kind === "unusable") {
      const read = openReadOnly(directory, clock);
      if (read !== null) return { kind: "open", store: read };
    }
    if (written instanceof StoreError) throw written;
    return { kind: "open", store: written };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.kind === "locked" ? { kind: "held" } : { kind: "unusable", detail: error.told };
  }
}

function openedToWrite(
  directory: string,
  clock: Clock,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): Store | StoreError {
  try {
    return openStore(directory, clock, options);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Between two looks at a directory that another process has, and how long all of them last. */
const RETRY_MS = 100;
const PATIENCE_MS = 5000;

/** Repeats `attempt` until it gives something or patience ends; then null. */
async function withPatience<T>(clock: Clock, attempt: () => Promise<T | null>): Promise<T | null> {
  const untilMs = clock.steadyMs() + PATIENCE_MS;
  for (;;) {
    const result = await attempt();
    if (result !== null || clock.steadyMs() >= untilMs) return result;
    await wait(clock, RETRY_MS);
  }
}
