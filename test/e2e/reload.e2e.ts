/** The file is changed while the server runs: SIGHUP, the command, a new certificate. */
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../smpp/server-certificate.ts";
import { type Json, poll } from "./api.ts";
import { configOf, readyUrl } from "./appliance.ts";
import { type Going, run, scratch, start } from "./executable.ts";

const place = scratch();
const directory = join(place.path, "data");
const certificate = place.file("cert.pem", HOOK_CERTIFICATE);
const key = place.file("key.pem", HOOK_KEY);
const plain = configOf(directory, { orange: 1 }).replace(
  'listen = "127.0.0.1:0"',
  'listen = "127.0.0.1:0"\ntls_certificate = "cert.pem"\ntls_key = "key.pem"',
);
const config = place.file("config.toml", plain);
let server: Going;
beforeAll(async () => {
  server = start("serve", "--config", config);
  await server.until((output) => output.stderr().includes('"ready"'));
});
afterAll(() => {
  server?.signal("SIGKILL");
  place.remove();
});

const logged = (message: string) => server.logged().filter((line) => line.message === message);
const url = () => new URL(readyUrl(server));
const shown = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url().port), host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });
const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;
const command = (...words: string[]) => {
  const { exitCode, stdout } = run(...words, "--config", config, "--json");
  return { exitCode, ...(JSON.parse(stdout) as { data?: Json; error?: Json }) };
};
const hangUp = async (message: string) => {
  const before = logged(message).length;
  server.signal("SIGHUP");
  await poll(
    async () => logged(message).length,
    (count) => count > before,
  );
};

test("SIGHUP brings the file into force, says so in the log, and ends nothing", async () => {
  writeFileSync(config, plain.replace("price = 15", "price = 17"));
  await hangUp("configuration changed");
  expect(logged("configuration reloaded")).toHaveLength(1);
  expect(logged("configuration changed").at(-1)).toMatchObject({ path: "operators.orange.price", to: "17" });
  const { settings } = command("config", "show").data as { settings: Json[] };
  expect(settings.find(({ path }) => path === "operators.orange.price")).toEqual({
    path: "operators.orange.price",
    value: 17,
    is_default: false,
    written_in: "file",
  });
});

test("a file with a fault changes nothing, whoever asks, and the server goes on", async () => {
  writeFileSync(config, plain.replace("price = 15", 'price = "dear"'));
  await hangUp("the configuration was not reloaded: nothing changed");
  const line = logged("the configuration was not reloaded: nothing changed").at(-1);
  expect(line?.detail).toContain('operators.orange.price: found "dear"');
  expect(command("config", "reload")).toMatchObject({ exitCode: 1, error: { code: "CONFIG_INVALID" } });
  writeFileSync(config, plain.replace("price = 15", "price = 17"));
  expect(command("config", "diff")).toMatchObject({ exitCode: 0, data: { changes: [] } });
});

test("a difference exits with 3, and a reload takes it away", () => {
  writeFileSync(config, plain);
  const diff = command("config", "diff");
  expect(diff).toMatchObject({ exitCode: 3, data: { changes: [{ from: 17, to: 15, effect: "now" }] } });
  expect(command("config", "reload")).toMatchObject({ exitCode: 0, data: { restart: [] } });
  expect(command("config", "diff").exitCode).toBe(0);
});

test("a certificate that was renewed under its name is shown from the reload on", async () => {
  expect(await shown()).toBe(fingerprintOf(HOOK_CERTIFICATE));
  writeFileSync(certificate, SERVER_CERTIFICATE);
  const halfDone = command("config", "reload");
  expect(halfDone.error?.detail).toContain("a certificate that its key does not fit");
  writeFileSync(key, SERVER_KEY);
  expect(command("config", "reload").data?.changes).toMatchObject([
    { path: "server.tls_certificate", effect: "now" },
    { path: "server.tls_key", effect: "now" },
  ]);
  expect(await shown()).toBe(fingerprintOf(SERVER_CERTIFICATE));
  expect(readFileSync(config, "utf8")).toBe(plain);
});

test("without a server a reload is refused", async () => {
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(command("config", "reload")).toMatchObject({ exitCode: 1, error: { code: "SERVER_NOT_RUNNING" } });
  expect(command("config", "diff")).toMatchObject({ exitCode: 0, data: { server: "not running" } });
});
