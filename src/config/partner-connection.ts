/**
 * Connections to another Bendre (`kind = "bendre"`), which is posted to over its public API. They have few keys, and every other one of an
 * SMPP bind is refused; what code reads of all connections is filled in here, so that their account is `bendre@host:port`. Pure.
 */
import { isTable } from "../core/own-value.ts";
import { phrase } from "../i18n/phrase.ts";
import { type Fault, keyText, NOTHING, type Step } from "./faults.ts";
import { isLoopbackHost } from "./listen.ts";

/** The keys that such a connection may have. */
const PARTNER_KEYS: readonly string[] = [
  "kind",
  "route",
  "url",
  "api_key",
  "ca_file",
  "allow_private",
  "window",
  "throughput",
  "response_timeout_seconds",
  "max_segments",
];

/** The keys that only such a connection may have. */
const PARTNER_ONLY: readonly string[] = ["url", "api_key", "ca_file", "allow_private"];

/** An address of a public API: https, or http to this machine; without a user, query or fragment. */
export function isPartnerUrl(text: string): boolean {
  const url = /^https?:\/\/[^/?#]/.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "" || /[?#]/.test(text)) return false;
  return url.protocol === "https:" || isLoopbackHost(url.hostname);
}

/** Whether a key of a connection is shown: of one to another Bendre those of an SMPP bind are only filled in. */
export function isKeyOf(connection: object, key: string): boolean {
  return isPartner(connection) ? PARTNER_KEYS.includes(key) : true;
}

/**
 * Keys that a connection of its kind has not, and those without which it cannot be. `unset`: keys whose variable is not set, which is
 * no fault here.
 */
export function partnerFaults(document: unknown, unset: ReadonlySet<string>): Fault[] {
  if (!isTable(document) || !isTable(document.operators)) return [];
  return Object.entries(document.operators).flatMap(([code, operator]) =>
    isTable(operator) ? faultsAt(["operators", code, "connections"], operator.connections, unset) : [],
  );
}

/** `steps`: where the connections stand. */
function faultsAt(steps: readonly Step[], connections: unknown, unset: ReadonlySet<string>): Fault[] {
  if (!Array.isArray(connections)) return [];
  return connections.flatMap((connection: unknown, index): Fault[] => {
    if (!isTable(connection)) return [];
    const keyOf = (name: string) => keyText([...steps, index, name]);
    if (!isPartner(connection)) {
      return PARTNER_ONLY.filter((name) => isGiven(connection[name])).map((name) => ({
        key: keyOf(name),
        found: phrase("config.found.key_of_other_kind"),
        expected: phrase("config.expects.key_of_bendre"),
      }));
    }
    const others = Object.keys(connection).filter((name) => !PARTNER_KEYS.includes(name));
    const missing = ["url", "api_key"].filter(
      (name) => (connection[name] ?? "") === "" && !unset.has(keyOf(name)),
    );
    return [
      ...others.map((name) => ({
        key: keyOf(name),
        found: phrase("config.found.key_of_other_kind"),
        expected: phrase("config.expects.key_of_smpp", { keys: PARTNER_KEYS.join(", ") }),
      })),
      ...missing.map((name) => ({
        key: keyOf(name),
        found: NOTHING,
        expected: phrase(name === "url" ? "config.expects.partner_url" : "config.expects.partner_key"),
      })),
    ];
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && value !== false;
}

/** The document with what code reads of all connections filled in where it is another Bendre that is connected to. */
export function fillPartners(document: unknown): unknown {
  if (!isTable(document) || !isTable(document.operators)) return document;
  const operators = Object.entries(document.operators).map(([code, operator]) => {
    if (!isTable(operator) || !Array.isArray(operator.connections)) return [code, operator] as const;
    const connections = operator.connections.map((one: unknown) =>
      isTable(one) && isPartner(one) ? { ...one, ...bindOf(one.url) } : one,
    );
    return [code, { ...operator, connections }] as const;
  });
  return { ...document, operators: Object.fromEntries(operators) };
}

function isPartner(connection: object): boolean {
  return "kind" in connection && connection.kind === "bendre";
}

/** In place of an SMPP bind; of an address that is reported as wrong elsewhere, any. */
function bindOf(text: unknown): Readonly<Record<string, unknown>> {
  const url = typeof text === "string" && isPartnerUrl(text) ? URL.parse(text) : null;
  const usual = url?.protocol === "http:" ? 80 : 443;
  return {
    host: url === null ? "localhost" : url.hostname.replace(/^\[|\]$/g, ""),
    port: url === null || url.port === "" ? usual : Number(url.port),
    system_id: "bendre",
    password: "",
  };
}
