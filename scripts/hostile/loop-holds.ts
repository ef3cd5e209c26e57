/**
 * Loaded into the executable under attack, where it measures what no client can: how long one turn of its event loop
 * kept everybody waiting. Each hold goes as a line, in milliseconds, into the file that BENDRE_HOLDS names. While the
 * thread could run and another process had the core, the machine held it up and not the server: the kernel counts that
 * time per thread (schedstat, proc(5)), so just that is taken off each hold. Waiting for the disk stays in it.
 */
import { appendFileSync, openSync, readSync } from "node:fs";

const file = process.env.BENDRE_HOLDS;
/** How often it looks; a shorter hold is not seen. */
const TICK_MS = 2;
const SHORTEST_MS = 5;

function watch(into: string): void {
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const text = Buffer.alloc(128);
  /** Milliseconds this thread has waited for a core so far. */
  const waited = (): number => {
    const length = readSync(schedstat, text, 0, text.length, 0);
    return Number(text.toString("latin1", 0, length).split(" ")[1]) / 1e6;
  };
  let last = performance.now();
  let lastWaited = waited();
  const tick = setInterval(() => {
    const now = performance.now();
    const nowWaited = waited();
    const held = now - last - TICK_MS - (nowWaited - lastWaited);
    [last, lastWaited] = [now, nowWaited];
    if (held >= SHORTEST_MS) appendFileSync(into, `${held.toFixed(1)}\n`);
  }, TICK_MS);
  tick.unref();
}

if (file) watch(file);
