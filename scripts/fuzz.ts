/**
 * Throws random and damaged input at the SMPP codec, the framing, the session and the receipt parser:
 * `bun run fuzz [inputs] [seed]`, a million from seed 1 unless told otherwise. Every input has a seed of its own, so
 * that one that fails is repeated by `bun run fuzz 1 SEED`, whichever property it is drawn for. Exits 1 at a failure.
 */
import { dice } from "../test/fuzz/dice.ts";
import { PROPERTIES } from "../test/fuzz/properties.ts";

const inputs = Number(process.argv[2] ?? 1_000_000);
const firstSeed = Number(process.argv[3] ?? 1);
const rounds = Math.max(1, Math.ceil(inputs / PROPERTIES.length));
const MOST_SHOWN = 5;

let failures = 0;
const beganAt = performance.now();
for (const { name, check } of PROPERTIES) {
  const startedAt = performance.now();
  let failed = 0;
  let slowestMs = 0;
  let slowestSeed = firstSeed;
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const at = performance.now();
    try {
      check(dice(seed));
    } catch (error) {
      failed += 1;
      if (failed <= MOST_SHOWN)
        console.log(
          `  seed ${seed} (bun run fuzz 1 ${seed}): ${error instanceof Error ? error.message : error}`,
        );
    }
    const ms = performance.now() - at;
    if (ms > slowestMs) [slowestMs, slowestSeed] = [ms, seed];
  }
  failures += failed;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const slowest = `slowest ${slowestMs.toFixed(1)} ms (seed ${slowestSeed})`;
  console.log(
    `${failed === 0 ? "holds" : `FAILS ${failed} ×`}  ${name}: ${rounds} inputs in ${seconds} s, ${slowest}`,
  );
}
const all = rounds * PROPERTIES.length;
console.log(`${all} inputs in ${((performance.now() - beganAt) / 1000).toFixed(1)} s, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
