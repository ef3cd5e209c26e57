import { describe, expect, test } from "vitest";
import { smppCertificate } from "../../src/config/config.ts";
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
      `${table}.listen: "${own}", free_listen(server.listen, "${server}")`,
    ]);
  });

  test("each is another than those before, the default of the metrics too", () => {
    const console = { listen: "127.0.0.1:9464" };
    expect(at("127.0.0.1:8080", { console, metrics: {} })).toEqual([
      'metrics.listen: "127.0.0.1:9464", free_listen(console.listen, "127.0.0.1:9464")',
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

  test("those of SMPP for customers are addresses of their own, inside TLS and without", () => {
    const pair = { tls_certificate: "c.pem", tls_key: "k.pem" };
    const both = { listen: "0.0.0.0:2775", tls_listen: "127.0.0.1:2775", ...pair };
    expect(at("127.0.0.1:8080", { smpp_server: both })).toEqual([
      'smpp_server.tls_listen: "127.0.0.1:2775", free_listen(smpp_server.listen, "0.0.0.0:2775")',
    ]);
    expect(at("127.0.0.1:2775", { smpp_server: { listen: "127.0.0.1:2775" } })).toEqual([
      'smpp_server.listen: "127.0.0.1:2775", free_listen(server.listen, "127.0.0.1:2775")',
    ]);
    expect(at("127.0.0.1:8080", { smpp_server: { listen: "127.0.0.1:2775" } })).toEqual([]);
  });
});

describe("the certificate of SMPP for customers", () => {
  const pair = { tls_certificate: "c.pem", tls_key: "k.pem" };
  const of = (smpp_server: unknown, server: unknown = {}) => faultsOf(document({ smpp_server, server }));

  test("is its own or the HTTP server's, and TLS without any is a fault", () => {
    expect(of({ tls_listen: "0.0.0.0:3550" })).toEqual([
      "smpp_server.tls_certificate: nothing, smpp_certificate",
    ]);
    expect(of({ tls_listen: "0.0.0.0:3550" }, pair)).toEqual([]);
    expect(of({ tls_listen: "0.0.0.0:3550", ...pair })).toEqual([]);
    expect(of({ listen: "0.0.0.0:2775" })).toEqual([]);
  });

  test("comes with its key", () => {
    expect(of({ tls_listen: "0.0.0.0:3550", tls_certificate: "c.pem" }, pair)).toEqual([
      "smpp_server.tls_key: nothing, both_or_neither",
    ]);
  });

  test("is the one that is served: its own before the HTTP server's", () => {
    const server = { tls_certificate: "s.pem", tls_key: "s.key" };
    expect(smppCertificate(configOf(document({ smpp_server: pair, server })))).toMatchObject(pair);
    expect(smppCertificate(configOf(document({ server })))).toMatchObject(server);
  });
});

describe("operators", () => {
  test("two operators cannot own one prefix", () => {
    const operators = { orange: operator(), moov: operator({ prefixes: ["22601", "22605"] }) };
    expect(faultsOf({ operators })).toEqual([
      'operators.moov.prefixes[1]: "22605", free_prefix(operators.orange.prefixes[0])',
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
    expect(lines[0]).toBe('operators."Orange BF": "Orange BF", operator_code');
    expect(lines).toHaveLength(2);
  });

  test("an operator that only listens cannot be sent to", () => {
    expect(faultsOf(withConnections([connection({ bind: "receiver" })]))).toEqual([
      'operators.orange.connections: only_receivers, sending_bind(one_of("transceiver", "transmitter"))',
    ]);
  });

  test("receipts need a connection that can bring them", () => {
    const transmitter = connection({ bind: "transmitter" });
    expect(faultsOf(withConnections([transmitter]))).toEqual([
      'operators.orange.receipts: only_transmitters, receiving_bind(one_of("transceiver", "receiver"))',
    ]);
    expect(faultsOf(withConnections([transmitter], { receipts: false }))).toEqual([]);
    expect(faultsOf(withConnections([transmitter, connection({ bind: "receiver" })]))).toEqual([]);
  });

  test("TLS settings on a plain connection are refused: somebody believes it is encrypted", () => {
    expect(faultsOf(withConnections([connection({ tls_ca_file: "ca.pem" })]))).toEqual([
      "operators.orange.connections[0].tls: false, tls(tls_ca_file)",
    ]);
    expect(faultsOf(withConnections([connection({ tls: true, tls_ca_file: "ca.pem" })]))).toEqual([]);
    const pair = { tls_certificate: "us.pem", tls_key: "us.key" };
    expect(faultsOf(withConnections([connection(pair)]))).toEqual([
      "operators.orange.connections[0].tls: false, tls(tls_certificate)",
    ]);
    expect(faultsOf(withConnections([connection({ tls: true, ...pair })]))).toEqual([]);
    expect(faultsOf(withConnections([connection({ tls: true, tls_key: "us.key" })]))).toEqual([
      "operators.orange.connections[0].tls_certificate: nothing, both_or_neither",
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
      'operators.moov.connections[0].unmarked_receipts: "auto", same_account(operators.orange.connections[0].unmarked_receipts, "never")',
    ]);
  });

  test("a response is a command_status in hexadecimal, once, and never success", () => {
    const responses = { "0x45": "retry", "0x045": "fail", "69": "fail", "0x0": "fail", "0x58": "stop" };
    const lines = faultsOf({ operators: { orange: operator({ responses }) } });
    expect(lines).toEqual(['operators.orange.responses.0x58: "stop", one_of("retry", "pause", "fail")']);
    const { "0x58": _, ...rest } = responses;
    expect(faultsOf({ operators: { orange: operator({ responses: rest }) } })).toEqual([
      'operators.orange.responses.69: "69", command_status',
      'operators.orange.responses.0x045: "0x045", command_status.once("0x45")',
      'operators.orange.responses.0x0: "0x0", command_status',
    ]);
  });
});

describe("server", () => {
  test("a certificate and its key come together", () => {
    const expected = "nothing, both_or_neither";
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
  const expected = 'seller.name: "", company';
  expect(faultsOf(document({ seller: { address: ["01 BP 1"] } }))).toEqual([expected]);
  expect(faultsOf(document({ seller: { tax_numbers: ["IFU 1"] } }))).toEqual([expected]);
  const taxes = [{ name: "TVA", percent: 18 }];
  expect(faultsOf(document({ seller: { taxes } }))).toEqual([expected]);
  expect(faultsOf(document({ seller: { name: "Faso SMS", taxes } }))).toEqual([]);
  expect(faultsOf(document({ seller: { name: "Faso SMS", tax_numbers: ["IFU 1"] } }))).toEqual([]);
  expect(faultsOf(document({ seller: {} }))).toEqual([]);
});

test("a tax has a name and a percentage of at most two decimals", () => {
  const faultsWith = (...taxes: unknown[]) => faultsOf(document({ seller: { name: "Faso SMS", taxes } }));
  expect(faultsWith({ name: "TVA", percent: 0.25 }, { name: "CSS", percent: 100 })).toEqual([]);
  expect(faultsWith({ name: "TVA", percent: 18.125 })).toEqual(["seller.taxes[0].percent: 18.125, percent"]);
  expect(faultsWith({ name: "TVA", percent: -1 })).toEqual(["seller.taxes[0].percent: -1, percent"]);
  expect(faultsWith({ name: "TVA" })).toEqual(["seller.taxes[0].percent: nothing, percent"]);
  expect(faultsWith(18)).toEqual(["seller.taxes[0]: number, tax"]);
});

test("a seller's colour is one, and belongs to a name as the logo does", () => {
  const faultsWith = (seller: object) => faultsOf(document({ seller }));
  expect(faultsWith({ name: "Faso SMS", colour: "#0a7D4f", logo: "logo.png" })).toEqual([]);
  expect(faultsWith({ name: "Faso SMS", colour: "green" })).toEqual(['seller.colour: "green", colour']);
  expect(faultsWith({ colour: "#0a7d4f" })).toEqual(['seller.name: "", company']);
  expect(faultsWith({ logo: "logo.png" })).toEqual(['seller.name: "", company']);
});

describe("retention", () => {
  const linesOf = (retention: Record<string, number>, hours = 720) =>
    faultsOf(document({ retention, api: { max_lookback_hours: hours } }));

  test("messages are not gone before the feed that tells of them, nor before their texts", () => {
    expect(linesOf({ message_days: 30 })).toEqual([]);
    expect(linesOf({ message_days: 0, text_days: 0 })).toEqual([]);
    expect(linesOf({ message_days: 29, text_days: 29 })).toEqual([
      "retention.message_days: 29, message_days.lookback(30, 720)",
    ]);
    expect(linesOf({ message_days: 30, text_days: 31 })).toEqual([
      "retention.message_days: 30, message_days.as_texts(31)",
    ]);
    expect(linesOf({ text_days: 0 })).toEqual(["retention.message_days: 400, message_days.for_ever"]);
  });
});

describe("channels for alarms", () => {
  const smtp = { host: "mail.example.test", from: "bendre@example.test" };
  const faults = (alerts: object) => faultsOf(document({ alerts })).map((line) => line.replace(/: .*/, ""));

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
