import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { configOf } from "./appliance.ts";
import { EXECUTABLE, run, scratch, start } from "./executable.ts";

const place = scratch();
afterAll(() => place.remove());

const configIn = (directory: string) => configOf(join(place.path, directory), { orange: 1, moov: 2 });

describe("what it refuses to start with", () => {
  const refusal = (...words: string[]) => {
    const done = run(...words);
    expect(done.exitCode).toBe(1);
    return done.stderr + done.stdout;
  };

  test("a misspelt key: file, line, full key, and the nearest known one", () => {
    const file = place.file("typo.toml", configIn("data").replace("throughput = 1000", "througput = 1000"));
    expect(refusal("config", "check", "--config", file)).toMatch(
      /typo\.toml:\d+: operators\.orange\.connections\[0\]\.througput.*throughput/s,
    );
    expect(refusal("serve", "--config", file)).toContain("througput");
  });

  test("broken TOML: the line", () => {
    const file = place.file("broken.toml", "[server]\nlisten = = 1\n");
    expect(refusal("serve", "--config", file)).toMatch(/broken\.toml:2:\d+/);
  });

  test("a data directory that is a file", () => {
    const blocked = place.file("blocked", "");
    const file = place.file("blocked.toml", configIn("blocked"));
    expect(refusal("serve", "--config", file)).toContain(blocked);
  });

  test("a second server on the same data, and a port in use", async () => {
    const first = place.file("first.toml", configIn("shared"));
    const running = start("serve", "--config", first);
    await running.until((output) => output.stderr().includes('"ready"'));
    expect(refusal("serve", "--config", first)).toContain("another bendre is using the data directory");
    const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(running.stderr())?.[1];
    const second = place.file("second.toml", configIn("other").replace("127.0.0.1:0", `127.0.0.1:${port}`));
    expect(refusal("serve", "--config", second)).toContain("in use");
    running.signal("SIGTERM");
    expect(await running.ended).toBe(0);
  });

  test("a port in use: before it is told, no operator is bound and the data directory is not touched", async () => {
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const operator = start("smsc", "--port", "0", "--json");
    await operator.until((output) => output.stdout().includes('"listening"'));
    const port = Number(operator.events()[0]?.port);
    const file = place.file(
      "taken.toml",
      configOf(join(place.path, "untouched"), { orange: port }).replace(
        "127.0.0.1:0",
        `127.0.0.1:${taken.port}`,
      ),
    );
    expect(refusal("serve", "--config", file)).toContain("in use by another program");
    expect(existsSync(join(place.path, "untouched"))).toBe(false);
    operator.signal("SIGTERM");
    await operator.ended;
    expect(operator.stdout()).not.toContain('"bound"');
    taken.stop(true);
  });

  test("a database that was made by another user: in words, and nothing is served", () => {
    if (process.geteuid?.() !== 0) return;
    const directory = join(place.path, "roots");
    const file = place.file("roots.toml", configIn("roots"));
    const account = ["account", "create", "--name", "Faso", "--billing", "prepaid"];
    expect(run(...account, "--config", file).exitCode).toBe(0);
    chmodSync(place.path, 0o755);
    const asNobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const done = Bun.spawnSync([...asNobody, EXECUTABLE, "serve", "--config", file], {
      stdout: "pipe",
      stderr: "pipe",
    });
    expect([done.exitCode, done.stderr.toString()]).toEqual([
      1,
      expect.stringContaining(`${directory} belongs to root and cannot be written by user 65534`),
    ]);
  });
});
