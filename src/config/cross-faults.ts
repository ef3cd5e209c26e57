import { Value } from "typebox/value";
import { phrase, said } from "../i18n/phrase.ts";
import { alertFaults } from "./alert-faults.ts";
import { canReceive, canSubmit, type OperatorConfig, smscAccount } from "./config.ts";
import { oneOf } from "./expectation.ts";
import { type Fault, keyText, NOTHING } from "./fault.ts";
import { listenFaults } from "./listen-faults.ts";
import { OperatorSchema } from "./operator-schema.ts";
import { ConfigSchema } from "./schema.ts";
import { whatsappFaults } from "./whatsapp-faults.ts";

/**
 * What no key can see alone: contradictions between keys. Only well-formed parts are looked at, so that these
 * faults are told together with the others.
 */
export function crossFaults(document: unknown): Fault[] {
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
    ...listenFaults(parts),
    ...retentionFaults(parts.get("api"), parts.get("retention")),
    ...sellerFaults(parts.get("seller")),
    ...alertFaults(parts.get("alerts")),
    ...whatsappFaults(parts.get("whatsapp")),
    ...[...operators.keys()].flatMap(codeFaults),
    ...prefixFaults(sound),
    ...accountFaults(sound),
    ...sound.flatMap(([code, operator]) => [
      ...reachFaults(code, operator),
      ...tlsFaults(code, operator),
      ...responseFaults(code, operator),
    ]),
  ];
}

/** Messages that are gone before the feed, or their own text, is. 0 keeps for ever. */
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

/** What stands below a name that is missing. */
function sellerFaults(seller: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.seller, seller)) return [];
  const { name, address, tax_numbers: numbers } = seller;
  if (name !== "" || address.length + numbers.length === 0) return [];
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

/** Connections of one SMSC account that say different things of its receipts. */
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

const TLS_KEYS = ["tls_ca_file", "tls_server_name", "tls_certificate", "tls_key"] as const;

/**
 * A name, an authority or a certificate for TLS on a plain connection: somebody believes that the link is encrypted.
 */
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

/** The keys of `responses`: command_status values (SMPP 3.4 section 5.1.3), of which 0 is no refusal. */
function responseFaults(code: string, operator: OperatorConfig): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<number, string>();
  for (const status of Object.keys(operator.responses)) {
    const key = keyText(["operators", code, "responses", status]);
    if (!/^0x[0-9A-Fa-f]{1,8}$/.test(status) || Number(status) === 0) {
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
