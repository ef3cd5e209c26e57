/** The product as it is measured: from its source, as an executable, or from its source under the profiler. */
import { createServer } from "node:net";
import { join } from "node:path";
import { until } from "./clock.ts";
import { bun, type Child, cpuByThread, cpuSeconds, memoryMib, start } from "./processes.ts";

export type Product =
  | { readonly kind: "source" }
  | { readonly kind: "executable"; readonly path: string }
  /** What was seen is written into `directory`. */
  | { readonly kind: "profiled"; readonly directory: string };

export type Appliance = {
  readonly pid: number;
  /** From the start of the process to its first ready answer. */
  readonly readyMs: number;
  readonly cpuSeconds: () => number;
  readonly cpuByThread: () => Record<string, number>;
  readonly memoryMib: () => { now: number; peak: number };
  /** What is measured begins, or ends: the profiler looks in between. Both do nothing for an executable. */
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Stops it in order; the longest hold of its event loop since `begin` in milliseconds, or null where nobody looked. */
  readonly stop: () => Promise<{ longestHoldMs: number | null }>;
  readonly kill: () => Promise<void>;
};

/** What runs administrative commands: the product itself. */
export function commandOf(product: Product): readonly string[] {
  return product.kind === "executable" ? [product.path] : [bun, "src/main.ts"];
}

/** Starts it with a configuration that listens on `port`, and waits until it is ready. */
export async function startAppliance(product: Product, config: string, port: number): Promise<Appliance> {
  const startedAt = performance.now();
  const child = await startProcess(product, config);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until("ready", isReady, { everyMs: 2 });
  const readyMs = performance.now() - startedAt;
  return {
    pid: child.pid,
    readyMs,
    cpuSeconds: () => cpuSeconds(child.pid),
    cpuByThread: () => cpuByThread(child.pid),
    memoryMib: () => memoryMib(child.pid),
    begin: async () => {
      if (product.kind === "source") child.signal("SIGUSR2");
      if (product.kind === "profiled") await child.ask("begin");
    },
    end: async () => {
      if (product.kind === "profiled") await child.ask("end");
    },
    stop: async () => {
      child.signal("SIGTERM");
      const printed = await child.ended;
      if (product.kind !== "source") return { longestHoldMs: null };
      const figures = JSON.parse(printed.trim().split("\n").at(-1) ?? "{}") as { longest_pause_ms?: number };
      return { longestHoldMs: figures.longest_pause_ms ?? null };
    },
    kill: async () => {
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}

function startProcess(product: Product, config: string): Promise<Child> {
  switch (product.kind) {
    case "source":
      return start([bun, "scripts/bench/server.ts", config]);
    case "executable":
      return start([product.path, "serve", "--config", config]);
    case "profiled":
      return start([bun, "scripts/profile/appliance.ts", config, product.directory], {
        talks: true,
        // The garbage collector tells what it does.
        env: { BUN_JSC_logGC: "1" },
        complaints: join(product.directory, "log.txt"),
      });
  }
}

/** A port of the loopback that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(address)));
    });
  });
}
