import { describe, expect, test } from "vitest";
import { configOf, connection, document, faultsOf, operator } from "./sample.ts";

function withConnections(connections: unknown[], changes: Record<string, unknown> = {}): unknown {
  return { operators: { orange: operator({ connections, ...changes }) } };
}

describe("addresses that are listened on", () => {
  const at = (server: string, more: Record<string, unknown>) =>
    faultsOf(document({ server: { listen: server }, ...more }));

  test.each([
    ["compat", "127.0.0.1:8080", "127.0.0.1:8080"],
    ["console", "[::1]:8443", "[::1]:8443"],
    ["metrics", "0.0.0.0:8080", "127.0.0.1:8080"],
    ["metrics", "127.0.0.1:8080", "[::]:8080"],
    ["compat", "localhost:8080", "127.0.0.1:8080"],
  ])("that of [%s] is another than the server's: %s, %s", (table, server, own) => {
    expect(at(server, { [table]: { listen: own } })).toEqual([
      `${table}.listen: found "${own}", expected another address than server.listen ("${server}")`,
    ]);
  });

  test("each is another than those before, the default of the metrics too", () => {
    const console = { listen: "127.0.0.1:9464" };
    expect(at("127.0.0.1:8080", { console, metrics: {} })).toEqual([
      'metrics.listen: found "127.0.0.1:9464", expected another address than console.listen ("127.0.0.1:9464")',
    ]);
    expect(at("127.0.0.1:8080", { console: { ...console, enabled: false }, metrics: {} })).toEqual([]);
  });

  test.each([
    ["another port", "127.0.0.1:8080", "127.0.0.1:8081"],
    ["another address of the machine", "10.0.0.1:8080", "127.0.0.1:8080"],
    ["IPv6 beside IPv4", "0.0.0.0:8080", "[::1]:8080"],
    ["any free port", "127.0.0.1:0", "127.0.0.1:0"],
    ["none of its own", "127.0.0.1:8080", ""],
  ])("%s is no fault", (_, server, own) => {
    expect(at(server, { compat: { listen: own } })).toEqual([]);
  });
});

describe("operators", () => {
  test("two operators cannot own one prefix", () => {
    const operators = { orange: operator(), moov: operator({ prefixes: ["22601", "22605"] }) };
    expect(faultsOf({ operators })).toEqual([
      'operators.moov.prefixes[1]: found "22605", expected a prefix that is not listed yet (operators.orange.prefixes[0])',
    ]);
  });

  test("a longer prefix of another operator is no duplicate", () => {
    const operators = { orange: operator(), moov: operator({ prefixes: ["226051"] }) };
    expect(faultsOf({ operators })).toEqual([]);
  });

  test("a code is short and plain", () => {
    const lines = faultsOf({
      operators: { "Orange BF": operator(), ["x".repeat(33)]: operator({ prefixes: ["1"] }) },
    });
    expect(lines[0]).toContain('operators."Orange BF": found "Orange BF", expected a code of 1 to 32');
    expect(lines).toHaveLength(2);
  });

  test("an operator that only listens cannot be sent to", () => {
    expect(faultsOf(withConnections([connection({ bind: "receiver" })]))).toEqual([
      'operators.orange.connections: found only receivers, expected at least one with bind = "transceiver" or "transmitter"',
    ]);
  });

  test("receipts need a connection that can bring them", () => {
    const transmitter = connection({ bind: "transmitter" });
    expect(faultsOf(withConnections([transmitter]))[0]).toContain("operators.orange.receipts: found true");
    expect(faultsOf(withConnections([transmitter], { receipts: false }))).toEqual([]);
    expect(faultsOf(withConnections([transmitter, connection({ bind: "receiver" })]))).toEqual([]);
  });

  test("TLS settings on a plain connection are refused: somebody believes it is encrypted", () => {
    expect(faultsOf(withConnections([connection({ tls_ca_file: "ca.pem" })]))).toEqual([
      "operators.orange.connections[0].tls: found false, expected true, since tls_ca_file is given",
    ]);
    expect(faultsOf(withConnections([connection({ tls: true, tls_ca_file: "ca.pem" })]))).toEqual([]);
    const pair = { tls_certificate: "us.pem", tls_key: "us.key" };
    expect(faultsOf(withConnections([connection(pair)]))).toEqual([
      "operators.orange.connections[0].tls: found false, expected true, since tls_certificate is given",
    ]);
    expect(faultsOf(withConnections([connection({ tls: true, ...pair })]))).toEqual([]);
    expect(faultsOf(withConnections([connection({ tls: true, tls_key: "us.key" })]))).toEqual([
      "operators.orange.connections[0].tls_certificate: found nothing, expected tls_certificate and tls_key, or neither",
    ]);
  });

  test("connections to one SMSC account agree about its receipts, whichever operators they are of", () => {
    const bound = (changes = {}) => connection({ unmarked_receipts: "never", ...changes });
    const operators = (second: ReturnType<typeof connection>) => ({
      operators: {
        orange: operator({ connections: [bound(), bound({ host: "SMSC.example.net" })] }),
        moov: operator({ prefixes: ["22601"], connections: [second] }),
      },
    });
    expect(faultsOf(operators(bound()))).toEqual([]);
    expect(faultsOf(operators(bound({ unmarked_receipts: "always", system_id: "other" })))).toEqual([]);
    expect(faultsOf(operators(connection()))).toEqual([
      'operators.moov.connections[0].unmarked_receipts: found "auto", expected "never", as operators.orange.connections[0].unmarked_receipts says of the same host, port and system_id',
    ]);
  });

  test("a response is a command_status in hexadecimal, once, and never success", () => {
    const responses = { "0x45": "retry", "0x045": "fail", "69": "fail", "0x0": "fail", "0x58": "stop" };
    const lines = faultsOf({ operators: { orange: operator({ responses }) } });
    expect(lines).toEqual([
      'operators.orange.responses.0x58: found "stop", expected "retry", "pause" or "fail"',
    ]);
    const { "0x58": _, ...rest } = responses;
    expect(faultsOf({ operators: { orange: operator({ responses: rest }) } })).toEqual([
      'operators.orange.responses.69: found "69", expected a command_status other than 0 in hexadecimal, such as "0x45"',
      'operators.orange.responses.0x045: found "0x045", expected each command_status once ("0x45" is the same)',
      'operators.orange.responses.0x0: found "0x0", expected a command_status other than 0 in hexadecimal, such as "0x45"',
    ]);
  });
});

describe("server", () => {
  test("a certificate and its key come together", () => {
    const expected = "found nothing, expected tls_certificate and tls_key, or neither";
    expect(faultsOf(document({ server: { tls_key: "k.pem" } }))).toEqual([
      `server.tls_certificate: ${expected}`,
    ]);
    expect(faultsOf(document({ server: { tls_certificate: "c.pem" } }))).toEqual([
      `server.tls_key: ${expected}`,
    ]);
    const both = { tls_key: "k.pem", tls_certificate: "c.pem" };
    expect(configOf(document({ server: both })).server).toMatchObject(both);
  });
});

test("a seller with an address or numbers has a name", () => {
  const expected =
    'seller.name: found "", expected the name of the company, since its address or its numbers are given';
  expect(faultsOf(document({ seller: { address: ["01 BP 1"] } }))).toEqual([expected]);
  expect(faultsOf(document({ seller: { tax_numbers: ["IFU 1"] } }))).toEqual([expected]);
  expect(faultsOf(document({ seller: { name: "Faso SMS", tax_numbers: ["IFU 1"] } }))).toEqual([]);
  expect(faultsOf(document({ seller: {} }))).toEqual([]);
});

describe("retention", () => {
  const linesOf = (retention: Record<string, number>, hours = 720) =>
    faultsOf(document({ retention, api: { max_lookback_hours: hours } }));

  test("messages are not gone before the feed that tells of them, nor before their texts", () => {
    expect(linesOf({ message_days: 30 })).toEqual([]);
    expect(linesOf({ message_days: 0, text_days: 0 })).toEqual([]);
    expect(linesOf({ message_days: 29, text_days: 29 })).toEqual([
      "retention.message_days: found 29, expected 0, or at least 30, since api.max_lookback_hours is 720",
    ]);
    expect(linesOf({ message_days: 30, text_days: 31 })).toEqual([
      "retention.message_days: found 30, expected 0, or at least 31 as retention.text_days",
    ]);
    expect(linesOf({ text_days: 0 })).toEqual([
      "retention.message_days: found 400, expected 0, since retention.text_days keeps for ever",
    ]);
  });
});

describe("channels for alarms", () => {
  const smtp = { host: "mail.example.test", from: "bendre@example.test" };
  const faults = (alerts: object) =>
    faultsOf(document({ alerts })).map((line) => line.replace(/: found .*/, ""));

  test("have what they need", () => {
    expect(faults({ webhook: "https://example.test/alarms" })).toEqual(["alerts.secret"]);
    expect(faults({ email: ["a@example.test"] })).toEqual(["alerts.smtp.host", "alerts.smtp.from"]);
    expect(faults({ email: ["a@example.test"], smtp })).toEqual([]);
    expect(faults({ email: ["not an address"], smtp })).toEqual(["alerts.email[0]"]);
  });

  test("never send a password in clear text", () => {
    expect(faults({ smtp: { ...smtp, user: "bendre" } })).toEqual(["alerts.smtp.password"]);
    const known = { ...smtp, user: "bendre", password: "secret" };
    expect(faults({ smtp: { ...known, tls: "none" } })).toEqual(["alerts.smtp.tls"]);
    expect(faults({ smtp: known })).toEqual([]);
  });
});
