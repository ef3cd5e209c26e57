/** Each key of `[smpp_server]` counts without a restart: addresses and certificates for new connections, times for all. */
import { connect as connectTls } from "node:tls";
import { afterEach, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../kit/certificates.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../../smpp/server-certificate.ts";
import { bindOf, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const PATHS = { tls_certificate: "/made/up.crt", tls_key: "/made/up.key" };
const pemsOf = (cert: string, key: string) =>
  new Map([
    [PATHS.tls_certificate, cert],
    [PATHS.tls_key, key],
  ]);
const ONE = pemsOf(HOOK_CERTIFICATE, HOOK_KEY);
const OTHER = pemsOf(SERVER_CERTIFICATE, SERVER_KEY);

/** Changes keys of the table in the running appliance. */
function change(keys: Partial<Config["smpp_server"]>, pems = ONE): void {
  const config = rig.stage.settings.now();
  rig.stage.settings.replace({ ...config, smpp_server: { ...config.smpp_server, ...keys } }, { pems });
}

/** Connects inside TLS; whose certificate was shown, and the connection. */
async function shown(): Promise<{ readonly to: string; readonly socket: ReturnType<typeof connectTls> }> {
  const socket = connectTls({ host: "127.0.0.1", port: rig.tlsPort(), rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
  });
  const { subject } = socket.getPeerCertificate();
  return { to: String(subject.CN), socket };
}

test("another certificate is shown to new connections, at the same address, and those that are there stay", async () => {
  rig = await smppRig();
  change({ tls_listen: "127.0.0.1:0", ...PATHS });
  const port = rig.tlsPort();
  const before = await shown();
  expect(before.to).toBe("hook.example.test");
  change({}, OTHER);
  expect(rig.tlsPort()).toBe(port);
  const after = await shown();
  expect(after.to).toBe("smsc.example.test");
  expect([before.socket.destroyed, after.socket.destroyed]).toEqual([false, false]);
  before.socket.destroy();
  after.socket.destroy();
});

test("a user for whom TLS is required binds inside it, of version 1.2 or later", async () => {
  rig = await smppRig({ tls: "required" });
  change({ tls_listen: "127.0.0.1:0", ...PATHS });
  const plain = await rig.connect();
  expect((await plain.ask(bindOf("transceiver"), 50)).status).toBe(0x0d);
  const client = await rig.connectTls();
  expect((await client.ask(bindOf("transceiver"))).status).toBe(0);
  expect(rig.status()?.sessions).toMatchObject([{ tls: true }]);
  expect((await client.submit()).status).toBe(0);
  const old = connectTls({
    host: "127.0.0.1",
    port: rig.tlsPort(),
    rejectUnauthorized: false,
    maxVersion: "TLSv1.1",
    minVersion: "TLSv1",
  });
  const outcome = await new Promise((resolve) => {
    old.once("secureConnect", () => resolve("connected"));
    old.once("error", () => resolve("refused"));
    old.once("close", () => resolve("refused"));
  });
  expect(outcome).toBe("refused");
});

test("another address counts for new connections, and an emptied one unbinds its sessions alone", async () => {
  rig = await smppRig();
  change({ tls_listen: "127.0.0.1:0", ...PATHS });
  const [plain, inside] = [await rig.bind(), await rig.connectTls()];
  await inside.ask(bindOf("transceiver"));
  const port = rig.port();
  change({ listen: "localhost:0" });
  expect(rig.port()).not.toBe(port);
  const moved = await rig.connect();
  await moved.until(() => true);
  expect((await plain.submit()).status).toBe(0);
  change({ listen: "" });
  await plain.until(() => plain.received.some(({ command }) => command === "unbind"));
  await plain.until(plain.isClosed, 100);
  await moved.until(moved.isClosed, 100);
  await expect(rig.connect()).rejects.toThrow();
  expect((await inside.submit({ shortMessage: textOf("inside") })).status).toBe(0);
  change({ tls_listen: "" });
  await inside.until(inside.isClosed, 100);
});

test("max_connections and times count at once", async () => {
  rig = await smppRig({ maxBinds: 5 });
  const first = await rig.bind();
  change({ max_connections: 1 });
  const second = await rig.connect();
  expect((await second.ask(bindOf("transceiver"), 50)).status).toBe(0x0d);
  expect(first.isClosed()).toBe(false);

  change({ max_connections: 500, bind_seconds: 2 });
  const silent = await rig.connect();
  const cameMs = rig.stage.clock.steadyMs();
  await silent.until(silent.isClosed, 100);
  expect(rig.stage.clock.steadyMs() - cameMs).toBeLessThan(4_000);

  change({ part_wait_seconds: 60 });
  const header = concatenationHeader({ reference: 7, total: 2, part: 1 });
  const part = {
    esmClass: 0x40,
    shortMessage: Buffer.concat([header, textOf("alone")]),
    registeredDelivery: 1,
  };
  const sentMs = rig.stage.clock.steadyMs();
  expect((await first.submit(part)).status).toBe(0);
  await first.until(() => first.delivered().length === 1, 500);
  expect(rig.stage.clock.steadyMs() - sentMs).toBeLessThan(90_000);

  // A receipt without an answer comes again; one that nobody takes is given up.
  change({ response_timeout_seconds: 5, receipt_hours: 1, enquire_link_seconds: 3_600 });
  first.answerWith(null);
  await first.submit({ registeredDelivery: 1, shortMessage: textOf("again") });
  await first.until(() => first.delivered().length === 2, 500);
  const toldMs = rig.stage.clock.steadyMs();
  await first.until(() => first.delivered().length === 3, 500);
  expect(rig.stage.clock.steadyMs() - toldMs).toBeLessThan(30_000);
  await first.until(() => rig.status()?.receipts.givenUp === 1, 20_000);

  change({ enquire_link_seconds: 5 });
  const quietMs = rig.stage.clock.steadyMs();
  await first.until(first.isClosed, 500);
  expect(rig.stage.clock.steadyMs() - quietMs).toBeLessThan(60_000);
});
