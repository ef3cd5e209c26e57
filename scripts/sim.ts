/** Simulates the appliance: `bun run sim --seed N [--seeds N] [--messages N] [--faults a,b] [--only 1,2] [--shrink] [--story]`. */

import { audit } from "../test/sim/auditor/audit.ts";
import { drawPlan } from "../test/sim/workload/draw-plan.ts";
import { run } from "../test/sim/world/run.ts";

const arg = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
};
const seed = Number(arg("seed") ?? 1);
const seeds = Number(arg("seeds") ?? 1);
const messages = Number(arg("messages") ?? 1000);
process.on("unhandledRejection", (e) => {
  if (!String(e).includes("Killed")) console.log("UNHANDLED", e);
});
setImmediate(() => {
  for (let s = seed; s < seed + seeds; s++) {
    const t = performance.now();
    const outcome = run(drawPlan(s, { messages }));
    const t1 = performance.now();
    const verdict = audit(outcome.observations);
    console.log(
      `seed ${s}: ${outcome.observations.length} seen, ${outcome.figures.lives} lives, ${Math.round(outcome.figures.simulatedMs / 1000)} s, ${outcome.figures.commits} commits, ${Math.round(t1 - t)} ms + ${Math.round(performance.now() - t1)} ms; ${outcome.troubles.join("; ")}; findings ${verdict.findings.length} ${Bun.hash(JSON.stringify(outcome.observations))}`,
    );
    for (const f of verdict.findings.slice(0, 12)) console.log("   ", f.rule, "|", f.what.slice(0, 400));
    if (process.argv.includes("--log"))
      for (const l of outcome.log) console.log(l.life, Math.round(l.atMs), l.line);
  }
});
