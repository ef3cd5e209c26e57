import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { paramsIn } from "../../src/i18n/phrase.ts";
import { configOf, connection, document, faultsOf, operator } from "./sample.ts";

describe("defaults", () => {
  test("a document with one operator gives a whole configuration", () => {
    const config = configOf(document());
    expect(config.server).toEqual({
      listen: "127.0.0.1:8080",
      tls_certificate: "",
      tls_key: "",
      public_url: "",
      trusted_proxies: [],
    });
    expect(config.storage).toEqual({
      directory: "./data",
      reserve_megabytes: 256,
      unmatched_receipts: 3_000_000,
    });
    expect(config.log).toEqual({ level: "info", rooms: [], slow_statement_ms: 50 });
    expect(config.defaults).toEqual({ region: "BF", timezone: "Africa/Ouagadougou" });
    expect(config.api).toEqual({
      requests_per_second: 50,
      burst: 100,
      max_body_bytes: 67_108_864,
      max_lookback_hours: 720,
    });
    expect(config.policy).toEqual({
      recipients_per_minute: 0,
      recipients_per_day: 1_000_000,
      marketing_hours: "08:00-20:00",
      marketing_per_day: 2,
      marketing_per_week: 6,
      rejections_per_day: 1_000_000,
    });
    expect(config.delivery).toEqual({
      receipt_timeout_hours: 72,
      validity_minutes: { OTP: 10, TRANSACTIONAL: 1440, MARKETING: 2880 },
      unanswered: { OTP: "resend", TRANSACTIONAL: "resend", MARKETING: "wait", wait_hours: 24 },
    });
    expect(config.billing).toEqual({ charge_on: "accepted" });
    expect(config.seller).toEqual({
      name: "",
      address: [],
      tax_numbers: [],
      logo: "",
      colour: "",
      taxes: [],
      due_days: 30,
    });
    expect(config.retention).toEqual({
      text_days: 30,
      otp_text_hours: 24,
      message_days: 400,
      inbound_days: 90,
      event_days: 30,
      audit_days: 1100,
    });
    expect(config.webhooks).toEqual({
      allow_private_targets: false,
      ca_file: "",
      timeout_seconds: 15,
      retry_seconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      probe_seconds: [10, 30, 60, 120, 300, 600, 900, 1800, 3600],
    });
    expect(config.compat).toEqual({ kannel: false, jasmin: false, listen: "", callback_http: true });
    expect(config.smpp_server).toEqual({
      listen: "",
      tls_listen: "",
      tls_certificate: "",
      tls_key: "",
      max_connections: 500,
      bind_seconds: 10,
      enquire_link_seconds: 30,
      response_timeout_seconds: 60,
      part_wait_seconds: 600,
      receipt_hours: 168,
    });
    expect(config.console).toEqual({
      enabled: true,
      listen: "",
      staff_networks: [],
      sign_ins_per_login: 10,
      sign_ins_per_network: 50,
      requests_per_second: 20,
      burst: 500,
      account_requests_per_second: 100,
      account_burst: 2500,
      transfers: 4,
      account_transfers: 12,
      prepared_files: 4,
      all_prepared_files: 64,
    });
    expect(config.backup).toEqual({
      directory: "",
      at: "02:30",
      keep: 7,
      copy_to: "",
      drill: "weekly",
      include_keys: true,
      passphrase: "",
    });
  });

  test("a connection takes the defaults that the administration contract names", () => {
    expect(configOf(document()).operators.orange!.connections[0]).toEqual({
      kind: "smpp",
      route: "",
      url: "",
      api_key: "",
      ca_file: "",
      allow_private: false,
      host: "smsc.example.net",
      port: 2775,
      system_id: "bendre",
      password: "hunter2",
      bind: "transceiver",
      window: 10,
      throughput: 30,
      shared_pace: "",
      response_timeout_seconds: 20,
      reconnect_seconds: 5,
      enquire_link_seconds: 30,
      default_alphabet: "gsm",
      long_messages: "udh",
      max_segments: 255,
      unmarked_receipts: "auto",
      tls: false,
      tls_ca_file: "",
      tls_server_name: "",
      tls_certificate: "",
      tls_key: "",
      system_type: "",
      address_range: "",
      address_ton: 0,
      address_npi: 0,
      interface_version: "3.4",
      service_type: "",
      send_validity: true,
      source_alphanumeric: { ton: 5, npi: 0 },
      source_short_code: { ton: 3, npi: 0 },
      source_number: { ton: 1, npi: 1 },
      destination: { ton: 1, npi: 1 },
      priority: { OTP: 1, TRANSACTIONAL: 0, MARKETING: 0 },
      validity_minutes: { OTP: 0, TRANSACTIONAL: 0, MARKETING: 0 },
    });
  });

  test("one key of a table leaves the others at their defaults", () => {
    const config = configOf(document({ delivery: { unanswered: { MARKETING: "resend" } } }));
    expect(config.delivery.unanswered).toEqual({
      OTP: "resend",
      TRANSACTIONAL: "resend",
      MARKETING: "resend",
      wait_hours: 24,
    });
  });

  test("an operator without a name goes by its code, and one without a price has none", () => {
    const { connections, ...orange } = configOf(document()).operators.orange!;
    expect(connections).toHaveLength(1);
    expect(orange).toEqual({
      name: "orange",
      prefixes: ["22605"],
      receipts: true,
      responses: {},
      routes: {},
    });
    expect("price" in orange).toBe(false);
  });

  test("one configuration's values never leak into the next, and the document is left alone", () => {
    const input = document();
    const before = structuredClone(input);
    const first = configOf(input);
    const second = configOf(document());
    expect(input).toEqual(before);
    expect(second.webhooks.retry_seconds).not.toBe(first.webhooks.retry_seconds);
    expect(second).toEqual(first);
  });
});

describe("faults", () => {
  test("a wrong type names the full key, what was found and what is expected", () => {
    const operators = { orange: operator({ connections: [connection(), connection({ window: "ten" })] }) };
    expect(faultsOf({ operators })).toEqual([
      'operators.orange.connections[1].window: "ten", whole.of(1, 1000, unit.submit_sm)',
    ]);
  });

  const single: [table: string, key: string, value: unknown, expected: string][] = [
    ["api", "burst", 0, "0, whole.of(1, 1000000, unit.requests)"],
    ["api", "burst", 1.5, "1.5, whole.of(1, 1000000, unit.requests)"],
    ["api", "burst", Number.POSITIVE_INFINITY, "Infinity, whole.of(1, 1000000, unit.requests)"],
    ["server", "listen", "8080", '"8080", listen'],
    ["server", "listen", true, "true, listen"],
    ["billing", "charge_on", "sent", '"sent", one_of("accepted", "delivered")'],
    ["log", "level", "loud", '"loud", one_of("debug", "info", "warn", "error")'],
    ["defaults", "region", "XX", '"XX", region'],
    ["defaults", "timezone", "Mars/Base", '"Mars/Base", timezone'],
    ["policy", "marketing_hours", "8-20", '"8-20", hours'],
    ["webhooks", "allow_private_targets", "yes", '"yes", true_or_false'],
    ["webhooks", "retry_seconds", [], "empty_list, list.each(1, 50, whole.of(1, 604800, unit.seconds))"],
    ["storage", "directory", "", '"", directory_path'],
  ];
  for (const [table, key, value, expected] of single) {
    test(`${table}.${key} = ${JSON.stringify(value)} is refused`, () => {
      const [only, ...more] = faultsOf(document({ [table]: { [key]: value } }));
      expect(only).toBe(`${table}.${key}: ${expected}`);
      expect(more).toEqual([]);
    });
  }

  test("a wrong item of a list is named by its position", () => {
    expect(faultsOf(document({ webhooks: { probe_seconds: [10, -1] } }))).toEqual([
      "webhooks.probe_seconds[1]: -1, whole.of(1, 86400, unit.seconds)",
    ]);
  });

  test("the address that clients use has a scheme and a host, and nothing behind", () => {
    const faultsWith = (public_url: string) => faultsOf(document({ server: { public_url } }));
    for (const url of ["https://sms.example.bf", "http://10.0.0.1:8080", "https://[2001:db8::1]:8443", ""])
      expect(faultsWith(url)).toEqual([]);
    for (const url of [
      "sms.example.bf",
      "https://sms.example.bf/",
      "https://a.bf/sms",
      "ftp://a.bf",
      "https://u:p@a.bf",
    ])
      expect(faultsWith(url)).toHaveLength(1);
    expect(faultsOf(document({ server: { trusted_proxies: ["10.0.0.0/33"] } }))).toHaveLength(1);
  });

  test("something else where a table belongs is told once", () => {
    expect(faultsOf(document({ server: 1, webhooks: [1], delivery: "x" }))).toEqual([
      "server: number, table",
      "delivery: text, table",
      "webhooks: list, table",
    ]);
  });

  test("what has no default is asked for by name", () => {
    expect(faultsOf({ operators: { orange: { connections: [{}] } } })).toEqual([
      "operators.orange.prefixes: nothing, list.each(1, 1000, prefix)",
      "operators.orange.connections[0].host: nothing, host",
      "operators.orange.connections[0].system_id: nothing, wire_text(1, 15)",
      "operators.orange.connections[0].password: nothing, wire_text.at_most(64)",
    ]);
  });

  test.each([
    ["service_type", "CMé"],
    ["service_type", "CMTCMT"],
    ["system_id", "faso-téléphone"],
    ["system_id", "sixteen-letters1"],
    ["password", "pässword"],
    ["password", "a\0b"],
    ["system_type", "ÉSME"],
    ["address_range", "^226\u00a070"],
  ])("text that the wire cannot carry is refused before the start: %s", (key, value) => {
    const faults = faultsOf(
      document({ operators: { orange: operator({ connections: [connection({ [key]: value })] }) } }),
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^operators\\.orange\\.connections\\[0\\]\\.${key}: .*wire_text`));
    if (key === "password") expect(faults[0]).not.toContain(value);
  });

  test("a configuration without operators is one, and what stands for them must be tables", () => {
    for (const empty of [{}, undefined, { operators: {} }]) {
      const parsed = parseConfig(empty, {});
      expect(parsed.ok && parsed.config.operators).toEqual({});
    }
    const expected = "operators";
    expect(faultsOf({ operators: [] })).toEqual([`operators: empty_list, ${expected}`]);
    expect(faultsOf({ operators: 5 })).toEqual([`operators: number, ${expected}`]);
  });

  test("an unknown key comes with the known one that was probably meant", () => {
    expect(faultsOf(document({ api: { burts: 5 } }))).toEqual([
      "api.burts: unknown_key, known_key.meant(burst)",
    ]);
    expect(faultsOf(document({ wallet: 1, webhook: {} }))).toEqual([
      "wallet: unknown_key, known_key(server, storage, log, defaults, api, policy, delivery, billing, seller, retention, sandbox, webhooks, compat, smpp_server, console, backup, metrics, alerts, whatsapp, operators)",
      "webhook: unknown_key, known_key.meant(webhooks)",
    ]);
  });

  test("a known key in the wrong table is sent to its own", () => {
    expect(faultsOf(document({ api: { charge_on: "accepted" } }))).toEqual([
      "api.charge_on: unknown_key, known_key.elsewhere(billing)",
    ]);
  });

  test("keys that JavaScript treats specially are unknown like any other", () => {
    const input = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
    expect(faultsOf({ ...document(), api: input }).map((line) => line.split(":")[0])).toEqual([
      "api.__proto__",
      "api.constructor",
    ]);
  });

  test("all faults are told at once, of all kinds, one a key", () => {
    const operators = {
      orange: operator({ price: "15" }),
      moov: operator({ prefixes: ["22601", "22601"], connections: [connection({ bind: "receiver" })] }),
    };
    const lines = faultsOf({ operators, api: { burst: `\${NOT_SET}` }, server: { tls_key: "key.pem" } });
    expect(lines.map((line) => line.split(": ")[0])).toEqual([
      "api.burst",
      "operators.orange.price",
      "server.tls_certificate",
      "operators.moov.prefixes[1]",
      "operators.moov.connections",
    ]);
  });

  test("more than twenty faults are cut at twenty", () => {
    expect(faultsOf(document({ webhooks: { retry_seconds: Array(50).fill(0) } }))).toHaveLength(20);
  });
});

describe("secrets", () => {
  test("a password is never shown, whatever is wrong with it", () => {
    for (const password of ["hunter2".repeat(10), 8_675_309]) {
      const lines = faultsOf({
        operators: { orange: operator({ connections: [connection({ password })] }) },
      });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain("hidden(");
      expect(lines[0]).not.toContain(String(password).slice(0, 6));
    }
  });

  test("what came from the environment is not shown either, only where it came from", () => {
    const lines = faultsOf(document({ server: { listen: `\${WHERE}` } }), { WHERE: "hunter2" });
    expect(lines).toEqual(["server.listen: hidden(variable(WHERE)), listen"]);
  });

  test("the value of an unknown key is not shown", () => {
    const lines = faultsOf({
      operators: { orange: operator({ connections: [connection({ passwrod: "hunter2" })] }) },
    });
    expect(lines).toEqual([
      "operators.orange.connections[0].passwrod: unknown_key, known_key.meant(password)",
    ]);
  });
});

describe("a variable that is not set", () => {
  const doc = {
    server: { listen: `\${LISTEN}` },
    operators: {
      orange: {
        prefixes: ["22605"],
        connections: [{ host: `\${HOST}`, system_id: "bendre", password: `\${PASSWORD}` }],
      },
    },
  };
  const unset = (means?: Parameters<typeof parseConfig>[2]) => {
    const parsed = parseConfig(doc, {}, means);
    return parsed.ok
      ? parsed.unset.map(({ variable }) => variable)
      : parsed.faults.map(({ found }) => paramsIn(found, "said")?.text);
  };

  test("is a fault", () => {
    expect(unset()).toEqual([`"\${LISTEN}"`, `"\${HOST}"`, `"\${PASSWORD}"`]);
  });

  test("is none where it holds a secret, for a command that uses none", () => {
    expect(unset("a fault but for secrets")).toEqual([`"\${LISTEN}"`, `"\${HOST}"`]);
  });

  test("is only told for a look at the file away from its server, and the defaults stand in", () => {
    expect(unset("a warning")).toEqual(["LISTEN", "HOST", "PASSWORD"]);
    const parsed = parseConfig(doc, { HOST: "x" }, "a warning");
    if (!parsed.ok) throw new Error("faults");
    expect(parsed.unset).toContainEqual({
      key: "operators.orange.connections[0].password",
      variable: "PASSWORD",
    });
    expect(parsed.config.server.listen).toBe("127.0.0.1:8080");
    expect(parsed.config.operators.orange?.connections[0]?.host).toBe("x");
  });
});
