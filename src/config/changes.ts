/**
 * What another configuration would change in the one in force, and when: a comparison of two values, like the plan of a
 * migration. Pure. Never contains secrets.
 */
import { isTable } from "../core/own-value.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type Config, type ConnectionConfig, connectionNames, type OperatorConfig } from "./config.ts";
import { keyText, type Step } from "./faults.ts";
import { fingerprint, type Pems } from "./files.ts";
import { shapeAt } from "./parse-config.ts";
import { isKeyOf } from "./partner-connection.ts";

/** A configuration with the texts of the PEM files that it names, and the keys that its file gives: all others have their defaults. */
export type Whole = {
  readonly config: Config;
  readonly pems: Pems;
  readonly given: ReadonlySet<string>;
  /** Those that the console's file gives; absent: none. */
  readonly ofConsole?: ReadonlySet<string>;
};

export type ConfigChange = {
  /** The key's full path. For a connection that is removed, as the old file counts it; for all others, as the new one does. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /** Null where there is nothing. */
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: "now" | "restart";
  /** Why it waits for a restart; null for what does not. */
  readonly because: Phrase | null;
};

/** What stays as it was at the start, by its key, and why. */
const FIXED: readonly { readonly key: RegExp; readonly because: Phrase }[] = [
  { key: /^server\.listen$/, because: phrase("config.waits.server_listen") },
  { key: /^compat\.listen$/, because: phrase("config.waits.compat_listen") },
  { key: /^metrics\.listen$/, because: phrase("config.waits.metrics_listen") },
  { key: /^console\.(enabled|listen)$/, because: phrase("config.waits.console") },
  { key: /^storage\.directory$/, because: phrase("config.waits.directory") },
  { key: /^log\.(rooms|slow_statement_ms)$/, because: phrase("config.waits.log") },
  { key: /^api\.max_body_bytes$/, because: phrase("config.waits.body") },
];
const TLS_SWITCH = phrase("config.waits.tls");

type Compared = Pick<Whole, "config" | "pems">;

/** What `to` would change, in the order of the file. */
export function configChanges(from: Compared, to: Compared): ConfigChange[] {
  const { operators: before, ...one } = from.config;
  const { operators: after, ...other } = to.config;
  const scene: Scene = { from, to };
  return [...between(scene, [], one, other), ...operatorChanges(scene, before, after)];
}

/** `next` as far as it can be in force without a restart: what cannot stays as `inForce` has it. */
export function applyWithoutRestart(inForce: Config, next: Config): Config {
  const { server, metrics, storage, log, api, console: pages, compat } = inForce;
  const speaksTls = (one: Config) => one.server.tls_certificate !== "";
  const isSwitched = speaksTls(inForce) !== speaksTls(next);
  return {
    ...next,
    server: isSwitched ? server : { ...next.server, listen: server.listen },
    metrics: { ...next.metrics, listen: metrics.listen },
    console: { ...next.console, enabled: pages.enabled, listen: pages.listen },
    compat: { ...next.compat, listen: compat.listen },
    storage: { ...next.storage, directory: storage.directory },
    log: { ...next.log, rooms: log.rooms, slow_statement_ms: log.slow_statement_ms },
    api: { ...next.api, max_body_bytes: api.max_body_bytes },
  };
}

type Scene = { readonly from: Compared; readonly to: Compared };

function operatorChanges(scene: Scene, before: Config["operators"], after: Config["operators"]) {
  const codes = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...codes].flatMap((code) => {
    const steps = ["operators", code];
    const [old, now] = [before[code], after[code]];
    if (!old || !now) return [wholeChange(steps, old, now)];
    const { connections: oldOnes, ...oldRest } = old;
    const { connections: newOnes, ...newRest } = now;
    return [
      ...between(scene, steps, oldRest, newRest),
      ...connectionChanges(scene, [...steps, "connections"], oldOnes, newOnes),
    ];
  });
}

function connectionChanges(
  scene: Scene,
  steps: readonly Step[],
  before: OperatorConfig["connections"],
  after: OperatorConfig["connections"],
): ConfigChange[] {
  const old = byName(before);
  const now = byName(after);
  const gone = [...old].filter(([name]) => !now.has(name));
  return [
    ...[...now].flatMap(([name, { index, connection }]) => {
      const known = old.get(name);
      const place = [...steps, index];
      return known
        ? between(scene, place, known.connection, connection)
        : [wholeChange(place, undefined, connection)];
    }),
    ...gone.map(([, { index, connection }]) => wholeChange([...steps, index], connection, undefined)),
  ];
}

function byName(connections: OperatorConfig["connections"]) {
  return new Map(
    connectionNames(connections).map((name, index) => {
      const connection = connections[index] as ConnectionConfig;
      return [name, { index, connection }] as const;
    }),
  );
}

/** The differences between two tables, one a key; for a table with free keys one an entry. */
function between(scene: Scene, steps: readonly Step[], one: object, other: object): ConfigChange[] {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name): ConfigChange[] => {
    const path = [...steps, name];
    const [from, to] = [left.get(name), right.get(name)];
    if (!isKeyOf(one, name) && !isKeyOf(other, name)) return [];
    if (isTable(from) && isTable(to)) return between(scene, path, from, to);
    if (!Bun.deepEquals(from, to)) return [wholeChange(path, from, to)];
    return contentChange(scene, path, to);
  });
}

/** A change of a file's content under the same name. */
function contentChange({ from, to }: Scene, steps: readonly Step[], value: unknown): ConfigChange[] {
  if (shapeAt(steps).isFile !== true || typeof value !== "string" || value === "") return [];
  const [old, now] = [from.pems.get(value), to.pems.get(value)];
  if (old === undefined || now === undefined || old === now) return [];
  const told = (pem: string) => `${value} (SHA-256 ${fingerprint(pem)})`;
  return [{ ...wholeChange(steps, told(old), told(now)), effect: "now", because: null }];
}

function wholeChange(steps: readonly Step[], from: unknown, to: unknown): ConfigChange {
  const path = keyText(steps);
  const because = restartFor(path, from, to);
  return {
    path,
    change: from === undefined ? "added" : to === undefined ? "removed" : "changed",
    from: shown(steps, from),
    to: shown(steps, to),
    effect: because === null ? "now" : "restart",
    because,
  };
}

function restartFor(path: string, from: unknown, to: unknown): Phrase | null {
  const isTls = path === "server.tls_certificate" || path === "server.tls_key";
  if (isTls && (from === "") !== (to === "")) return TLS_SWITCH;
  return FIXED.find(({ key }) => key.test(path))?.because ?? null;
}

/** Every key with its value as anybody may see it, in the order of the schema. */
export function listSettings(config: Config): { readonly path: string; readonly value: unknown }[] {
  return listLeaves(config).map(({ steps, value }) => ({ path: keyText(steps), value: shown(steps, value) }));
}

/** A value as anybody may see it: secrets hidden, whatever is missing null. */
function shown(steps: readonly Step[], value: unknown): unknown {
  if (value === undefined) return null;
  if (shapeAt(steps).secret) return "(hidden)";
  if (Array.isArray(value)) return value.map((item, index) => shown([...steps, index], item));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isKeyOf(value, name))
      .map(([name, inner]) => [name, shown([...steps, name], inner)]),
  );
}

/** A value of a configuration that has no keys of its own: a single one, a list of such, or an empty table. */
type Leaf = { readonly steps: readonly Step[]; readonly value: unknown };

/** Every leaf of a document, in its order. */
export function listLeaves(value: unknown, steps: readonly Step[] = []): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ steps, value }];
  const isList = Array.isArray(value);
  const inner = Object.entries(value);
  if (inner.length === 0 || (isList && value.every(isPlain))) return [{ steps, value }];
  return inner
    .filter(([name]) => isKeyOf(value, name))
    .flatMap(([name, one]) => listLeaves(one, [...steps, isList ? Number(name) : name]));
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
