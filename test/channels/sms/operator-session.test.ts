import { describe, expect, test } from "vitest";
import { classifyResponse } from "../../../src/channels/sms/attempt-result.ts";
import {
  connectionProfile,
  OperatorSession,
  type SessionLink,
} from "../../../src/channels/sms/operator-session.ts";
import { rateLimitedLog } from "../../../src/core/log.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { testClock } from "../../kit/test-clock.ts";
import { testLog } from "../../kit/test-log.ts";

function configured(changes: Record<string, unknown>) {
  const config = configOf(
    document({ operators: { orange: operator({ receipts: false, connections: [connection(changes)] }) } }),
  );
  return config.operators.orange!.connections[0]!;
}

describe("what a connection is told of its configuration", () => {
  test("is all of the bind, in the protocol's units", () => {
    const changes = {
      port: 3550,
      bind: "transmitter",
      system_type: "BULK",
      interface_version: "3.3",
      address_ton: 1,
      address_npi: 9,
      address_range: "^226",
      window: 5,
      response_timeout_seconds: 7,
      reconnect_seconds: 3,
      enquire_link_seconds: 11,
    };
    expect(connectionProfile(configured(changes), () => null)).toEqual({
      host: "smsc.example.net",
      port: 3550,
      tls: null,
      bind: "transmitter",
      systemId: "bendre",
      password: "hunter2",
      systemType: "BULK",
      interfaceVersion: 0x33,
      addrTon: 1,
      addrNpi: 9,
      addressRange: "^226",
      window: 5,
      responseTimeoutMs: 7_000,
      reconnectMs: 3_000,
      enquireLinkMs: 11_000,
    });
  });

  test("with TLS is the certificates' texts, and the host's name unless another is given", () => {
    const readPem = (file: string) => (file === "" ? null : `PEM of ${file}`);
    expect(connectionProfile(configured({ tls: true }), readPem).tls).toEqual({
      ca: null,
      serverName: "smsc.example.net",
      client: null,
    });
    const files = { tls_ca_file: "ca.pem", tls_certificate: "us.pem", tls_key: "us.key" };
    const named = configured({ tls: true, tls_server_name: "smpp.example.net", ...files });
    expect(connectionProfile(named, readPem).tls).toEqual({
      ca: "PEM of ca.pem",
      serverName: "smpp.example.net",
      client: { certificate: "PEM of us.pem", key: "PEM of us.key" },
    });
  });
});

describe("an answer means for its link", () => {
  /** The rate granted out of 100 after these statuses, each about another message unless told otherwise. */
  function grantedAfter(statuses: readonly number[], messageIdOf = (index: number) => index) {
    const session = new OperatorSession({
      name: "1",
      number: 1,
      config: configured({ throughput: 100 }),
      shared: null,
      rateLimited: rateLimitedLog(testLog(), testClock()),
      trace: null,
      connect: () => ({}) as SessionLink,
    });
    statuses.forEach((status, index) => {
      const means = classifyResponse(status, null, new Map());
      session.recordResponse(means, { messageId: messageIdOf(index), sentAtMs: 0, status }, 10, 5000 + index);
    });
    return {
      granted: session.pace.grantedPerSecond(10),
      tally: session.tally,
      refusing: session.throttled,
    };
  }
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  test("what an operator answers while it takes nothing, and nothing once it took one", () => {
    expect(grantedAfter([0, 0x08, 0x0b, 0x08]).refusing).toEqual({
      answers: 3,
      sinceMs: 5001,
      status: 0x08,
      atMs: 5003,
    });
    expect(grantedAfter([0x08, 0x08, 0]).refusing).toBeNull();
  });

  test("nothing more than a count when the message is accepted, refused or put off alone", () => {
    expect(grantedAfter([0, 0, 0x0b, 0x14, 0x08])).toMatchObject({
      granted: 100,
      tally: { accepted: 2, refused: 1, postponed: 2, throttled: 0 },
    });
  });

  test("to slow down at once when it is throttled", () => {
    expect(grantedAfter([0x58])).toMatchObject({ granted: 50, tally: { throttled: 1 } });
  });

  test("to slow down when three messages in a row met a full queue, or ten a temporary error", () => {
    expect(grantedAfter(times(2, 0x14)).granted).toBe(100);
    expect(grantedAfter(times(3, 0x14)).granted).toBe(50);
    expect(grantedAfter([0x14, 0x14, 0, 0x14, 0x14]).granted).toBe(100);
    expect(grantedAfter(times(9, 0x08)).granted).toBe(100);
    expect(grantedAfter(times(10, 0x08)).granted).toBe(50);
  });

  test("nothing when it is one message that meets them again and again", () => {
    expect(grantedAfter(times(50, 0x14), () => 7).granted).toBe(100);
    expect(grantedAfter(times(50, 0x08), (index) => index % 9).granted).toBe(100);
  });
});
