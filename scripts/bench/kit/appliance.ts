/** The product as it is measured: from its source, as an executable, or from its source under the profiler. */
import { createServer } from "node:net";
import { join } from "node:path";
import type { Hold } from "../../loop-holds/watch.ts";
import { type WrittenHolds, writtenHolds } from "../../loop-holds/written.ts";
import { until } from "./clock.ts";
import { bun, type Child, cpuSeconds, memoryMib, start } from "./processes.ts";

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
  readonly memoryMib: () => { now: number; peak: number };
  /** What is measured begins, or ends, for whoever looks on: the profiler looks in between. */
  readonly begin: () => Promise<void>;
  /** The holds of its event loop since `begin`; null where nobody looked. */
  readonly end: () => Promise<readonly Hold[] | null>;
  /** Stops it in order. */
  readonly stop: () => Promise<void>;
};

/** What runs administrative commands: the product itself. */
export function commandOf(product: Product): readonly string[] {
  return product.kind === "executable" ? [product.path] : [bun, "src/main.ts"];
}

export type Started = {
  readonly config: string;
  /** Where the configuration listens. */
  readonly port: number;
  /** Where its holds are written; null where nobody looks, which costs an idle server some of its rest. */
  readonly holds: string | null;
};

/** Starts it, and waits until it is ready. */
export async function startAppliance(product: Product, { config, port, holds }: Started): Promise<Appliance> {
  const startedAt = performance.now();
  const written = holds === null ? null : writtenHolds(holds);
  const child = await startProcess(product, config, written);
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
    memoryMib: () => memoryMib(child.pid),
    begin: async () => {
      written?.since();
      if (product.kind === "profiled") await child.ask("begin");
    },
    end: async () => {
      const seen = written?.since() ?? null;
      if (product.kind === "profiled") await child.ask("end");
      return seen;
    },
    stop: async () => {
      child.signal("SIGTERM");
      await child.ended;
    },
  };
}

function startProcess(product: Product, config: string, holds: WrittenHolds | null): Promise<Child> {
  const env = holds?.env ?? {};
  switch (product.kind) {
    case "source":
    case "executable":
      return start([...commandOf(product), "serve", "--config", config], { env });
    case "profiled":
      return start([bun, "scripts/profile/appliance.ts", config, product.directory], {
        talks: true,
        // The garbage collector tells what it does.
        env: { ...env, BUN_JSC_logGC: "1" },
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
