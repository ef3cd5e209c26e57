import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startApp, systemEnvironment } from "../../src/app/app.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { english } from "../../src/i18n/text.ts";
import type { DoctorCheck } from "../../src/ops/doctor/environment-checks.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { testLog } from "../kit/test-log.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

const SECRET = "s3cr3t-w0rd";

let smsc: TestSmsc;
let cli: CliFixture;
beforeEach(async () => {
  smsc = await testSmsc();
  cli = cliFixture(configFor(smsc.port));
});
afterEach(async () => {
  cli.close();
  await smsc.stop();
});

/** Every address of it is free for whoever starts on it. */
function configFor(port: number, password = SECRET): string {
  return `
[server]
listen = "127.0.0.1:0"
[metrics]
listen = ""
[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "${password}"
`;
}

/** As it stands in the document. */
type Check = Omit<DoctorCheck, "name"> & { readonly name: string };

type Seen = {
  readonly code: number;
  readonly of: (name: string) => Check | undefined;
  /** Checks that found an error. */
  readonly wrong: readonly Check[];
};

async function look(...words: string[]): Promise<Seen> {
  const { code, out } = await cli.run("doctor", "--json", ...words);
  const checks: readonly Check[] = JSON.parse(out).data.checks;
  expect(out).not.toContain(SECRET);
  const wrong = checks.filter(({ status }) => status === "error");
  return { code, wrong, of: (name) => checks.find((check) => check.name === name) };
}

async function whileServing<T>(work: () => Promise<T>): Promise<T> {
  const loaded = await loadConfig(cli.configPath, {});
  if (!loaded.ok) throw new Error(loaded.faults.map(english).join());
  const read = () => loadConfig(cli.configPath, {});
  const app = await startApp(
    settingsHolder(loaded.config, loaded),
    { ...systemEnvironment, log: testLog() },
    { readConfig: read },
  );
  try {
    return await work();
  } finally {
    await app.stop();
  }
}

describe("doctor without a server", () => {
  test("looks at everything, reaches the operators without binding, and says that nobody runs", async () => {
    const { code, of, wrong } = await look();
    expect([code, wrong]).toEqual([0, []]);
    expect(of("operator orange")).toMatchObject({
      status: "ok",
      detail: "1 of 1 connection(s) reachable",
    });
    expect(of("server")).toMatchObject({ status: "warning" });
    expect(smsc.events.filter(({ kind }) => kind === "bound")).toEqual([]);
  });

  test("an operator that cannot be reached is an error, and exits 1", async () => {
    writeFileSync(cli.configPath, configFor(1));
    const { code, of } = await look();
    expect([code, of("operator orange")?.status]).toEqual([1, "error"]);
  });

  test("a configuration with a fault is an error, and what does not need it is looked at", async () => {
    writeFileSync(cli.configPath, `${configFor(1)}\n[servr]\n`);
    const { code, of } = await look();
    expect([code, of("configuration")?.status]).toEqual([1, "error"]);
    expect([of("memory") !== undefined, of("files")]).toEqual([true, undefined]);
  });

  test("a variable that is not set is a warning", async () => {
    writeFileSync(cli.configPath, configFor(smsc.port, `\${NOT_SET_ANYWHERE}`));
    const { code, of } = await look();
    expect([code, of("configuration")]).toEqual([
      0,
      expect.objectContaining({
        status: "warning",
        detail: expect.stringContaining("NOT_SET_ANYWHERE"),
      }),
    ]);
  });

  test("files that others may read are told, pages are read, and a backup is found", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    const before = await look();
    expect([before.of("files")?.status, before.of("backup")?.status]).toEqual(["ok", "warning"]);
    expect(before.of("database")?.detail).toContain("its pages are sound");
    await cli.json("backup", "create");
    chmodSync(cli.data, 0o755);
    const after = await look();
    expect([after.of("files")?.status, after.of("backup")?.status]).toEqual(["warning", "ok"]);
  });

  test("a file that is no database is an error that says to restore", async () => {
    await cli.json("account", "create", "--name", "Faso Shop", "--billing", "prepaid");
    writeFileSync(join(cli.data, "bendre.db"), "this is no database at all, whatever its name says");
    const { code, of } = await look();
    expect([code, of("database")]).toEqual([
      1,
      expect.objectContaining({ status: "error", action: expect.stringContaining("backup restore") }),
    ]);
  });

  test("an address that another program has is an error", async () => {
    const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    writeFileSync(cli.configPath, configFor(smsc.port).replace('"127.0.0.1:0"', `"127.0.0.1:${other.port}"`));
    const { of } = await look();
    await other.stop(true);
    expect(of("address")?.status).toBe("error");
    expect((await look()).of("address")?.status).toBe("ok");
  });

  test("speaks French, and names what is wrong last", async () => {
    writeFileSync(cli.configPath, configFor(1));
    const out = (await cli.run("doctor", "--language", "fr")).out.replaceAll(/\u00a0|\u202f/g, " ");
    expect(out).toContain("avertissement : serveur – aucun serveur ne tourne");
    const errors = out.slice(out.indexOf("erreur : opérateur orange"));
    expect(errors).toContain("0 connexion(s) joignable(s) sur 1 : rien n’écoute à 127.0.0.1 sur le port 1");
    expect(errors).not.toContain("avertissement :");
  });
});

describe("doctor beside a running server", () => {
  test("asks it: operators are bound, nothing differs from the file", async () => {
    await whileServing(async () => {
      await smsc.until(({ events }) => events.some(({ kind }) => kind === "bound"));
      const { of } = await look();
      expect(of("server")?.status).toBe("ok");
      expect(of("operator orange")?.detail).toBe("1 of 1 connection(s) bound");
      expect(of("configuration in force")?.status).toBe("ok");
      expect(of("address")).toBeUndefined();
    });
  });

  test("a pause, a changed file and a faulty file are told", async () => {
    await whileServing(async () => {
      await smsc.until(({ events }) => events.some(({ kind }) => kind === "bound"));
      await cli.json("operator", "pause", "orange", "--reason", "the contract ends");
      writeFileSync(cli.configPath, configFor(smsc.port).replace("price = 15", "price = 16"));
      const changed = await look();
      expect(changed.of("operator orange")).toMatchObject({
        status: "warning",
        detail: expect.stringContaining("the contract ends"),
      });
      expect(changed.of("configuration in force")).toMatchObject({
        status: "warning",
        detail: expect.stringContaining("operators.orange.price"),
      });
    });
  });
});
