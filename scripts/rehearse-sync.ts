/**
 * The built executable on a disk that fails to sync once: it ends at once with exit code 1, nobody is told that what it
 * was doing is done, and the next start works on what the log really holds. Needs gcc:
 *
 *   bun run build && bun scripts/rehearse-sync.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const EXECUTABLE = resolve(import.meta.dir, "../dist/bendre");
const place = mkdtempSync(join(tmpdir(), "bendre-sync-"));
const config = join(place, "config.toml");
const failWhile = join(place, "fail");
const library = join(place, "failing-sync.so");

writeFileSync(
  config,
  `[server]
listen = "127.0.0.1:0"
[storage]
directory = "${place}/data"
[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
port = 1
system_id = "bendre"
password = "secret"
`,
);
const compiled = Bun.spawnSync([
  ...["gcc", "-shared", "-fPIC", "-O2", "-o", library],
  ...[join(import.meta.dir, "rehearse/failing-sync.c"), "-ldl"],
]);
if (compiled.exitCode !== 0) throw new Error(compiled.stderr.toString());

const command = (...words: string[]) => {
  const done = Bun.spawnSync([EXECUTABLE, ...words, "--config", config, "--json"]);
  return { code: done.exitCode, answer: done.stdout.toString() };
};
const create = (name: string) => command("account", "create", "--name", name, "--billing", "prepaid");
const check = (what: string, holds: boolean): void => {
  process.stdout.write(`${holds ? "ok  " : "FAIL"} ${what}\n`);
  if (!holds) process.exitCode = 1;
};

async function serve(): Promise<{ ended: Promise<number>; log: () => string; kill: () => void }> {
  const server = Bun.spawn([EXECUTABLE, "serve", "--config", config], {
    env: { ...process.env, LD_PRELOAD: library, FAIL_WHILE: failWhile },
    stdout: "ignore",
    stderr: "pipe",
  });
  let text = "";
  const ready = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of server.stderr) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('"ready"')) ready.resolve();
    }
  };
  const followed = follow();
  await ready.promise;
  return {
    ended: followed.then(() => server.exited),
    log: () => text,
    kill: () => server.kill("SIGTERM"),
  };
}

try {
  const first = await serve();
  check("a command is done while the disk keeps what it is given", create("Before").code === 0);
  writeFileSync(failWhile, "");
  const during = create("During");
  check(
    "what could not be synced is not told to be done",
    during.code === 1 && !during.answer.includes('"data"'),
  );
  check("the process ends at once with 1", (await first.ended) === 1);
  check("its log says why", first.log().includes("the disk failed to keep what was written"));
  rmSync(failWhile);
  const second = await serve();
  check(
    "what was told to be done is there after the next start",
    command("account", "list").answer.includes("Before"),
  );
  check("and it works", create("After").code === 0);
  second.kill();
  check("and stops in order", (await second.ended) === 0);
} finally {
  rmSync(place, { recursive: true, force: true });
}
