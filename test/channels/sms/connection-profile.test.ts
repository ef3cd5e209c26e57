import { expect, test } from "vitest";
import { connectionProfile } from "../../../src/channels/sms/operator-session.ts";
import type { ConnectionConfig } from "../../../src/config/config.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { canApplyLive } from "../../../src/smpp/connection.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";

const TABLE = "operators.CODE.connections[]";
const profileOf = (keys: Readonly<Record<string, unknown>>) => {
  const connections = [{ ...connection(keys) }];
  const config = configOf(document({ operators: { orange: operator({ receipts: false, connections }) } }));
  return connectionProfile(
    config.operators.orange?.connections[0] as ConnectionConfig,
    (file) => file || null,
  );
};

/** Another value of each key that the wire sees at a bind, and the keys that it needs beside it. */
const AT_A_BIND: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  host: { host: "elsewhere.example" },
  port: { port: 9 },
  system_id: { system_id: "other" },
  bind: { bind: "transmitter" },
  tls: { tls: true },
  tls_server_name: { tls: true, tls_server_name: "other.example" },
  system_type: { system_type: "SMPP" },
  address_range: { address_range: "^226" },
  address_ton: { address_ton: 1 },
  address_npi: { address_npi: 1 },
  interface_version: { interface_version: "3.3" },
};
const WITH_THE_NEXT: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["a password", { password: "another" }],
  ["a window", { window: 3 }],
  ["a pace", { throughput: 3 }],
  ["time limits", { response_timeout_seconds: 3, reconnect_seconds: 3, enquire_link_seconds: 3 }],
  ["how texts travel", { long_messages: "sar", default_alphabet: "latin1", max_segments: 3 }],
];

test.each(Object.keys(AT_A_BIND))("another %s needs a new bind", (key) => {
  const { tls } = AT_A_BIND[key] ?? {};
  const before = key === "tls_server_name" ? { tls } : {};
  expect(canApplyLive(profileOf(before), profileOf(AT_A_BIND[key] ?? {}))).toBe(false);
});

test.each(WITH_THE_NEXT)("%s does not", (_what, keys) => {
  expect(canApplyLive(profileOf({}), profileOf(keys))).toBe(true);
});

test("a renewed certificate does not: it is shown at the next bind", () => {
  const keys = { tls: true, tls_certificate: "/one.pem", tls_key: "/one.key", tls_ca_file: "/ca.pem" };
  expect(canApplyLive(profileOf(keys), profileOf({ ...keys, tls_certificate: "/two.pem" }))).toBe(true);
});

test("every key that the wire sees at a bind is among them", () => {
  const known = SETTINGS.filter(({ table }) => table === TABLE).map(({ key }) => key);
  expect(Object.keys(AT_A_BIND).filter((key) => !known.includes(key))).toEqual([]);
});
