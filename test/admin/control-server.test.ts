import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../src/admin/commands.ts";
import { askServer } from "../../src/admin/control-client.ts";
import { type ControlSocket, startControl } from "../../src/admin/control-server.ts";
import { WALLET_OPERATIONS } from "../../src/admin/operations/wallets.ts";
import { systemServe } from "../../src/core/http-server.ts";
import { testLog } from "../kit/test-log.ts";
import { type AdminFixture, adminFixture } from "./operations/fixture.ts";
import { run } from "./operations/run-operation.ts";

let fixture: AdminFixture;
let socket: ControlSocket;
let directory: string;
const log = testLog();

beforeEach(() => {
  fixture = adminFixture();
  directory = fixture.context.store.directory;
  socket = startControl(
    directory,
    (actor) => ({ ...fixture.context, actor }),
    fixture.clock,
    log,
    systemServe,
  );
});
afterEach(async () => {
  await socket.stop();
  await fixture.close();
});

const ask = (command: string, args: Record<string, string> = {}, at = directory) =>
  askServer(at, { command, args, actor: "moussa" });

describe("the control socket", () => {
  test("only the server's own user may open it", () => {
    expect(statSync(join(directory, "control.sock")).mode & 0o777).toBe(0o600);
  });

  test("a command is done by the server, in the name of who typed it", async () => {
    const answer = await ask("account create", { name: "Banque", billing: "prepaid" });
    expect(answer).toMatchObject({ ok: true, value: { name: "Banque" } });
    expect(fixture.audited()).toEqual(["moussa: account create"]);
    const { id: account } = fixture.context.store.read.get<{ id: string }>(
      "SELECT ulid AS id FROM accounts",
    )!;
    expect(await ask("account suspend", { ACCOUNT: account, reason: "unpaid" })).toMatchObject({ ok: true });
    expect(fixture.told()).toEqual(["account"]);
  });

  test("a refusal comes back with its code", async () => {
    expect(await ask("account show", { ACCOUNT: "nobody" })).toMatchObject({
      ok: false,
      refusal: { code: "ACCOUNT_NOT_FOUND" },
    });
    expect(await ask("account explode")).toMatchObject({ ok: false, refusal: { code: "COMMAND_UNKNOWN" } });
  });

  test("a long answer comes whole, a piece a turn of the event loop", async () => {
    const account = await fixture.account();
    for (let n = 0; n < 1600; n += 800) {
      await Promise.all(
        Array.from({ length: 800 }, () =>
          run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
            account,
            amount: 1,
            reason: "é, one more",
          }),
        ),
      );
    }
    let turns = 0;
    const clock = {
      ...fixture.clock,
      soon: (callback: () => void) => {
        turns += 1;
        fixture.clock.soon(callback);
      },
    };
    await socket.stop();
    socket = startControl(directory, () => fixture.context, clock, log, systemServe);
    const answer = await ask("wallet statement", { ACCOUNT: account });
    expect(turns).toBeGreaterThanOrEqual(4);
    const here = await runCommand(fixture.context, "wallet statement", { ACCOUNT: account });
    expect(answer).toEqual(here);
  });

  test("what is not a command is refused, and other paths are not served", async () => {
    const unix = join(directory, "control.sock");
    const post = (body: string) => fetch("http://bendre/command", { unix, method: "POST", body });
    for (const body of [
      "",
      "[]",
      '{"command":"account list"}',
      '{"command":"x","args":{"a":1},"actor":"b"}',
    ]) {
      expect(await (await post(body)).json()).toMatchObject({ error: { code: "COMMAND_UNKNOWN" } });
    }
    expect((await fetch("http://bendre/", { unix })).status).toBe(404);
  });

  test("a command that fails is logged by name only and answered without internals", async () => {
    const broken = { ...fixture.context, clock: { ...fixture.clock, nowMs: () => Number.NaN } };
    const elsewhere = mkdtempSync(join(tmpdir(), "bendre-control-"));
    const other = startControl(elsewhere, () => broken, broken.clock, log, systemServe);
    const answer = await ask("account create", { name: "Banque", billing: "prepaid" }, elsewhere);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "INTERNAL_ERROR" } });
    expect(log.lines.at(-1)).toMatchObject({ level: "error", command: "account create" });
    await other.stop();
    rmSync(elsewhere, { recursive: true });
  });

  test("where nobody listens the answer is nobody, whether a dead server left its socket or not", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "bendre-control-"));
    expect(await ask("account list", {}, elsewhere)).toBeNull();
    const dead = Bun.spawnSync([
      process.execPath,
      "-e",
      `Bun.serve({ unix: ${JSON.stringify(join(elsewhere, "control.sock"))}, fetch: () => new Response() });
       process.kill(process.pid, "SIGKILL");`,
    ]);
    expect(dead.signalCode).toBe("SIGKILL");
    expect(existsSync(join(elsewhere, "control.sock"))).toBe(true);
    expect(await ask("account list", {}, elsewhere)).toBeNull();
    const next = startControl(elsewhere, () => fixture.context, fixture.clock, log, systemServe);
    expect(await ask("account list", {}, elsewhere)).toMatchObject({ ok: true });
    await next.stop();
    expect(existsSync(join(elsewhere, "control.sock"))).toBe(false);
    rmSync(elsewhere, { recursive: true });
  });

  test("a directory whose path is longer than a socket's address may be is served too", async () => {
    const root = mkdtempSync(join(tmpdir(), "bendre-control-"));
    const deep = join(root, "d".repeat(120));
    mkdirSync(deep);
    const long = startControl(deep, () => fixture.context, fixture.clock, log, systemServe);
    expect(await ask("account list", {}, deep)).toMatchObject({ ok: true });
    await long.stop();
    rmSync(root, { recursive: true });
  });

  describe("when the server stops", () => {
    test("a command that hangs is cut off after a second and told so; another is not begun", async () => {
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const slow = {
        ...fixture.context.store,
        write: async <T>(job: Parameters<typeof fixture.context.store.write<T>>[0]) => {
          begun.resolve();
          await held.promise;
          return fixture.context.store.write(job);
        },
      };
      await socket.stop();
      socket = startControl(
        directory,
        () => ({ ...fixture.context, store: slow }),
        fixture.clock,
        log,
        systemServe,
      );
      const hanging = ask("account create", { name: "Banque", billing: "prepaid" });
      await begun.promise;
      socket.refuse();
      expect(await ask("account list")).toMatchObject({ ok: false, refusal: { code: "STOPPING" } });
      const stopped = socket.stop();
      await fixture.clock.advance(1000);
      expect(await hanging).toMatchObject({ ok: false, refusal: { code: "STOPPING" } });
      await stopped;
      // What was told to be cut off changes nothing any more.
      held.resolve();
      await fixture.clock.advance(0);
      expect(fixture.context.store.read.all("SELECT 1 FROM accounts")).toEqual([]);
      expect(existsSync(join(directory, "control.sock"))).toBe(false);
    });

    test("commands are refused until the store is about to be closed, and nobody waits for it", async () => {
      await socket.endCommands();
      expect(await ask("ledger check")).toMatchObject({ ok: false, refusal: { code: "STOPPING" } });
      // Those who ask while the socket goes get the same answer, or find nobody: none loses a server that did something.
      const atOnce = Array.from({ length: 20 }, () => ask("account list"));
      await Promise.all([socket.stop(), ...atOnce]);
      for (const answer of await Promise.all(atOnce)) {
        expect([null, "STOPPING"]).toContain(answer?.ok === false ? answer.refusal.code : answer);
      }
      expect(await ask("ledger check")).toBeNull();
    });

    test("a command that ends within a second is answered", async () => {
      const answer = ask("account create", { name: "Banque", billing: "prepaid" });
      const stopped = answer.then(() => socket.stop());
      expect(await answer).toMatchObject({ ok: true });
      await stopped;
    });
  });
});
