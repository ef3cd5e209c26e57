/** The executable in a directory that is empty: it starts, leads on, and reads the file that comes later. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiOf, type Json, poll } from "./api.ts";
import { type Going, run, runIn, scratch, start, startIn } from "./executable.ts";

const place = scratch();
afterAll(() => place.remove());

function emptyDirectory(name: string): string {
  const path = join(place.path, name);
  mkdirSync(path);
  return path;
}

/** Whether the addresses that a start without a file takes are free: they cannot be chosen. */
async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (!isFree) return false;
  }
  return true;
}

describe("where there is no file", () => {
  test("every command but serve is refused, and makes nothing", () => {
    const directory = emptyDirectory("commands");
    for (const words of [
      ["account", "list"],
      ["config", "check"],
      ["backup", "restore", "x.db"],
    ]) {
      const { exitCode, stdout } = runIn(directory, {}, ...words, "--json");
      expect([words, exitCode, JSON.parse(stdout).error.code]).toEqual([words, 1, "CONFIG_INVALID"]);
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test("a path that is given stays an error for serve, by flag, by variable, and by a link that leads nowhere", () => {
    const directory = emptyDirectory("given");
    const refused = [
      runIn(directory, {}, "serve", "--config", "config.toml"),
      runIn(directory, { BENDRE_CONFIG: "./config.toml" }, "serve"),
    ];
    symlinkSync("nowhere.toml", join(directory, "config.toml"));
    refused.push(runIn(directory, {}, "serve"));
    for (const { exitCode, stderr } of refused) {
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("no such file")]);
    }
    expect(readdirSync(directory)).toEqual(["config.toml"]);
  });
});

const URL = "http://127.0.0.1:8080";

if (!(await areFree([8080, 9464]))) {
  process.stderr.write("SKIPPED: a start without a file, for its ports are taken on this machine\n");
} else {
  describe("serve in an empty directory", () => {
    const directory = emptyDirectory("first");
    let server: Going;
    let smsc: Going;
    beforeAll(async () => {
      smsc = start("smsc", "--port", "0", "--json");
      await smsc.until((output) => output.stdout().includes('"listening"'));
      server = startIn(directory, "serve");
      await server.until((output) => output.stdout().includes("--role OWNER"));
    });
    afterAll(() => {
      for (const going of [server, smsc]) going?.signal("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    });

    const admin = (...words: string[]): Json => {
      const { exitCode, stdout, stderr } = runIn(directory, {}, ...words, "--json");
      expect([words, exitCode, stdout + stderr]).toEqual([words, 0, expect.anything()]);
      return JSON.parse(stdout).data as Json;
    };

    test("starts on loopback with ./data, says so, and prints the first link and a command that works", async () => {
      expect(server.logged().find(({ file }) => file === join(directory, "config.toml"))).toMatchObject({
        level: "warn",
        message: expect.stringContaining("no configuration file"),
        listen: "127.0.0.1:8080",
        directory: join(directory, "data"),
      });
      expect(server.logged().map(({ message }) => message)).toContainEqual(
        expect.stringContaining("no operator is connected"),
      );
      expect(server.stdout()).toContain(`${URL}/console/`);
      const later = server.stdout().trim().split("\n").at(-1) ?? "";
      const words = later.replace("LOGIN", "awa@example.bf").split(" ").slice(1);
      const made = run(...words, "--json");
      expect([made.exitCode, JSON.parse(made.stdout).data.role]).toEqual([0, "OWNER"]);
      expect(made.stderr).toContain("no configuration file yet");
    });

    test("says in health that no operator is connected, and answers UNROUTABLE_PREFIX for every number", async () => {
      const health = (await (await fetch(`${URL}/health`)).json()) as { data: Json };
      expect(health.data.status).toBe("degraded");
      expect(JSON.stringify(health.data.checks)).toContain("no operator is connected");
      const { account_id: account } = admin("account", "create", "--name", "Faso", "--billing", "prepaid");
      admin("sender", "request", String(account), "SHOP");
      admin("sender", "approve", String(account), "SHOP");
      for (const mode of ["test", "live"]) {
        const { api_key } = admin(
          "key",
          "create",
          String(account),
          "--name",
          mode,
          "--scopes",
          "all",
          "--mode",
          mode,
        );
        const batch = {
          sender: mode === "test" ? "TEST" : "SHOP",
          body: "Bonjour",
          message_class: "TRANSACTIONAL",
          recipients: [{ msisdn: "+22670000001" }, { msisdn: "+22605000001" }],
        };
        const { status, data } = await apiOf(() => URL, String(api_key)).post(mode, batch);
        expect([mode, status, data]).toEqual([
          mode,
          202,
          expect.objectContaining({ accepted: 0, rejected: 2 }),
        ]);
        const reasons = (data.rejections as Json[]).map(({ reason_code }) => reason_code);
        expect(reasons).toEqual(["UNROUTABLE_PREFIX", "UNROUTABLE_PREFIX"]);
      }
    });

    test("a file that comes later is what a reload reads, and then it is missed when it is gone", async () => {
      expect(admin("config", "reload")).toMatchObject({ changes: [], restart: [] });
      const port = smsc.events()[0]?.port;
      const file = join(directory, "config.toml");
      writeFileSync(
        file,
        `[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
`,
      );
      expect(admin("config", "reload")).toMatchObject({
        changes: [{ path: "operators.orange", change: "added" }],
      });
      await poll(
        () => admin("operator", "status"),
        (status) => JSON.stringify(status).includes('"BOUND"'),
      );
      rmSync(file);
      const gone = runIn(directory, {}, "config", "reload", "--json");
      expect([gone.exitCode, JSON.parse(gone.stdout).error.code]).toEqual([1, "CONFIG_INVALID"]);
      expect(JSON.stringify(admin("operator", "status"))).toContain('"BOUND"');
      server.signal("SIGTERM");
      expect(await server.ended).toBe(0);
    });
  });
}
