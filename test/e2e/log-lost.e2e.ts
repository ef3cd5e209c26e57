import { closeSync, existsSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { poll } from "./api.ts";
import { configOf } from "./appliance.ts";
import { EXECUTABLE, run, scratch } from "./executable.ts";

const place = scratch();
afterAll(() => place.remove());

/** Runs the server with stderr at `log`, asks it something, stops it; its exit code, null when it had to be killed. */
async function served(log: number, name: string): Promise<number | null> {
  const directory = join(place.path, name);
  const file = place.file(`${name}.toml`, configOf(directory, { orange: 1 }));
  const server = Bun.spawn([EXECUTABLE, "serve", "--config", file], { cwd: tmpdir(), stderr: log });
  const killer = setTimeout(() => server.kill("SIGKILL"), 12_000);
  try {
    await poll(
      () => existsSync(join(directory, "control.sock")),
      (isThere) => isThere,
    );
    expect(JSON.parse(run("operator", "status", "--config", file, "--json").stdout)).toHaveProperty("data");
    server.kill("SIGTERM");
    await server.exited;
    return server.signalCode === null ? server.exitCode : null;
  } finally {
    clearTimeout(killer);
    server.kill("SIGKILL");
  }
}

test("a log on a full disk loses its lines, and the server works and stops in order all the same", async () => {
  const full = openSync("/dev/full", "w");
  expect(await served(full, "full")).toBe(0);
  closeSync(full);
});

test("a log whose reader has gone is no reason to stop, nor a reason not to", async () => {
  const pipe = join(place.path, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  const keeper = openSync(pipe, "r+");
  const log = openSync(pipe, "w");
  closeSync(keeper);
  expect(await served(log, "gone")).toBe(0);
  closeSync(log);
});
