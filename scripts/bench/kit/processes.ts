/** Processes of a measurement: each is ended with it, whatever happens. */
import { readdirSync, readFileSync } from "node:fs";

/** The runtime that runs this, which runs the product from its source as well. */
export const bun = process.execPath;

/** What a child says and is told, and its end. */
export type Child = {
  readonly pid: number;
  /** Its first message, of a child that talks. */
  readonly first: unknown;
  /** Sends a question; the next message that comes back. One question at a time. */
  readonly ask: (question: unknown) => Promise<unknown>;
  readonly signal: (signal: "SIGTERM" | "SIGUSR2" | "SIGKILL") => void;
  /** Resolves with what it printed, once it has ended. */
  readonly ended: Promise<string>;
};

const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a program. With `talks`, it is one of ours that answers questions, and this resolves once it has said its first word; what it
 * prints is kept; its complaints go to the terminal, or to the file `complaints`.
 */
export async function start(
  command: readonly string[],
  {
    talks = false,
    env = {},
    complaints,
  }: { talks?: boolean; env?: Record<string, string>; complaints?: string } = {},
): Promise<Child> {
  let heard: (message: unknown) => void = () => {};
  const first = new Promise<unknown>((resolve) => {
    heard = resolve;
  });
  const child = Bun.spawn([...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: complaints === undefined ? "inherit" : Bun.file(complaints),
    env: { ...process.env, ...env },
    ...(talks && { ipc: (message: unknown) => heard(message) }),
  });
  running.add(child);
  const ended = new Response(child.stdout).text().then(async (printed) => {
    await child.exited;
    running.delete(child);
    return printed;
  });
  const died = ended.then((printed): never => {
    throw new Error(`${command.join(" ")} ended: ${printed}`);
  });
  died.catch(() => {});
  return {
    pid: child.pid,
    first: talks ? await Promise.race([first, died]) : null,
    ask: (question) =>
      Promise.race([
        new Promise<unknown>((resolve) => {
          heard = resolve;
          child.send(question);
        }),
        died,
      ]),
    signal: (signal) => child.kill(signal),
    ended,
  };
}

/** CPU seconds of a process so far, all its threads (proc(5): utime and stime in hundredths of a second). */
export function cpuSeconds(pid: number): number {
  return cpuOf(`/proc/${pid}/stat`);
}

/** The same for each of its threads, by name; threads of one name are one. */
export function cpuByThread(pid: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${task}/comm`, "utf8").trim();
    const key = Number(task) === pid ? "main" : name;
    sums[key] = (sums[key] ?? 0) + cpuOf(`/proc/${pid}/task/${task}/stat`);
  }
  return sums;
}

function cpuOf(stat: string): number {
  const text = readFileSync(stat, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * CPU seconds that the whole machine has worked so far, by which is seen what others took; and those in which it could have, had its
 * host not given the core to another machine (proc_stat(5), steal).
 */
export function coreSeconds(): { readonly used: number; readonly stolen: number } {
  const fields = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").trim().split(/\s+/).slice(1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields.map(Number);
  return { used: (user + nice + system + irq + softirq) / 100, stolen: steal / 100 };
}

/** Resident memory, and its highest so far, in MiB. */
export function memoryMib(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { now: mib("VmRSS"), peak: mib("VmHWM") };
}
