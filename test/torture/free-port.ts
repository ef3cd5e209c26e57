import { createServer } from "node:net";
import type { Chance } from "../../src/core/chance.ts";

/** Below the range from which systems take the near ends of connections, so that nobody takes it while its server is away. */
const LOWEST = 20_000;
const HIGHEST = 31_999;

/** A port of this machine that nobody listens on, and that stays free while its server is away. */
export async function freePort(chance: Chance): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(chance.fraction() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
