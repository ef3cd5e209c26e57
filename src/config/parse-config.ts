/**
 * Turns a decoded configuration document into a `Config`: variables, defaults, schema, and rules that span several keys,
 * such as prefixes, listen addresses and retention.
 */
import { Value } from "typebox/value";
import { assert } from "../core/assert.ts";
import { nearest } from "../core/edit-distance.ts";
import { getOwn, toRecord } from "../core/own-value.ts";
import { schemaErrors } from "../core/schema-errors.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import {
  bringsReceipts,
  type Config,
  canReceive,
  canSubmit,
  type OperatorConfig,
  responseTables,
  smscAccount,
} from "./config.ts";
import { type Environment, expandEnvironment, type Placeholder, type UnsetVariable } from "./environment.ts";
import {
  describeExpected,
  type Fault,
  found,
  keyText,
  NOTHING,
  oneOf,
  type Shape,
  type Step,
  valueShape,
} from "./faults.ts";
import { parseListen } from "./listen.ts";
import { OperatorSchema } from "./operator-schema.ts";
import { fillPartners, partnerFaults } from "./partner-connection.ts";
import { isCommandStatus, isRouteName, MAX_ROUTES } from "./route-schema.ts";
import { ConfigSchema } from "./schema.ts";
import { SETTINGS } from "./settings.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

/** As many as a person can correct before the next try. */
const MAX_FAULTS = 20;

/**
 * What a variable that is not set means: a fault; no fault where it holds a secret, for commands that use none of them
 * (docs/administration.md#values-from-the-environment); or only a warning, for a check of the file away from its server.
 */
export type UnsetPolicy = "a fault" | "a fault but for secrets" | "a warning";

type ParsedConfig =
  | { readonly ok: true; readonly config: Config; readonly unset: readonly UnsetVariable[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Makes a Config of a decoded document: fills in variables and defaults, and checks every key. Relative paths stay as they are
 * written. Faults are reported all at once, up to 20, one a key. `withMore` puts in what is no text of the environment's: nothing in it
 * is expanded.
 */
export function parseConfig(
  document: unknown,
  env: Environment,
  unsetMeans: UnsetPolicy = "a fault",
  withMore: (expanded: unknown) => unknown = (expanded) => expanded,
): ParsedConfig {
  const expanded = expandEnvironment(document, env, createPlaceholder(unsetMeans));
  const written = withMore(expanded.document);
  const filled = Value.Default(ConfigSchema, fillPartners(written));
  const faults = new Map<string, Fault>();
  for (const fault of [
    ...expanded.faults,
    ...partnerFaults(written, new Set(expanded.unset.map(({ key }) => key))),
    ...shapeFaults(filled, expanded.origins),
    ...crossFaults(filled),
  ]) {
    if (!faults.has(fault.key)) faults.set(fault.key, fault);
  }
  if (faults.size > 0) return { ok: false, faults: [...faults.values()].slice(0, MAX_FAULTS) };
  assert(Value.Check(ConfigSchema, filled), "a configuration without faults fits its schema");
  return { ok: true, config: withNames(filled), unset: expanded.unset };
}

/** A key's default, or a word where it has none: nobody connects with it. */
function createPlaceholder(unsetMeans: UnsetPolicy): Placeholder {
  return (steps) => {
    const { secret = false, default: usual = "unset" } = shapeAt(steps);
    const mayBeUnset = unsetMeans === "a warning" || (unsetMeans === "a fault but for secrets" && secret);
    return mayBeUnset ? { value: usual } : null;
  };
}

/** Gives an operator without a name its code as name. Codes are free keys: a table of them has nothing else. */
function withNames(config: Config): Config {
  const named = Object.entries(config.operators).map(([code, operator]) => {
    return [code, { ...operator, name: operator.name === "" ? code : operator.name }] as const;
  });
  const numbers = toRecord(Object.entries(config.whatsapp.numbers));
  return { ...config, operators: toRecord(named), whatsapp: { ...config.whatsapp, numbers } };
}

/**
 * Contradictions between keys, which no key shows alone. Only well-formed parts are checked, so that these faults are reported
 * together with the others.
 */
function crossFaults(document: unknown): Fault[] {
  const parts = entriesOf(document);
  const server = parts.get("server");
  const operators = entriesOf(parts.get("operators"));
  const sound: [code: string, operator: OperatorConfig][] = [];
  for (const [code, operator] of operators) {
    if (Value.Check(OperatorSchema, operator)) sound.push([code, operator]);
  }
  return [
    ...(Value.Check(ConfigSchema.properties.server, server)
      ? pairFaults(server, (name) => `server.${name}`)
      : []),
    ...smppServerFaults(parts.get("smpp_server"), server),
    ...listenFaults(parts),
    ...retentionFaults(parts.get("api"), parts.get("retention")),
    ...sellerFaults(parts.get("seller")),
    ...alertFaults(parts.get("alerts")),
    ...whatsappFaults(parts.get("whatsapp")),
    ...[...operators.keys()].flatMap(codeFaults),
    ...prefixFaults(sound),
    ...accountFaults(sound),
    ...sharedPaceFaults(sound),
    ...sound.flatMap(([code, operator]) => [
      ...reachFaults(code, operator),
      ...routeFaults(code, operator),
      ...secondFaults(code, operator, parts.get("delivery")),
      ...tlsFaults(code, operator),
      ...responseFaults(code, operator),
    ]),
  ];
}

/** Faults where messages are purged before the feed, or their own text, is. 0 keeps for ever. */
function retentionFaults(api: unknown, retention: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.retention, retention)) return [];
  const { text_days: textDays, message_days: days } = retention;
  if (days === 0) return [];
  const key = "retention.message_days";
  const found = said(String(days));
  const faults: Fault[] = [];
  if (textDays === 0 || textDays > days) {
    const least =
      textDays === 0
        ? phrase("config.expects.message_days.for_ever")
        : phrase("config.expects.message_days.as_texts", { days: textDays });
    faults.push({ key, found, expected: least });
  }
  if (!Value.Check(ConfigSchema.properties.api, api)) return faults;
  const hours = api.max_lookback_hours;
  if (days * 24 < hours) {
    const least = Math.ceil(hours / 24);
    const expected = phrase("config.expects.message_days.lookback", { days: least, hours });
    faults.push({ key, found, expected });
  }
  return faults;
}

/** Faults of seller fields without a name. */
function sellerFaults(seller: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.seller, seller)) return [];
  const { name, address, tax_numbers: numbers, taxes, logo, colour } = seller;
  const isEmpty = address.length + numbers.length + taxes.length === 0 && logo === "" && colour === "";
  if (name !== "" || isEmpty) return [];
  return [{ key: "seller.name", found: said('""'), expected: phrase("config.expects.company") }];
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function codeFaults(code: string): Fault[] {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(code)) return [];
  const expected = phrase("config.expects.operator_code");
  return [{ key: keyText(["operators", code]), found: said(JSON.stringify(code)), expected }];
}

function prefixFaults(operators: readonly [string, OperatorConfig][]): Fault[] {
  const faults: Fault[] = [];
  const owners = new Map<string, string>();
  for (const [code, operator] of operators) {
    for (const [index, prefix] of operator.prefixes.entries()) {
      const key = keyText(["operators", code, "prefixes", index]);
      const owner = owners.get(prefix);
      if (owner === undefined) owners.set(prefix, key);
      else {
        const expected = phrase("config.expects.free_prefix", { owner });
        faults.push({ key, found: said(`"${prefix}"`), expected });
      }
    }
  }
  return faults;
}

/** Connections of one SMSC account with different settings for its receipts. */
function accountFaults(operators: readonly [string, OperatorConfig][]): Fault[] {
  const faults: Fault[] = [];
  const first = new Map<string, { readonly key: string; readonly value: string }>();
  for (const [code, { connections }] of operators) {
    for (const [index, connection] of connections.entries()) {
      const key = keyText(["operators", code, "connections", index, "unmarked_receipts"]);
      const value = `"${connection.unmarked_receipts}"`;
      const account = smscAccount(connection);
      const told = first.get(account);
      if (!told) first.set(account, { key, value });
      else if (told.value !== value) {
        faults.push({ key, found: said(value), expected: phrase("config.expects.same_account", told) });
      }
    }
  }
  return faults;
}

/** Connections that share a pace, and each say another throughput of it. */
function sharedPaceFaults(operators: readonly [string, OperatorConfig][]): Fault[] {
  const faults: Fault[] = [];
  const first = new Map<string, { readonly key: string; readonly throughput: number }>();
  for (const [code, { connections }] of operators) {
    for (const [index, { shared_pace: word, throughput }] of connections.entries()) {
      if (word === "") continue;
      const key = keyText(["operators", code, "connections", index, "throughput"]);
      const told = first.get(word);
      if (!told) first.set(word, { key, throughput });
      else if (told.throughput !== throughput) {
        const expected = phrase("config.expects.same_pace", {
          word,
          key: told.key,
          throughput: told.throughput,
        });
        faults.push({ key, found: said(String(throughput)), expected });
      }
    }
  }
  return faults;
}

function reachFaults(code: string, operator: OperatorConfig): Fault[] {
  const faults: Fault[] = [];
  if (!operator.connections.some(canSubmit)) {
    const key = keyText(["operators", code, "connections"]);
    const expected = phrase("config.expects.sending_bind", { words: oneOf(["transceiver", "transmitter"]) });
    faults.push({ key, found: phrase("config.found.only_receivers"), expected });
  }
  if (operator.receipts && !operator.connections.some(canReceive)) {
    const key = keyText(["operators", code, "receipts"]);
    const expected = phrase("config.expects.receiving_bind", { words: oneOf(["transceiver", "receiver"]) });
    faults.push({ key, found: phrase("config.found.only_transmitters"), expected });
  }
  return faults;
}

const MESSAGE_CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;

/** Routes that nothing leaves by, connections of no route, and classes and orders that nobody would carry. */
function routeFaults(code: string, { routes, connections, responses, receipts }: OperatorConfig): Fault[] {
  const steps = ["operators", code];
  const names = Object.keys(routes);
  const faults: Fault[] = connections.flatMap(({ route }, index): Fault[] => {
    const key = keyText([...steps, "connections", index, "route"]);
    if (route === "" && names.length === 0) return [];
    if (route === "") {
      return [
        {
          key,
          found: NOTHING,
          expected: phrase("config.expects.route_of_connection", { routes: names.join(", ") }),
        },
      ];
    }
    if (Object.hasOwn(routes, route)) return [];
    const expected = phrase("config.expects.route_table", { operator: code, route });
    return [{ key, found: said(`"${route}"`), expected }];
  });
  if (names.length === 0) return faults;
  const tables = keyText([...steps, "routes"]);
  if (names.length > MAX_ROUTES) {
    const expected = phrase("config.expects.few_routes", { most: MAX_ROUTES });
    faults.push({ key: tables, found: said(String(names.length)), expected });
  }
  for (const name of names) {
    const key = keyText([...steps, "routes", name]);
    if (!isRouteName(name)) {
      faults.push({ key, found: said(JSON.stringify(name)), expected: phrase("config.expects.route_name") });
    } else if (!connections.some((connection) => connection.route === name && canSubmit(connection))) {
      const words = oneOf(["transceiver", "transmitter"]);
      faults.push({ key, found: NOTHING, expected: phrase("config.expects.route_connection", { words }) });
    }
  }
  return [
    ...faults,
    ...shareFaults(steps, routes),
    ...classFaults(tables, routes),
    ...rerouteFaults(steps, { routes, responses }),
    ...illnessFaults(steps, { routes, receipts }),
  ];
}

/** Orders whose shares are all 0. */
function shareFaults(steps: readonly Step[], routes: OperatorConfig["routes"]): Fault[] {
  const orders = Map.groupBy(Object.entries(routes), ([, { order }]) => order);
  return [...orders].flatMap(([order, alike]) => {
    const [first] = alike;
    if (first === undefined || alike.some(([, { share }]) => share > 0)) return [];
    const key = keyText([...steps, "routes", first[0], "share"]);
    return [{ key, found: said("0"), expected: phrase("config.expects.route_share", { order }) }];
  });
}

/** Routes without receipts that are to be judged by them. */
function illnessFaults(
  steps: readonly Step[],
  operator: Pick<OperatorConfig, "routes" | "receipts">,
): Fault[] {
  return Object.entries(operator.routes).flatMap(([name, route]): Fault[] => {
    const { points } = route.ill_below;
    if (points === 0 || bringsReceipts(operator, name)) return [];
    const key = keyText([...steps, "routes", name, "ill_below", "points"]);
    return [{ key, found: said(String(points)), expected: phrase("config.expects.ill_below") }];
  });
}

/** A code cannot both lead to the next route and be tried again by this one. */
function rerouteFaults(
  steps: readonly Step[],
  operator: Pick<OperatorConfig, "routes" | "responses">,
): Fault[] {
  const tables = responseTables(operator);
  return Object.entries(operator.routes).flatMap(([name, { reroute_on }]) =>
    reroute_on.flatMap((status, index): Fault[] => {
      const action = tables.get(name)?.get(Number(status));
      if (action === undefined || action === "fail") return [];
      const key = keyText([...steps, "routes", name, "reroute_on", index]);
      const expected = phrase("config.expects.reroute_on", { action });
      return [{ key, found: said(`"${status}"`), expected }];
    }),
  );
}

/** So long an operator may take for a receipt before another SMS is thought of. */
const MIN_SECOND_SECONDS = 30;

/** Second SMS that would come at once or never, that nobody agreed to, or that silence says nothing about. */
function secondFaults(code: string, operator: OperatorConfig, delivery: unknown): Fault[] {
  const validitySeconds = Value.Check(ConfigSchema.properties.delivery, delivery)
    ? delivery.validity_minutes.OTP * 60
    : Number.POSITIVE_INFINITY;
  return Object.entries(operator.routes).flatMap(([name, route]): Fault[] => {
    const { second_after_seconds: seconds, accept_doubles } = route;
    if (seconds === 0) return [];
    const keyOf = (key: string) => keyText(["operators", code, "routes", name, key]);
    const key = keyOf("second_after_seconds");
    const found = said(String(seconds));
    const faults: Fault[] = [];
    if (seconds < MIN_SECOND_SECONDS)
      faults.push({
        key,
        found,
        expected: phrase("config.expects.second_least", { seconds: MIN_SECOND_SECONDS }),
      });
    if (seconds > validitySeconds)
      faults.push({
        key,
        found,
        expected: phrase("config.expects.second_most", { seconds: validitySeconds }),
      });
    if (!bringsReceipts(operator, name))
      faults.push({ key, found, expected: phrase("config.expects.second_receipts") });
    if (!accept_doubles)
      faults.push({
        key: keyOf("accept_doubles"),
        found: said("false"),
        expected: phrase("config.expects.second_doubles"),
      });
    return faults;
  });
}

function classFaults(key: string, routes: OperatorConfig["routes"]): Fault[] {
  const missing = MESSAGE_CLASSES.find((one) =>
    Object.values(routes).every(({ classes }) => !classes.includes(one)),
  );
  return missing === undefined
    ? []
    : [{ key, found: NOTHING, expected: phrase("config.expects.route_class", { messageClass: missing }) }];
}

const TLS_KEYS = ["tls_ca_file", "tls_server_name", "tls_certificate", "tls_key"] as const;

/** A name, an authority or a certificate for TLS on a plain connection: somebody believes that the connection is encrypted. */
function tlsFaults(code: string, operator: OperatorConfig): Fault[] {
  return operator.connections.flatMap((connection, index) => {
    const keyOf = (name: string) => keyText(["operators", code, "connections", index, name]);
    const given = TLS_KEYS.find((name) => connection[name] !== "");
    if (given !== undefined && !connection.tls) {
      const expected = phrase("config.expects.tls", { key: given });
      return [{ key: keyOf("tls"), found: said("false"), expected }];
    }
    return pairFaults(connection, keyOf);
  });
}

/** A certificate without its key, or the other way round. */
function pairFaults(
  { tls_certificate, tls_key }: { readonly tls_certificate: string; readonly tls_key: string },
  keyOf: (name: string) => string,
): Fault[] {
  if ((tls_certificate === "") === (tls_key === "")) return [];
  const missing = tls_key === "" ? "tls_key" : "tls_certificate";
  return [{ key: keyOf(missing), found: NOTHING, expected: phrase("config.expects.both_or_neither") }];
}

/** A certificate without its key, and TLS without any. */
function smppServerFaults(smpp: unknown, server: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.smpp_server, smpp)) return [];
  const unpaired = pairFaults(smpp, (name) => `smpp_server.${name}`);
  if (unpaired.length > 0 || smpp.tls_listen === "" || smpp.tls_certificate !== "") return unpaired;
  if (!Value.Check(ConfigSchema.properties.server, server) || server.tls_certificate !== "") return [];
  const expected = phrase("config.expects.smpp_certificate");
  return [{ key: "smpp_server.tls_certificate", found: NOTHING, expected }];
}

/** The keys of `responses`: command_status values (SMPP 3.4 section 5.1.3), of which 0 is no refusal. */
function responseFaults(code: string, { responses, routes }: OperatorConfig): Fault[] {
  const steps = ["operators", code];
  return [
    ...tableFaults([...steps, "responses"], responses),
    ...Object.entries(routes).flatMap(([name, route]) =>
      tableFaults([...steps, "routes", name, "responses"], route.responses),
    ),
  ];
}

function tableFaults(steps: readonly Step[], responses: OperatorConfig["responses"]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<number, string>();
  for (const status of Object.keys(responses)) {
    const key = keyText([...steps, status]);
    if (!isCommandStatus(status)) {
      const expected = phrase("config.expects.command_status");
      faults.push({ key, found: said(JSON.stringify(status)), expected });
      continue;
    }
    const twin = seen.get(Number(status));
    if (twin === undefined) seen.set(Number(status), status);
    else
      faults.push({
        key,
        found: said(`"${status}"`),
        expected: phrase("config.expects.command_status.once", { twin: `"${twin}"` }),
      });
  }
  return faults;
}

/** What a channel for alerts lacks; alerts that nobody could tell from a stranger's. */
function alertFaults(alerts: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.alerts, alerts)) return [];
  const { webhook, secret, email, smtp } = alerts;
  const faults: Fault[] = [];
  const missing = (key: string, expected: Phrase) => faults.push({ key, found: NOTHING, expected });
  if (webhook !== "" && secret === "") missing("alerts.secret", phrase("config.expects.alert_secret"));
  if (email.length > 0 && smtp.host === "") missing("alerts.smtp.host", phrase("config.expects.mail_server"));
  if (email.length > 0 && smtp.from === "") missing("alerts.smtp.from", phrase("config.expects.mail_from"));
  if (smtp.user !== "" && smtp.password === "")
    missing("alerts.smtp.password", phrase("config.expects.mail_password"));
  if (smtp.user !== "" && smtp.tls === "none")
    faults.push({
      key: "alerts.smtp.tls",
      found: said('"none"'),
      expected: phrase("config.expects.tls_for_password", { words: oneOf(["starttls", "implicit"]) }),
    });
  return faults;
}

type Parts = ReadonlyMap<string, unknown>;

/** The keys that say where something listens, in the order in which they get their address. */
const LISTENERS = [
  ["server", "listen"],
  ["console", "listen"],
  ["compat", "listen"],
  ["smpp_server", "listen"],
  ["smpp_server", "tls_listen"],
  ["metrics", "listen"],
] as const;

/** Two keys by which one address is listened on: the second never gets it. One that is left empty has none, and port 0 is any free one. */
function listenFaults(parts: Parts): Fault[] {
  const faults: Fault[] = [];
  const taken: { readonly key: string; readonly text: string }[] = [];
  for (const [table, name] of LISTENERS) {
    const text = listenOf(parts.get(table), name);
    if (text === null) continue;
    const key = `${table}.${name}`;
    const twin = taken.find((other) => isOneAddress(other.text, text));
    if (twin === undefined) taken.push({ key, text });
    else {
      const address = `"${twin.text}"`;
      const expected = phrase("config.expects.free_listen", { key: twin.key, address });
      faults.push({ key, found: said(`"${text}"`), expected });
    }
  }
  return faults;
}

/** The address a table listens on; null: none, or one that is reported as wrong elsewhere. */
function listenOf(part: unknown, name: string): string | null {
  const keys = entriesOf(part);
  const listen = keys.get(name);
  return keys.get("enabled") === false || typeof listen !== "string" ? null : listen;
}

function isOneAddress(one: string, other: string): boolean {
  const [first, second] = [parseListen(one), parseListen(other)];
  if (first === null || second === null || first.port !== second.port || first.port === 0) return false;
  const names = [nameOf(first.hostname), nameOf(second.hostname)] as const;
  return names[0] === names[1] || covers(...names) || covers(names[1], names[0]);
}

function nameOf(hostname: string): string {
  const name = hostname.toLowerCase();
  return name === "localhost" ? "127.0.0.1" : name;
}

/** Whether an address includes the other, as one that means all addresses; that of IPv6 takes IPv4 too. */
function covers(all: string, one: string): boolean {
  return all === "::" || (all === "0.0.0.0" && !one.includes(":"));
}

/** Unknown keys, missing keys, wrong types and values out of bounds, each key once. */
function shapeFaults(document: unknown, origins: ReadonlyMap<string, string>): Fault[] {
  const errors = schemaErrors(ConfigSchema, document);
  /** What unknown keys were probably meant to be: reported once, and not as missing too. */
  const misspelt = new Set<string>();
  for (const error of errors) {
    if (error.keyword !== "additionalProperties") continue;
    const spot = follow(document, error.instancePath);
    for (const key of error.params.additionalProperties) {
      const meant = nearest(key, Object.keys(spot.shape.properties ?? {}));
      if (meant !== null) misspelt.add(keyText([...spot.steps, meant]));
    }
  }
  return errors.flatMap((error) => {
    const spot = follow(document, error.instancePath);
    switch (error.keyword) {
      case "boolean":
        return []; // Each unknown key comes again, by name, as "additionalProperties".
      case "additionalProperties":
        return error.params.additionalProperties.map((key) => unknownKey(spot, key));
      case "required":
        return error.params.requiredProperties
          .filter((key) => !misspelt.has(keyText([...spot.steps, key])))
          .map((key) => missingKey(spot, key));
      default:
        return [wrongValue(spot, origins)];
    }
  });
}

/** What the schema says about a place; an empty shape for one that it does not know. */
export function shapeAt(steps: readonly Step[]): Shape {
  return steps.reduce<Shape>(stepInto, ConfigSchema);
}

function stepInto(shape: Shape, step: Step): Shape {
  return (
    (typeof step === "number" ? shape.items : (getOwn(shape.properties, step) ?? valueShape(shape))) ?? {}
  );
}

/** A place in the document: its path, its value and what the schema says about it. */
type Spot = { readonly steps: readonly Step[]; readonly value: unknown; readonly shape: Shape };

/** Walks a JSON Pointer (RFC 6901) through the document and its schema at once. */
function follow(document: unknown, pointer: string): Spot {
  let value: unknown = document;
  let shape: Shape = ConfigSchema;
  const steps: Step[] = [];
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const inList = Array.isArray(value);
    steps.push(inList ? Number(name) : name);
    value =
      typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
    shape = stepInto(shape, inList ? Number(name) : name);
  }
  return { steps, value, shape };
}

function wrongValue(spot: Spot, origins: ReadonlyMap<string, string>): Fault {
  const key = keyText(spot.steps);
  const variable = origins.get(key);
  return {
    key,
    found:
      variable === undefined
        ? found(spot.value, spot.shape)
        : phrase("config.found.hidden", { what: phrase("config.found.variable", { variable }) }),
    expected: describeExpected(spot.shape),
  };
}

function missingKey(spot: Spot, key: string): Fault {
  const expected = describeExpected(getOwn(spot.shape.properties, key) ?? {});
  return { key: keyText([...spot.steps, key]), found: NOTHING, expected };
}

function unknownKey(spot: Spot, key: string): Fault {
  const known = Object.keys(spot.shape.properties ?? {});
  const meant = nearest(key, known);
  const elsewhere = SETTINGS.find((setting) => setting.key === key)?.table;
  let expected = phrase("config.expects.known_key", { keys: known.join(", ") });
  if (elsewhere !== undefined) expected = phrase("config.expects.known_key.elsewhere", { table: elsewhere });
  if (meant !== null) expected = phrase("config.expects.known_key.meant", { key: meant });
  return { key: keyText([...spot.steps, key]), found: phrase("config.found.unknown_key"), expected };
}

/** What a number needs and lacks, invalid codes, and one number under two codes. */
export function whatsappFaults(whatsapp: unknown): Fault[] {
  if (!Value.Check(WhatsappSchema, whatsapp)) return [];
  const numbers = Object.entries(whatsapp.numbers);
  if (numbers.length === 0) return [];
  const faults: Fault[] = [];
  const missing = (key: string, expected: Phrase) => faults.push({ key, found: NOTHING, expected });
  if (whatsapp.app_secret === "") missing("whatsapp.app_secret", phrase("config.expects.app_secret"));
  if (whatsapp.verify_token === "") {
    missing("whatsapp.verify_token", phrase("config.expects.verify_token"));
  }
  const owners = new Map<string, string>();
  for (const [code, { phone_number_id: phone }] of numbers) {
    const steps = ["whatsapp", "numbers", code];
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,22}$/.test(code)) {
      const expected = phrase("config.expects.number_code");
      faults.push({ key: keyText(steps), found: said(JSON.stringify(code)), expected });
    }
    const key = keyText([...steps, "phone_number_id"]);
    const owner = owners.get(phone);
    if (owner === undefined) owners.set(phone, key);
    else {
      const expected = phrase("config.expects.free_number", { owner });
      faults.push({ key, found: said(`"${phone}"`), expected });
    }
  }
  return faults;
}
