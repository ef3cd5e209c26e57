/**
 * What takes hours, on request: the executable killed, cut off, attacked and rehearsed, a thousand seeds, every planted bug, a
 * million inputs, a year, and the console in every combination of role, language and screen. Closes with `N passed, N failed`.
 */
import { program, runSteps } from "./steps.ts";

await runSteps([
  { name: "build", command: [process.execPath, "build.ts"] },
  { name: "console in every combination, and rough days", command: program("test.ts", "--nightly") },
  { name: "operators' quirks", command: program("rehearse.ts") },
  { name: "attacks", command: program("hostile.ts") },
  { name: "kills", command: program("torture.ts") },
  { name: "power cuts", command: program("power-cut.ts") },
  { name: "simulation", command: program("sim.ts", "--seeds", drawSeeds(1000), "--brief") },
  { name: "planted bugs", command: program("planted.ts") },
  { name: "inputs", command: program("fuzz.ts", "1000000") },
  { name: "a year at a steady load", command: program("year.ts") },
  { name: "a year of an administrator", command: program("admin-year.ts") },
]);

/** So many seeds in a row that no night met before. */
function drawSeeds(count: number): string {
  const first = 2_000_000_000 + Math.floor(Math.random() * 1_000_000_000);
  return `${first}-${first + count - 1}`;
}
