/**
 * The configuration as an administrator sees it: what is in force, what the file would change, and the reload that changes it.
 * `config/changes.ts` compares; here is what waits for operators that would go, and what is noted of what is in force
 * (docs/administration.md#reload).
 */
import { rememberSettings, unmarkedSettings } from "../../channels/sms/receipt-detection.ts";
import {
  applyWithoutRestart,
  type ConfigChange,
  configChanges,
  listLeaves,
  listSettings,
} from "../../config/changes.ts";
import { type Config, operatorAccounts, operatorCodes } from "../../config/config.ts";
import { keyText } from "../../config/faults.ts";
import type { ConfigFile } from "../../config/load-config.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import {
  configuredOperators,
  rememberAccounts,
  unretireCodes,
} from "../../domain/messages/operator-codes.ts";
import { countWaiting, readPlaces } from "../../domain/messages/queue.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import { noteConsoleFile, unrecordedDigest } from "./console-file-record.ts";
import type {
  AdminContext,
  ConfigChangeView,
  ConfigReloadView,
  ServerConfiguration,
  ServerHandle,
} from "./context.ts";
import { operation } from "./operation.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";

/** Records the operator settings of the configuration now in force. */
export function noteConfiguration(tx: Tx, config: Config, nowMs: number): void {
  rememberAccounts(tx, operatorAccounts(config), nowMs);
  rememberSettings(tx, unmarkedSettings(config));
}

export type ConfigShowView = {
  /** Whether the values are a running server's, or the file's for the next start. */
  readonly server: "running" | "not running";
  readonly settings: readonly {
    readonly path: string;
    readonly value: unknown;
    /** In neither file. */
    readonly is_default: boolean;
    /** Which file has it: the one by hand, or what the console keeps; null for a default. */
    readonly written_in: "file" | "console" | null;
  }[];
};

/** Every key with its value in force; secrets hidden, defaults marked. */
export function configShow({ config, file, server }: AdminContext): ConfigShowView {
  const given = file?.given ?? new Set();
  const ofConsole = file?.ofConsole ?? new Set();
  return {
    server: server ? "running" : "not running",
    settings: listSettings(config).map(({ path, value }) => ({
      path,
      value,
      is_default: !given.has(path),
      written_in: ofConsole.has(path) ? "console" : given.has(path) ? "file" : null,
    })),
  };
}

type ConfigDiffView = {
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
  const outcome = await server.configuration.alone(() =>
    reload({ ...context, server }, server.configuration),
  );
  server.configuration.tell(outcome);
  return outcome;
}

async function reload(
  context: AdminContext & { readonly server: ServerHandle },
  configuration: ServerConfiguration,
): Promise<AdminOutcome<ConfigReloadView>> {
  const { store, clock } = context;
  if (unrecordedDigest(store.read, store.directory) !== undefined) {
    await store.write((tx) => noteConsoleFile(tx, store.directory, clock.nowMs()));
  }
  const file = await configuration.read();
  if (!file.ok) return refuse("CONFIG_INVALID.unchanged", { faults: file.faults });
  const value = await planChanges(context, configuration, file);
  const { changes } = value;
  return changes.length === 0 ? done(value) : putInForce(context, file, value, "config reload", file.path);
}

/** What a configuration that was read would change in the one in force. */
export async function planChanges(
  { store, clock }: Pick<AdminContext, "store" | "clock">,
  configuration: ServerConfiguration,
  file: ConfigFile,
): Promise<ConfigReloadView> {
  const plan = await withWaiting(store.read, clock, configChanges(configuration.inForce(), file), file.given);
  return {
    file: file.path,
    changes: plan.filter(({ effect }) => effect === "now"),
    restart: plan.filter(({ effect }) => effect === "restart"),
  };
}

/**
 * Puts a configuration that was read in force, as far as it can be, and records that. `first` is done before anything is written, and may
 * refuse; what it answers is recorded too.
 */
export function putInForce(
  context: AdminContext & { readonly server: ServerHandle },
  file: ConfigFile,
  value: ConfigReloadView,
  action: string,
  subject: string,
  first: (tx: Tx, nowMs: number) => AdminOutcome<AuditDetail> = () => done({}),
): Promise<AdminOutcome<ConfigReloadView>> {
  const { configuration } = context.server;
  const config = applyWithoutRestart(configuration.inForce().config, file.config);
  return change(context, (tx, nowMs) => {
    const begun = first(tx, nowMs);
    if (!begun.ok) return begun;
    unretireCodes(tx, operatorCodes(config));
    noteConfiguration(tx, config, nowMs);
    tx.afterCommit(() => configuration.put(file));
    const paths = { changed: pathsOf(value.changes), restart: pathsOf(value.restart) };
    const detail = { ...paths, ...begun.value };
    return done({ value, audit: { action, subject, detail } });
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
  const places = leaving.size === 0 ? [] : await readPlaces(read, pause, (code) => leaving.has(code));
  const counts = await countWaiting(read, pause, places);
  return changes.map((one) => {
    const waiting = counts.get(codeOf(one) ?? "") ?? 0;
    return {
      ...one,
      waiting,
      defaults: defaultsIn(one, given),
      consequence: describeConsequence(one, waiting),
    };
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

// The consequence of a configuration change, in words for whoever is about to make it. Pure.

type Words = (change: ConfigChange, waiting: number) => Phrase;
/** A consequence that says the same of every such change. */
type Plain = CaseOf<"config.change">;

/** Matched by the key's beginning; the first match counts. */
const CONSEQUENCES: readonly { readonly key: RegExp; readonly words: Words | Plain }[] = [
  {
    key: /^server\.tls_/,
    words: "server_tls",
  },
  {
    key: /^(policy|billing)\./,
    words: "account_settings",
  },
  { key: /^webhooks\./, words: "webhooks" },
  { key: /^log\./, words: "log" },
  { key: /^operators\.[^.]+$/, words: operatorWords },
  {
    key: /^operators\.[^.]+\.price$/,
    words: "price",
  },
  {
    key: /^operators\.[^.]+\.prefixes$/,
    words: "prefixes",
  },
  { key: /\.connections\[\d+\]$/, words: connectionWords },
  {
    key: /\.connections\[\d+\]\.(password|tls_ca_file|tls_certificate|tls_key)$/,
    words: "next_bind",
  },
  {
    key: /\.connections\[\d+\]\.(tls|tls_server_name|system_type|address_\w*|interface_version)$/,
    words: "binds_anew",
  },
];

/** `waiting`: how many messages wait for the operator that the change is about. */
export function describeConsequence(change: ConfigChange, waiting: number): Phrase {
  if (change.because !== null) return phrase("config.change.waits", { because: change.because });
  const known = CONSEQUENCES.find(({ key }) => key.test(change.path));
  const words = known?.words ?? "now";
  return typeof words === "function" ? words(change, waiting) : phrase(`config.change.${words}`);
}

function operatorWords({ change }: ConfigChange, waiting: number): Phrase {
  if (change === "added") return phrase("config.change.operator_comes");
  return waiting === 0
    ? phrase("config.change.operator_goes")
    : phrase("config.change.operator_goes.waiting", { waiting });
}

function connectionWords({ change }: ConfigChange): Phrase {
  return phrase(change === "added" ? "config.change.connection_comes" : "config.change.connection_goes");
}
