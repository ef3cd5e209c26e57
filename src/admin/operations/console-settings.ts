/**
 * What the console writes of the configuration: operators with their connections, whom alerts go to, the public address, the seller. It
 * stands in `console.toml` in the data directory (`config/console-file.ts`); each change is shown before it is put in force, recorded, and
 * can be undone (docs/administration.md#what-the-console-writes).
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config, ConnectionConfig, OperatorConfig, RouteConfig } from "../../config/config.ts";
import {
  CONSOLE_FILE,
  CONSOLE_KEY_FILE,
  CONSOLE_KEYS,
  type ConsoleDocument,
  type ConsoleKey,
  foreignFaults,
  hasPlainSecrets,
  isSame,
  plainSecret,
  renderConsoleFile,
  sealSecrets,
  shadowedPhrase,
  valueAt,
  withValue,
} from "../../config/console-file.ts";
import { faultLine, keyText } from "../../config/faults.ts";
import type { ConfigFile, ConsoleOverview, LoadedConfig } from "../../config/load-config.ts";
import { shapeAt } from "../../config/parse-config.ts";
import { findLine, parseToml } from "../../config/toml.ts";
import { systemErrorCode } from "../../core/log.ts";
import { isTable, toRecord } from "../../core/own-value.ts";
import { sealWith } from "../../db/data-keys.ts";
import { replaceFile } from "../../db/disk.ts";
import type { Tx } from "../../db/writer.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { planChanges, putInForce } from "./config-reload.ts";
import { CONSOLE_ACTIONS, consoleDigest, noteConsoleFile, PREVIOUS_FILE } from "./console-file-record.ts";
import type { AdminContext, ConfigReloadView, ServerHandle } from "./context.ts";
import { withCallingCode } from "./operator-draft.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "./refusal.ts";

/** Which file has something, and on which line; a default stands in none. */
type Place = { readonly in: "file" | "console" | "default"; readonly line: number | null };

type ShownConnection = Pick<
  ConnectionConfig,
  "host" | "port" | "system_id" | "bind" | "window" | "throughput"
>;

type ConsoleSettingsView = {
  /** The configuration by hand; there may be no such file yet. */
  readonly file: string | null;
  readonly console_file: string | null;
  /** Says which state of the two files a change is made of. */
  readonly revision: string;
  readonly can_undo: boolean;
  /** What is wrong with the files as they stand: until that is mended nothing can be changed here. */
  readonly faults: readonly Phrase[];
  /** Keys that stand in both files. */
  readonly shadowed: readonly Phrase[];
  readonly operators: readonly (Place &
    Pick<OperatorConfig, "name" | "prefixes" | "receipts"> & {
      readonly code: string;
      readonly price: number | null;
      readonly connections: readonly (ShownConnection & {
        /** "" of an operator without routes. */
        readonly route: string;
        /** The address of another Bendre, of which the form changes pace, window and route alone; null of an SMSC. */
        readonly url: string | null;
      })[];
      /** In the order of the configuration; none where it has none. */
      readonly routes: readonly { readonly name: string; readonly order: number }[];
    })[];
  readonly keys: readonly (Place & {
    readonly key: ConsoleKey;
    /** Null of a secret. */
    readonly value: unknown;
    /** Of a secret, whether there is one. */
    readonly is_set: boolean;
  })[];
};

/** A connection as a form has it. */
type WrittenConnection = ShownConnection & {
  /** Its place in the operator as it stands, which keeps what the form does not show; null of a new one. */
  readonly was: number | null;
  /** Null: as it was. */
  readonly password: string | null;
  /** As it was where absent. */
  readonly route?: string;
};

/** A route as a form has it. */
type WrittenRoute = Pick<RouteConfig, "order" | "classes" | "yield_seconds" | "reroute_on"> & {
  readonly name: string;
  /** XOF a segment; null: not known. */
  readonly cost: string | null;
};

export type SettingsChange =
  | {
      readonly kind: "operator";
      readonly code: string;
      readonly isNew: boolean;
      readonly name: string;
      /** Digits, with the country code or as people say them. */
      readonly prefixes: readonly string[];
      readonly price: number | null;
      readonly receipts: boolean;
      readonly connections: readonly WrittenConnection[];
    }
  | {
      /** A further route to an operator, with connections of its own. */
      readonly kind: "route";
      readonly code: string;
      /** What the connections that there are become a route by; null where the operator has routes already. */
      readonly first: WrittenRoute | null;
      readonly route: WrittenRoute;
      readonly connections: readonly Omit<WrittenConnection, "was" | "route">[];
    }
  | { readonly kind: "remove"; readonly code: string }
  /** Null: as it is. A default is taken out of the file. */
  | { readonly kind: "keys"; readonly values: Readonly<Partial<Record<ConsoleKey, unknown>>> }
  | { readonly kind: "undo" };

type SettingsPreview = ConfigReloadView & {
  readonly revision: string;
  /** What is wrong with it; nothing can be put in force then. */
  readonly faults: readonly Phrase[];
};

/** What the console has written, what stands in the file by hand, and where. */
export async function consoleSettings({
  server,
  store,
}: AdminContext): Promise<AdminOutcome<ConsoleSettingsView>> {
  if (!server) return serverNotRunning(store.directory);
  const { configuration } = server;
  const read = await configuration.read();
  const can_undo = previousDocument(store.directory).ok;
  const none = { operators: [], keys: [], shadowed: [] };
  if (!read.ok || !read.console) {
    const faults = read.ok ? [phrase("config.no_file")] : read.faults;
    return done({ file: null, console_file: null, revision: "", can_undo, faults, ...none });
  }
  const { console: kept, config, path: file } = read;
  return done({
    file,
    console_file: kept.path,
    revision: revisionOf(kept),
    can_undo,
    faults: [],
    shadowed: kept.shadowed.map((one) => shadowedPhrase(file, kept.path, one)),
    operators: Object.entries(config.operators).map(([code, operator]) => ({
      ...placeOf(read, kept, keyText(["operators", code])),
      code,
      name: operator.name,
      prefixes: operator.prefixes,
      price: operator.price ?? null,
      receipts: operator.receipts,
      connections: operator.connections.map(
        ({ kind, url, host, port, system_id, bind, window, throughput, route }) => ({
          url: kind === "bendre" ? url : null,
          host,
          port,
          system_id,
          bind,
          window,
          throughput,
          route,
        }),
      ),
      routes: Object.entries(operator.routes).map(([name, { order }]) => ({ name, order })),
    })),
    keys: CONSOLE_KEYS.map((key) => {
      const value = valueIn(config, key);
      const isSecret = shapeAt(key.split(".")).secret === true;
      const is_set = value !== "";
      return { ...placeOf(read, kept, key), key, value: isSecret ? null : value, is_set };
    }),
  });
}

/** What a change would do, and what is wrong with it. Nothing is written. */
export async function previewSettings(
  context: AdminContext,
  asked: SettingsChange,
): Promise<AdminOutcome<SettingsPreview>> {
  const { server, store } = context;
  if (!server) return serverNotRunning(store.directory);
  const prepared = await prepare({ ...context, server }, asked);
  if (!prepared.ok) return prepared;
  const { revision, proposed, path } = prepared.value;
  if (!("config" in proposed)) {
    return done({ file: path, changes: [], restart: [], revision, faults: proposed.faults });
  }
  const plan = await planChanges(context, server.configuration, proposed);
  return done({ ...plan, revision, faults: [] });
}

/** Writes a change and puts it in force; refused where the file changed since `revision`, which a preview told. */
export async function applySettings(
  context: AdminContext,
  asked: SettingsChange,
  revision: string,
): Promise<AdminOutcome<ConfigReloadView>> {
  const { server, store } = context;
  if (!server) return serverNotRunning(store.directory);
  const outcome = await server.configuration.alone(() => apply({ ...context, server }, asked, revision));
  server.configuration.tell(outcome);
  return outcome;
}

type Running = AdminContext & { readonly server: ServerHandle };

async function apply(
  context: Running,
  asked: SettingsChange,
  revision: string,
): Promise<AdminOutcome<ConfigReloadView>> {
  const prepared = await prepare(context, asked);
  if (!prepared.ok) return prepared;
  const { document, proposed, path, kept, revision: present } = prepared.value;
  if (present !== revision) return refuse("SETTINGS_CHANGED");
  if (!("config" in proposed)) return refuse("CONFIG_INVALID.unchanged", { faults: proposed.faults });
  const { directory } = context.store;
  if (dirname(path) !== directory) return refuse("SETTINGS_ELSEWHERE", { directory, path });
  const plan = await planChanges(context, context.server.configuration, proposed);
  const seal = sealWith(join(directory, CONSOLE_KEY_FILE), context.chance);
  if (kept && isSame(document, kept.document, seal.open)) {
    if (plan.changes.length === 0) return done(plan);
    // Only what was changed by hand since.
    return putInForce(context, proposed, plan, "config reload", proposed.path);
  }
  const previous = join(directory, PREVIOUS_FILE);
  let putBack = (): void => {};
  const write = (tx: Tx, nowMs: number): AdminOutcome<AuditDetail> => {
    noteConsoleFile(tx, directory, nowMs);
    try {
      const text = renderConsoleFile(sealSecrets(document, seal.close));
      const before = [path, previous].map((file) => [file, octetsOf(file)] as const);
      putBack = () => {
        for (const [file, octets] of before) restore(file, octets);
      };
      replaceFile(previous, octetsOf(path) ?? "");
      replaceFile(path, text);
      return done({ digest: consoleDigest(text) });
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "") throw error;
      putBack();
      return refuse("FILE_UNWRITABLE", { path, error: code });
    }
  };
  const action = asked.kind === "undo" ? CONSOLE_ACTIONS.undo : CONSOLE_ACTIONS.change;
  try {
    return await putInForce(context, proposed, plan, action, path, write);
  } catch (error) {
    // It is not recorded, so it must not be there either.
    putBack();
    throw error;
  }
}

/** Null where there is no such file. */
function octetsOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Makes a file what it was; one that is that is not written. */
function restore(path: string, octets: Buffer | null): void {
  const present = octetsOf(path);
  if (octets === null) rmSync(path, { force: true });
  else if (!present?.equals(octets)) replaceFile(path, octets);
}

type Prepared = {
  readonly document: ConsoleDocument;
  readonly proposed: ConfigFile | { readonly faults: readonly Phrase[] };
  readonly path: string;
  /** Null where the files as they stand cannot be read, which an undo may end. */
  readonly kept: ConsoleOverview | null;
  readonly revision: string;
};

async function prepare(context: Running, asked: SettingsChange): Promise<AdminOutcome<Prepared>> {
  const { configuration } = context.server;
  const read = await configuration.read();
  const kept = (read.ok && read.console) || null;
  const changed = changeDocument(context, asked, read);
  if (!changed.ok) return changed;
  const { document, faults } = changed.value;
  const proposed = faults.length > 0 ? { faults } : await configuration.read({ console: document });
  if (!("config" in proposed)) {
    const path = kept?.path ?? join(context.store.directory, CONSOLE_FILE);
    return done({ document, proposed, path, kept, revision: kept ? revisionOf(kept) : "" });
  }
  // Both files as they were read for the difference.
  const { console: present } = proposed;
  if (!present) return refuse("CONFIG_INVALID.unchanged", { faults: [phrase("config.no_file")] });
  const revision = revisionOf(present);
  if (kept && revisionOf(kept) !== revision) return refuse("SETTINGS_CHANGED");
  return done({ document, proposed, path: present.path, kept, revision });
}

type Changed = { readonly document: ConsoleDocument; readonly faults: readonly Phrase[] };

function changeDocument(
  { store }: Running,
  asked: SettingsChange,
  read: LoadedConfig,
): AdminOutcome<Changed> {
  if (asked.kind === "undo") return previousDocument(store.directory);
  if (!read.ok) return refuse("CONFIG_INVALID.unchanged", { faults: read.faults });
  const { console: kept } = read;
  if (!kept) return refuse("CONFIG_INVALID.unchanged", { faults: [phrase("config.no_file")] });
  switch (asked.kind) {
    case "keys":
      return changeKeys(asked.values, read, kept);
    case "remove":
      if (!isChangeable(asked.code, read, kept)) return notWritten(asked.code, read, kept);
      return done({
        document: withValue(kept.document, ["operators", asked.code], undefined),
        faults: [],
      });
    case "operator":
      return writeOperator(asked, read, kept);
    case "route":
      return addRoute(asked, read, kept);
  }
}

function changeKeys(
  values: Readonly<Partial<Record<ConsoleKey, unknown>>>,
  read: ConfigFile,
  kept: ConsoleOverview,
): AdminOutcome<Changed> {
  let { document } = kept;
  for (const key of CONSOLE_KEYS) {
    const value = values[key];
    if (value === undefined || value === null) continue;
    const place = placeOf(read, kept, key);
    if (place.in === "file") return byHand(key, read, place);
    const steps = key.split(".");
    const { secret, default: usual } = shapeAt(steps);
    const isUsual = Bun.deepEquals(value, usual);
    const written = secret ? plainSecret(String(value)) : value;
    document = withValue(document, steps, isUsual ? undefined : written);
  }
  return done({ document, faults: [] });
}

function writeOperator(
  asked: Extract<SettingsChange, { kind: "operator" }>,
  read: ConfigFile,
  kept: ConsoleOverview,
): AdminOutcome<Changed> {
  const { code, isNew, name, prefixes, price, receipts, connections } = asked;
  const steps = ["operators", code];
  if (isNew && (Object.hasOwn(read.config.operators, code) || isWritten(kept, code))) {
    const found = phrase("config.draft.known", { code });
    const expected = phrase("config.expects.operator_code");
    const fault = faultLine(kept.path, { key: keyText(steps), found, expected });
    return done({ document: kept.document, faults: [fault] });
  }
  if (!isNew && !isChangeable(code, read, kept)) return notWritten(code, read, kept);
  const present = valueAt(kept.document, steps);
  const { name: _name, price: _price, connections: were, ...others } = isTable(present) ? present : {};
  const known: readonly unknown[] = Array.isArray(were) ? were : [];
  const written = connections.map(({ was, password, ...shown }) => {
    const found = was === null ? {} : known[was];
    const before = isTable(found) ? found : {};
    const { window, throughput, route } = shown;
    // Of another Bendre a bind is only filled in, and refused in a file.
    if (before.kind === "bendre")
      return { ...before, window, throughput, ...(route === undefined ? {} : { route }) };
    const typed = password === null ? {} : { password: plainSecret(password) };
    return { ...before, ...shown, ...typed };
  });
  const operator: ConsoleDocument = {
    ...others,
    ...(name === "" ? {} : { name }),
    prefixes: prefixes.map((prefix) => withCallingCode(prefix, read.config)),
    ...(price === null ? {} : { price }),
    receipts,
    connections: written,
  };
  return done({ document: withOperator(kept, code, operator), faults: [] });
}

/** The document with an operator in its place, or at the end where it is new. */
function withOperator(
  { document }: ConsoleOverview,
  code: string,
  operator: ConsoleDocument,
): ConsoleDocument {
  const { operators } = document;
  const before = Object.entries(isTable(operators) ? operators : {});
  const isNew = before.every(([other]) => other !== code);
  const inPlace = before.map(([other, table]) => [other, other === code ? operator : table] as const);
  return { ...document, operators: toRecord(isNew ? [...before, [code, operator]] : inPlace) };
}

/** Adds a route with its connections; without routes before, the connections that there are become one too. */
function addRoute(
  { code, first, route, connections }: Extract<SettingsChange, { kind: "route" }>,
  read: ConfigFile,
  kept: ConsoleOverview,
): AdminOutcome<Changed> {
  if (!isChangeable(code, read, kept)) return notWritten(code, read, kept);
  const present = valueAt(kept.document, ["operators", code]);
  const { routes: known, connections: were, ...others } = isTable(present) ? present : {};
  const routes = isTable(known) ? Object.entries(known) : [];
  // Whoever typed this was shown another operator.
  if ((routes.length === 0) !== (first !== null)) return refuse("SETTINGS_CHANGED");
  const before = Array.isArray(were) ? were.filter(isTable) : [];
  const all = [...routes, ...(first === null ? [] : [[first.name, routeTable(first)] as const])];
  if (all.some(([name]) => name === route.name)) {
    const key = keyText(["operators", code, "routes", route.name]);
    const found = phrase("config.draft.known", { code: route.name });
    const fault = faultLine(kept.path, { key, found, expected: phrase("config.expects.route_name") });
    return done({ document: kept.document, faults: [fault] });
  }
  const added = connections.map(({ password, ...shown }) => ({
    ...shown,
    ...(password === null ? {} : { password: plainSecret(password) }),
    route: route.name,
  }));
  const operator: ConsoleDocument = {
    ...others,
    routes: toRecord([...all, [route.name, routeTable(route)]]),
    connections: [...before.map((one) => (first === null ? one : { ...one, route: first.name })), ...added],
  };
  return done({ document: withOperator(kept, code, operator), faults: [] });
}

/** The table of a route, without what is so by default. */
function routeTable({ name: _, order, cost, ...others }: WrittenRoute): ConsoleDocument {
  const given = Object.entries(others).filter(([key, value]) => !isUsualOfRoute(key, value));
  return { order, ...(cost === null ? {} : { cost }), ...toRecord(given) };
}

function isUsualOfRoute(key: string, value: unknown): boolean {
  const steps = ["operators", "x", "routes", "x", key];
  if (!isTable(value)) return Bun.deepEquals(value, shapeAt(steps).default);
  return Object.entries(value).every(([inner, one]) => one === shapeAt([...steps, inner]).default);
}

function isWritten({ document }: ConsoleOverview, code: string): boolean {
  return isTable(valueAt(document, ["operators", code]));
}

/** Whether an operator stands in the console's file, and not by hand too. */
function isChangeable(code: string, read: ConfigFile, kept: ConsoleOverview): boolean {
  return isWritten(kept, code) && placeOf(read, kept, keyText(["operators", code])).in === "console";
}

function notWritten(code: string, read: ConfigFile, kept: ConsoleOverview): AdminOutcome<never> {
  const key = keyText(["operators", code]);
  return Object.hasOwn(read.config.operators, code)
    ? byHand(key, read, placeOf(read, kept, key))
    : refuse("OPERATOR_UNKNOWN", { operator: code, known: Object.keys(read.config.operators).join(", ") });
}

function byHand(key: string, { path }: ConfigFile, { line }: Place): AdminOutcome<never> {
  return line === null
    ? refuse("SETTING_BY_HAND", { key, place: path })
    : refuse("SETTING_BY_HAND", { key, place: `${path}:${line}` });
}

function placeOf(
  { given, ofConsole = new Set() }: ConfigFile,
  { byHand: lines, lines: ownLines }: ConsoleOverview,
  key: string,
): Place {
  const isAt = (keys: ReadonlySet<string>) =>
    keys.has(key) || [...keys].some((one) => one.startsWith(`${key}.`) || one.startsWith(`${key}[`));
  if (isAt(ofConsole)) return { in: "console", line: findLine(ownLines, key) };
  return isAt(given) ? { in: "file", line: findLine(lines, key) } : { in: "default", line: null };
}

function valueIn(config: Config, key: ConsoleKey): unknown {
  return valueAt({ ...config }, key.split("."));
}

/** A digest of what both files hold. */
function revisionOf({ text, handText }: ConsoleOverview): string {
  return createHash("sha256")
    .update(JSON.stringify([handText, text]))
    .digest("hex")
    .slice(0, 16);
}

function previousDocument(directory: string): AdminOutcome<Changed> {
  const path = join(directory, PREVIOUS_FILE);
  const octets = octetsOf(path);
  if (octets === null) return refuse("NOTHING_TO_UNDO");
  const toml = parseToml(octets.toString());
  const document = toml.ok && isTable(toml.document) ? toml.document : null;
  if (document === null || foreignFaults(document).length > 0 || hasPlainSecrets(document))
    return refuse("NOTHING_TO_UNDO.damaged", { path });
  return done({ document, faults: [] });
}
