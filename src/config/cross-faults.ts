import { Value } from "typebox/value";
import { alertFaults } from "./alert-faults.ts";
import { canReceive, canSubmit, type OperatorConfig, smscAccount } from "./config.ts";
import { type Fault, keyText } from "./fault.ts";
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
  const found = String(days);
  const faults: Fault[] = [];
  if (textDays === 0 || textDays > days) {
    const least =
      textDays === 0
        ? "0, since retention.text_days keeps for ever"
        : `0, or at least ${textDays} as retention.text_days`;
    faults.push({ key, found, expected: least });
  }
  if (!Value.Check(ConfigSchema.properties.api, api)) return faults;
  const hours = api.max_lookback_hours;
  if (days * 24 < hours) {
    const expected = `0, or at least ${Math.ceil(hours / 24)}, since api.max_lookback_hours is ${hours}`;
    faults.push({ key, found, expected });
  }
  return faults;
}

/** What stands below a name that is missing. */
function sellerFaults(seller: unknown): Fault[] {
  if (!Value.Check(ConfigSchema.properties.seller, seller)) return [];
  const { name, address, tax_numbers: numbers } = seller;
  if (name !== "" || address.length + numbers.length === 0) return [];
  const expected = "the name of the company, since its address or its numbers are given";
  return [{ key: "seller.name", found: '""', expected }];
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function codeFaults(code: string): Fault[] {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(code)) return [];
  const expected = "a code of 1 to 32 letters, digits, _ and -, starting with a letter or digit";
  return [{ key: keyText(["operators", code]), found: JSON.stringify(code), expected }];
}

function prefixFaults(operators: readonly [string, OperatorConfig][]): Fault[] {
  const faults: Fault[] = [];
  const owners = new Map<string, string>();
  for (const [code, operator] of operators) {
    for (const [index, prefix] of operator.prefixes.entries()) {
      const key = keyText(["operators", code, "prefixes", index]);
      const owner = owners.get(prefix);
      if (owner === undefined) owners.set(prefix, key);
      else faults.push({ key, found: `"${prefix}"`, expected: `a prefix that is not listed yet (${owner})` });
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
      const said = first.get(account);
      if (!said) first.set(account, { key, value });
      else if (said.value !== value) {
        const expected = `${said.value}, as ${said.key} says of the same host, port and system_id`;
        faults.push({ key, found: value, expected });
      }
    }
  }
  return faults;
}

function reachFaults(code: string, operator: OperatorConfig): Fault[] {
  const faults: Fault[] = [];
  if (!operator.connections.some(canSubmit)) {
    const key = keyText(["operators", code, "connections"]);
    const expected = 'at least one with bind = "transceiver" or "transmitter"';
    faults.push({ key, found: "only receivers", expected });
  }
  if (operator.receipts && !operator.connections.some(canReceive)) {
    const key = keyText(["operators", code, "receipts"]);
    const expected =
      'receipts = false, or a connection with bind = "transceiver" or "receiver" to bring them';
    faults.push({ key, found: "true and only transmitters", expected });
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
      return [{ key: keyOf("tls"), found: "false", expected: `true, since ${given} is given` }];
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
  return [{ key: keyOf(missing), found: "nothing", expected: "tls_certificate and tls_key, or neither" }];
}

/** The keys of `responses`: command_status values (SMPP 3.4 section 5.1.3), of which 0 is no refusal. */
function responseFaults(code: string, operator: OperatorConfig): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<number, string>();
  for (const status of Object.keys(operator.responses)) {
    const key = keyText(["operators", code, "responses", status]);
    if (!/^0x[0-9A-Fa-f]{1,8}$/.test(status) || Number(status) === 0) {
      const expected = 'a command_status other than 0 in hexadecimal, such as "0x45"';
      faults.push({ key, found: JSON.stringify(status), expected });
      continue;
    }
    const twin = seen.get(Number(status));
    if (twin === undefined) seen.set(Number(status), status);
    else
      faults.push({
        key,
        found: `"${status}"`,
        expected: `each command_status once ("${twin}" is the same)`,
      });
  }
  return faults;
}
