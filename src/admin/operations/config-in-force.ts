/**
 * The configuration as an administrator sees it: what is in force, what the file would change, and the reload that changes it.
 * `config/changes.ts` compares; here is what waits for operators that would go, and what is noted of what is in force
 * (docs/administration.md#reload).
 */

import { rememberSettings, unmarkedSettings } from "../../channels/sms/receipt-habit.ts";
import { type ConfigChange, configChanges, listSettings, applyWithoutRestart } from "../../config/changes.ts";
import { type Config, operatorAccounts } from "../../config/config.ts";
import { keyText } from "../../config/fault.ts";
import { listLeaves } from "../../config/leaves.ts";
import { operatorCodes } from "../../config/operator-codes.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { configuredOperators, rememberAccounts } from "../../domain/messages/operator-family.ts";
import { unretireCodes } from "../../domain/messages/operator-renames.ts";
import { countWaiting, placesOf } from "../../domain/messages/waiting.ts";
import { phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { ConfigChangeView, ConfigReloadView } from "./config-changes.ts";
import { describeConsequence } from "./config-consequences.ts";
import type { AdminContext, ServerConfiguration } from "./context.ts";
import { operation } from "./operation.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";

/** Notes what a configuration binds operators to that is in force from now on. */
export function noteConfiguration(tx: Tx, config: Config, nowMs: number): void {
  rememberAccounts(tx, operatorAccounts(config), nowMs);
  rememberSettings(tx, unmarkedSettings(config));
}

export type ConfigShowView = {
  /** What counts: of a running server, or of the file for the next start. */
  readonly server: "running" | "not running";
  readonly settings: readonly {
    readonly path: string;
    readonly value: unknown;
    /** Not in the file. */
    readonly is_default: boolean;
  }[];
};

/** Every key with its value in force; secrets hidden, defaults marked. */
export function configShow({ config, file, server }: AdminContext): ConfigShowView {
  const given = file?.given ?? new Set();
  return {
    server: server ? "running" : "not running",
    settings: listSettings(config).map(({ path, value }) => ({ path, value, is_default: !given.has(path) })),
  };
}

export type ConfigDiffView = {
  readonly server: "running" | "not running";
  readonly changes: readonly ConfigChangeView[];
};

/**
 * What a reload would change. Without a server nothing is in force: then it is what the next start brings to operators, as the
 * database knows them from the last one.
 */
export async function configDiff(context: AdminContext): Promise<AdminOutcome<ConfigDiffView>> {
  const { server, config, store, clock } = context;
  if (!server) {
    const known = new Set(configuredOperators(store.read));
    const changes = operatorsBeside(known, new Set(Object.keys(config.operators)));
    return done({
      server: "not running",
      changes: await withWaiting(store.read, clock, changes, NOTHING_GIVEN),
    });
  }
  const read = await server.configuration.read();
  if (!read.ok) return refuse("CONFIG_INVALID.unchanged", { faults: read.faults });
  const changes = configChanges(server.configuration.inForce(), read);
  return done({ server: "running", changes: await withWaiting(store.read, clock, changes, read.given) });
}

/**
 * Reads the file again and puts in force what can be without a restart. A file with a fault changes nothing. Without a change
 * nothing is recorded, but files that it names are read again.
 */
export async function configReload(context: AdminContext): Promise<AdminOutcome<ConfigReloadView>> {
  const { server, store } = context;
  if (!server) return serverNotRunning(store.directory);
  const outcome = await server.configuration.alone(() => reload(context, server.configuration));
  server.configuration.tell(outcome);
  return outcome;
}

async function reload(
  context: AdminContext,
  configuration: ServerConfiguration,
): Promise<AdminOutcome<ConfigReloadView>> {
  const { store, clock } = context;
  const file = await configuration.read();
  if (!file.ok) return refuse("CONFIG_INVALID.unchanged", { faults: file.faults });
  const plan = await withWaiting(store.read, clock, configChanges(configuration.inForce(), file), file.given);
  const changes = plan.filter(({ effect }) => effect === "now");
  const restart = plan.filter(({ effect }) => effect === "restart");
  const value = { file: file.path, changes, restart };
  if (changes.length === 0) return done(value);
  const config = applyWithoutRestart(configuration.inForce().config, file.config);
  return change(context, (tx, nowMs) => {
    unretireCodes(tx, operatorCodes(config));
    noteConfiguration(tx, config, nowMs);
    tx.afterCommit(() => configuration.put(file));
    const detail = { changed: pathsOf(changes), restart: pathsOf(restart) };
    return done({ value, audit: { action: "config reload", subject: file.path, detail } });
  });
}

/** As many as a line of the audit list has room for. */
const MAX_PATHS = 100;

function pathsOf(changes: readonly ConfigChange[]): string[] {
  return changes.slice(0, MAX_PATHS).map(({ path }) => path);
}

/** Codes that come and go with the next start. */
function operatorsBeside(known: ReadonlySet<string>, configured: ReadonlySet<string>): ConfigChange[] {
  const codes = [...new Set([...configured, ...known])].filter(
    (code) => known.has(code) !== configured.has(code),
  );
  return codes.map((code) => ({
    path: keyText(["operators", code]),
    change: known.has(code) ? "removed" : "added",
    from: null,
    to: null,
    effect: "restart",
    because: phrase("config.waits.no_server"),
  }));
}

/** The changes with what waits for operators that would go, and what each does. */
async function withWaiting(
  read: Reader,
  clock: Clock,
  changes: readonly ConfigChange[],
  given: ReadonlySet<string>,
): Promise<ConfigChangeView[]> {
  const codeOf = ({ path, change: kind }: ConfigChange) =>
    kind === "removed" ? (/^operators\.([^.[]+)$/.exec(path)?.[1] ?? null) : null;
  const leaving = new Set(changes.map(codeOf).filter((code) => code !== null));
  const pause = createYielder(clock);
  const places = leaving.size === 0 ? [] : await placesOf(read, pause, (code) => leaving.has(code));
  const counts = await countWaiting(read, pause, places);
  return changes.map((one) => {
    const waiting = counts.get(codeOf(one) ?? "") ?? 0;
    return { ...one, waiting, defaults: defaultsIn(one, given), consequence: describeConsequence(one, waiting) };
  });
}

const NOTHING_GIVEN: ReadonlySet<string> = new Set();

/** The keys of an added table that the file does not give. */
function defaultsIn({ path, change: kind, to }: ConfigChange, given: ReadonlySet<string>): string[] {
  if (kind !== "added" || typeof to !== "object" || to === null || Array.isArray(to)) return [];
  return listLeaves(to)
    .map(({ steps }) => keyText(steps))
    .filter((key) => !given.has(`${path}.${key}`));
}

export const CONFIG_OPERATIONS = {
  "config show": operation({
    does: "reads",
    params: {},
    run: (context) => done(configShow(context)),
  }),
  "config diff": operation({
    does: "reads",
    params: {},
    run: configDiff,
  }),
  "config reload": operation({
    needsServer: true,
    params: {},
    run: configReload,
  }),
};
