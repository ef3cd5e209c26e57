/** Milliseconds since the epoch with fractions, the same in every process of this machine. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Looks again and again until it holds. @throws after `limitMs`, with what was waited for. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { limitMs = 120_000, everyMs = 20 }: { limitMs?: number; everyMs?: number } = {},
): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await Bun.sleep(everyMs);
  }
}
