import { describe, expect, test } from "vitest";
import { configChanges, listSettings } from "../../src/config/changes.ts";
import { canSubmit, connectionNames } from "../../src/config/config.ts";
import { isPartnerUrl } from "../../src/config/partner-connection.ts";
import { configOf, connection, faultsOf, operator } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const partner = (changes: Table = {}): Table => ({
  kind: "bendre",
  route: "partner",
  url: "https://sms.partner.example/public/v1",
  api_key: "bdr_secret",
  ...changes,
});
const routes = { direct: { order: 1 }, partner: { order: 2 } };
const withPartner = (changes: Table = {}) => ({
  operators: {
    orange: operator({ routes, connections: [connection({ route: "direct" }), partner(changes)] }),
  },
});
const faultsIn = (changes: Table) => faultsOf(withPartner(changes));

describe("a connection to another Bendre", () => {
  test("has few keys, and the defaults of an SMPP bind for those that they share", () => {
    const [, found] = configOf(withPartner()).operators.orange?.connections ?? [];
    expect(found).toMatchObject({
      kind: "bendre",
      route: "partner",
      url: "https://sms.partner.example/public/v1",
      api_key: "bdr_secret",
      ca_file: "",
      allow_private: false,
      window: 10,
      throughput: 30,
      response_timeout_seconds: 20,
      max_segments: 255,
    });
    expect(found && canSubmit(found)).toBe(true);
  });

  test.each([
    "host",
    "port",
    "system_id",
    "password",
    "bind",
    "tls",
    "reconnect_seconds",
    "long_messages",
    "priority",
  ])("takes no %s, which is of an SMPP bind", (key) => {
    const value = { port: 1, tls: true, reconnect_seconds: 5, priority: { OTP: 1 } }[key] ?? "x";
    const [first] = faultsIn({ [key]: value });
    expect(first).toContain(`operators.orange.connections[1].${key}: key_of_other_kind, key_of_smpp(`);
  });

  test("needs an address and a key", () => {
    const bare = { kind: "bendre", route: "partner" };
    const connections = [connection({ route: "direct" }), bare];
    expect(faultsOf({ operators: { orange: operator({ routes, connections }) } })).toEqual([
      "operators.orange.connections[1].url: nothing, partner_url",
      "operators.orange.connections[1].api_key: nothing, partner_key",
    ]);
  });

  test("has its own keys alone: an SMPP bind takes none of them", () => {
    const connections = [connection({ url: "https://sms.partner.example/public/v1", api_key: "k" })];
    expect(faultsOf({ operators: { orange: operator({ connections }) } })).toEqual([
      "operators.orange.connections[0].url: key_of_other_kind, key_of_bendre",
      "operators.orange.connections[0].api_key: key_of_other_kind, key_of_bendre",
    ]);
  });

  test.each([
    ["https://sms.partner.example/public/v1", true],
    ["https://10.0.0.7:8443/public/v1", true],
    ["http://127.0.0.1:8080/public/v1", true],
    ["http://[::1]:8080/public/v1", true],
    ["http://localhost/public/v1", true],
    ["http://sms.partner.example/public/v1", false],
    ["http://10.0.0.7/public/v1", false],
    ["http://127.0.0.1.evil.example/v1", false],
    ["https://user:secret@sms.partner.example/v1", false],
    ["https://sms.partner.example/v1?key=1", false],
    ["ftp://sms.partner.example", false],
    ["sms.partner.example", false],
  ])("may be at %s: %s", (url, isAllowed) => {
    expect(isPartnerUrl(url)).toBe(isAllowed);
    expect(faultsIn({ url }).length === 0).toBe(isAllowed);
  });

  test("is posted to with a key out of the environment, which nothing shows", () => {
    const key = `\${PARTNER_KEY}`;
    const parsed = configOf(withPartner({ api_key: key }), { PARTNER_KEY: "bdr_hidden" });
    expect(parsed.operators.orange?.connections[1]?.api_key).toBe("bdr_hidden");
    const config = configOf(withPartner({ api_key: "bdr_hidden" }));
    expect(JSON.stringify(listSettings(config))).not.toContain("bdr_hidden");
    const from = {
      config: configOf(withPartner({ api_key: "bdr_before" })),
      pems: new Map(),
      given: new Set<string>(),
    };
    const to = { config, pems: new Map(), given: new Set<string>() };
    const changes = JSON.stringify(configChanges(from, to));
    expect(changes).toContain("operators.orange.connections[1].api_key");
    expect(changes).not.toMatch(/bdr_hidden|bdr_before/);
    expect(faultsIn({ api_key: "é" }).join()).not.toContain("é");
  });

  test("shows none of what only an SMPP bind has", () => {
    const paths = listSettings(configOf(withPartner()))
      .map(({ path }) => path)
      .filter((path) => path.startsWith("operators.orange.connections[1]"));
    expect(paths.map((path) => path.split(".").at(-1)).sort()).toEqual(
      [
        ...[
          "allow_private",
          "api_key",
          "ca_file",
          "kind",
          "max_segments",
          "response_timeout_seconds",
          "route",
        ],
        ...["throughput", "url", "window"],
      ].sort(),
    );
  });

  test("is known by its place on the network, whatever else of it changes", () => {
    const names = (changes: Table) =>
      connectionNames(configOf(withPartner(changes)).operators.orange?.connections ?? [])[1];
    expect(names({ window: 3 })).toBe(names({}));
    expect(names({ url: "https://other.example/public/v1" })).not.toBe(names({}));
  });
});

describe("reroute_on", () => {
  test("takes the names of reasons beside codes", () => {
    const on = (reroute_on: readonly string[]) =>
      faultsOf({
        operators: {
          orange: operator({
            routes: { partner: { order: 1, reroute_on } },
            connections: [partner()],
          }),
        },
      });
    expect(on(["0x45", "SENDER_NOT_APPROVED", "TOO_MANY_SEGMENTS"])).toEqual([]);
    expect(on(["sender_not_approved"])).toHaveLength(1);
    expect(on(["SENDER NOT APPROVED"])).toHaveLength(1);
  });
});
