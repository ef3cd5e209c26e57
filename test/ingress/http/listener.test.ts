import { type AddressInfo, connect as connectTcp } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { systemServe } from "../../../src/core/http-server.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { type Listener, listen } from "../../../src/ingress/http/listener.ts";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../kit/certificates.ts";
import { testClock } from "../../kit/test-clock.ts";
import { testLog } from "../../kit/test-log.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../../smpp/server-certificate.ts";

const ONE = { cert: HOOK_CERTIFICATE, key: HOOK_KEY };
const OTHER = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };

const clock = testClock();
let listener: Listener | null = null;
afterEach(() => listener?.stop(createDeadline(clock, 0)));

function open(certificate: typeof ONE | null = ONE, log = testLog()): Listener {
  listener = listen({
    at: "127.0.0.1:0",
    certificate,
    clock,
    log,
    serve: systemServe,
    closed: () => new Response(""),
  });
  return listener;
}
const connection = (): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const port = listener?.port ?? 0;
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => resolve(socket));
    socket.on("error", reject);
  });
const shown = async (): Promise<string> => {
  const socket = await connection();
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
};
const ask = (socket: TLSSocket): Promise<string> =>
  new Promise((resolve) => {
    socket.once("data", (octets) => resolve(octets.toString()));
    socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  });

test("new connections are shown the new certificate, at the same address", async () => {
  const { renew, url } = open();
  const before = await shown();
  renew(OTHER);
  const after = await shown();
  expect(after).not.toBe(before);
  expect(listener?.url).toBe(url);
  renew(ONE);
  expect(await shown()).toBe(before);
});

test("a request under way is answered over the connection that it came by, which then ends", async () => {
  const answer = Promise.withResolvers<Response>();
  const { renew, open: openDoor } = open();
  const arrived = Promise.withResolvers<void>();
  openDoor(() => {
    arrived.resolve();
    return answer.promise;
  });
  const socket = await connection();
  const told = ask(socket);
  await arrived.promise;
  renew(OTHER);
  answer.resolve(new Response("at last"));
  expect(await told).toContain("at last");
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
});

test("a certificate that cannot be used leaves the address with the one it had, and is logged", async () => {
  const log = testLog();
  const { renew } = open(ONE, log);
  const before = await shown();
  renew({ cert: "no certificate", key: HOOK_KEY });
  expect(await shown()).toBe(before);
  expect(log.lines).toMatchObject([
    { level: "error", message: "the certificate of the address could not be renewed" },
  ]);
});

test("an address without TLS, or one that refuses already, is left alone", async () => {
  const plain = open(null);
  plain.renew(ONE);
  expect(await (await fetch(plain.url)).text()).toBe("");
  await plain.stop(createDeadline(clock, 0));
  const refusing = open();
  refusing.refuse();
  refusing.renew(OTHER);
  const refused = await new Promise((resolve) => {
    const socket = connectTcp({ port: refusing.port, host: "127.0.0.1" } satisfies Pick<
      AddressInfo,
      "port"
    > & { host: string });
    socket.on("error", () => resolve(true));
    socket.on("connect", () => resolve(false));
  });
  expect(refused).toBe(true);
});
