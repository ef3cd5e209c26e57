import { expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { type ConnectionProfile, systemDial } from "../../src/smpp/dial.ts";

const PROFILE: Omit<ConnectionProfile, "port"> = {
  host: "127.0.0.1",
  tls: null,
  bind: "transceiver",
  systemId: "bendre",
  password: "secret",
  systemType: "",
  interfaceVersion: 0x34,
  addrTon: 0,
  addrNpi: 0,
  addressRange: "",
  window: 1,
  responseTimeoutMs: 1000,
  reconnectMs: 1000,
  enquireLinkMs: 30_000,
};

test("an attempt that was given up before the operator answered leaves no connection", async () => {
  const seen: string[] = [];
  const ended = Promise.withResolvers<void>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => {}, close: () => ended.resolve() },
  });
  try {
    const socket = systemDial({ ...PROFILE, port: server.port }, systemClock, {
      connected: () => seen.push("connected"),
      data: () => {},
      drain: () => {},
      failed: () => seen.push("failed"),
      hungUp: () => {},
    });
    socket.hangUp();
    await ended.promise;
    expect(seen).toEqual([]);
  } finally {
    server.stop(true);
  }
});
