import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Json } from "./api.ts";

/** The executable under test: what `bun run build` left. */
export const EXECUTABLE = resolve(import.meta.dir, "../../dist/bendre");
if (!existsSync(EXECUTABLE)) throw new Error("dist/bendre is missing: run `bun run build` first");

/** The executable is started as by its users: what the tests set for themselves is not handed on. */
const USERS_OWN = { ...process.env, BENDRE_CONFIG: undefined, MIMALLOC_PURGE_DELAY: undefined };

export type Run = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** Runs the executable to its end, from a directory that is not the project's. */
export function run(...words: string[]): Run {
  return runIn(tmpdir(), {}, ...words);
}

/** The same in a directory, with variables beside those of this process. */
export function runIn(cwd: string, variables: Readonly<Record<string, string>>, ...words: string[]): Run {
  const env = { ...USERS_OWN, ...variables };
  const done = Bun.spawnSync([EXECUTABLE, ...words], { cwd, env, stdout: "pipe", stderr: "pipe" });
  return { exitCode: done.exitCode, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
}

/** A process of the executable that goes on, with what it has printed. */
export type Going = {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The objects that it has printed, a line each. */
  readonly events: () => readonly Json[];
  /** The objects that it has logged, a line each. */
  readonly logged: () => readonly Json[];
  /** Resolves once its output has what is looked for; rejects when it ends before. */
  readonly until: (found: (output: Going) => boolean) => Promise<void>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Types a line, for a program that takes some. */
  readonly type: (line: string) => void;
  readonly ended: Promise<number>;
};

export function start(...words: string[]): Going {
  return startIn(tmpdir(), ...words);
}

/** The same in a directory, and with no configuration that the environment names. */
export function startIn(cwd: string, ...words: string[]): Going {
  const streams = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const;
  const child = Bun.spawn([EXECUTABLE, ...words], { cwd, env: USERS_OWN, ...streams });
  const text = { stdout: "", stderr: "" };
  const events = new JsonLines();
  const logged = new JsonLines();
  let watchers: (() => void)[] = [];
  const follow = async (name: "stdout" | "stderr"): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) {
      text[name] += decoder.decode(chunk, { stream: true });
      for (const watcher of watchers) watcher();
    }
  };
  void follow("stdout");
  void follow("stderr");
  const going: Going = {
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    events: () => events.in(text.stdout),
    logged: () => logged.in(text.stderr),
    until: (found) =>
      new Promise((done, fail) => {
        const look = () => {
          if (!found(going)) return;
          watchers = watchers.filter((watcher) => watcher !== look);
          done();
        };
        watchers.push(look);
        look();
        void child.exited.then((code) => fail(new Error(`ended with ${code}: ${text.stderr}`)));
      }),
    signal: (name) => child.kill(name),
    type: (line) => {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    ended: child.exited,
  };
  return going;
}

/** The objects of a text that grows by lines; a line is read once, however often they are asked for. */
class JsonLines {
  readonly #objects: Json[] = [];
  #readTo = 0;

  in(text: string): readonly Json[] {
    const end = text.lastIndexOf("\n") + 1;
    if (end === this.#readTo) return this.#objects;
    for (const line of text.slice(this.#readTo, end).split("\n")) {
      if (line.startsWith("{")) this.#objects.push(JSON.parse(line) as Json);
    }
    this.#readTo = end;
    return this.#objects;
  }
}

/** A directory for one test run, gone at its end. */
export function scratch(): {
  readonly path: string;
  readonly file: (name: string, text: string) => string;
  readonly remove: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), "bendre-e2e-"));
  return {
    path,
    file: (name, text) => {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
