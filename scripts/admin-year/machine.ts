/** One machine of the year: a root of its own, a clock of its own, and the executable that was installed there. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "../../test/e2e/api.ts";
import { type Going, going } from "../rehearse/going.ts";
import type { Story } from "./story.ts";
import { HOUR_MS, type WorldClock } from "./world-clock.ts";

export type Json = Record<string, unknown>;
export type Answer = { readonly exitCode: number; readonly data: Json; readonly error: Json };

type Ran = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

export type Platform = {
  readonly name: string;
  readonly root: string;
  readonly config: string;
  /** Where its database lies. */
  readonly data: string;
  readonly clock: WorldClock;
  /** Time passes while the server runs, in steps that its clock believes. */
  readonly pass: (hours: number) => Promise<void>;
  /** A command that must succeed; its `data`. */
  readonly bendre: (...words: string[]) => Promise<Json>;
  /** The same, not told. */
  readonly quietly: (...words: string[]) => Promise<Json>;
  /** A command that may end as it likes. */
  readonly tried: (...words: string[]) => Promise<Answer>;
  /** Puts the executable there, as an administrator does with the file that was brought along. */
  readonly install: () => Promise<Json>;
  /** What a command prints for people. */
  readonly printed: (...words: string[]) => Promise<string>;
  /** The same, not told. @throws when it fails */
  readonly unseen: (...words: string[]) => Promise<string>;
  /** Variables that the next start is given, as the service gives it those of its file. */
  readonly environment: (values: Readonly<Record<string, string>>) => void;
  /** Starts the server and resolves once it listens. */
  readonly serve: () => Promise<void>;
  /** A start that must fail: with what, and the last line of why. */
  readonly failsToServe: () => Promise<{ readonly exitCode: number; readonly told: string }>;
  /** Ends it in order; the exit code. */
  readonly stop: () => Promise<number>;
  readonly kill: () => Promise<void>;
  readonly hangUp: () => void;
  readonly url: () => string;
  readonly isRunning: () => boolean;
  /** What all its servers have logged. */
  readonly log: () => readonly string[];
};

export type MachineOptions = {
  readonly name: string;
  /** Everything of it lies below this. */
  readonly root: string;
  readonly executable: string;
  readonly clock: WorldClock;
  readonly story: Story;
  /** Where its data lie, if not where `install` puts them. */
  readonly data?: string;
};

/** Less than six hours, beyond which a clock that jumps is doubted. */
const STEP_HOURS = 5;

/** A machine on which nothing was installed yet. */
export function machineAt({ name, root, executable, clock, story, data }: MachineOptions): Platform {
  mkdirSync(root, { recursive: true });
  const config = join(root, "etc/bendre/config.toml");
  let installed = executable;
  let variables: Readonly<Record<string, string>> = {};
  let server: Going | null = null;
  const before: string[] = [];
  const command = (words: readonly string[]) => {
    const given = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    return [...clock.prefix, ...given, installed, ...words];
  };
  const url = () => {
    const ready = server?.errors.find((line) => line.includes('"message":"ready"')) ?? "{}";
    return String((JSON.parse(ready) as Json).url);
  };
  const run = async (words: readonly string[]): Promise<Ran> => {
    const child = Bun.spawn(command([...words, "--config", config]), {
      cwd: tmpdir(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode: child.exitCode ?? 1, stdout, stderr };
  };
  const ask = async (words: readonly string[]): Promise<Answer> => {
    const { exitCode, stdout } = await run([...words, "--json"]);
    const { data: found = {}, error = {} } = JSON.parse(stdout) as { data?: Json; error?: Json };
    return { exitCode, data: found, error };
  };
  const must = async (words: readonly string[]): Promise<Json> => {
    const { exitCode, data: found, error } = await ask(words);
    if (exitCode !== 0) throw new Error(`bendre ${words.join(" ")}: ${exitCode} ${JSON.stringify(error)}`);
    return found;
  };
  const tell = (words: readonly string[]) => story.typed(name, `bendre ${words.map(quoted).join(" ")}`);
  return {
    name,
    root,
    config,
    clock,
    url,
    data: data ?? join(root, "var/lib/bendre"),
    pass: async (hours) => {
      for (let left = hours; left > 0; left -= STEP_HOURS) {
        clock.set(new Date(clock.now().getTime() + Math.min(left, STEP_HOURS) * HOUR_MS));
        // Who asks makes it look at its clock, so that two steps are not one.
        await fetch(`${url()}/health`, { tls: { rejectUnauthorized: false } });
      }
    },
    bendre: (...words) => {
      tell(words);
      return must(words);
    },
    quietly: (...words) => must(words),
    tried: async (...words) => {
      tell(words);
      const answer = await ask(words);
      if (answer.error.code !== undefined) story.saw(`${answer.error.code}: ${answer.error.detail}`);
      return answer;
    },
    install: async () => {
      const words = ["install", "--root", root];
      story.typed(name, `sudo ./bendre ${words.join(" ")}`);
      installed = executable;
      const done = await must(words);
      installed = join(root, "usr/local/bin/bendre");
      return done;
    },
    printed: async (...words) => {
      tell(words);
      return (await run(words)).stdout;
    },
    unseen: async (...words) => {
      const { exitCode, stdout, stderr } = await run(words);
      if (exitCode !== 0) throw new Error(`bendre ${words.join(" ")}: ${stderr}`);
      return stdout;
    },
    environment: (values) => {
      variables = values;
    },
    serve: async () => {
      story.typed(name, "systemctl start bendre");
      before.push(...(server?.errors ?? []));
      server = going(command(["serve", "--config", config]));
      await server.line('"message":"ready"');
    },
    failsToServe: async () => {
      story.typed(name, "systemctl start bendre");
      const { exitCode, stderr } = await run(["serve"]);
      return { exitCode, told: stderr.trim().split("\n").at(-1) ?? "" };
    },
    stop: async () => {
      story.typed(name, "systemctl stop bendre");
      return (await server?.stop()) ?? 0;
    },
    kill: async () => {
      story.typed(name, "(its power fails)");
      await server?.kill();
    },
    hangUp: () => {
      story.typed(name, "systemctl kill -s HUP bendre");
      server?.signal("SIGHUP");
    },
    isRunning: () => server?.isOver() === false,
    log: () => [...before, ...(server?.errors ?? [])],
  };
}

/** As it would have to be typed. */
function quoted(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `"${word}"`;
}

/** Edits a file as somebody with an editor would; the text that was there must be found. @throws when it is not. */
export function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** Waits until an answer is as wanted; false when that takes longer than so many seconds. */
export async function comesTrue(isSo: () => boolean | Promise<boolean>, seconds = 30): Promise<boolean> {
  const untilMs = performance.now() + seconds * 1000;
  await poll(isSo, (is) => is || performance.now() > untilMs);
  return await isSo();
}
