/** The simulation is worth what its judge does not share with the judged, and what it can do twice. */
import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, localImportsOf, specifiersOf } from "./source.ts";

const FILES = filesBelow("test/sim").filter((file) => file.endsWith(".ts"));

/** Files that stand at the edge of real processes, or draw a seed that nobody has tried. */
const AT_THE_EDGE =
  /^test\/sim\/(centre\/over-tcp|receiver\/over-https)(\.test)?\.ts$|^test\/sim\/judge\/(many|options)\.ts$/;

describe("the auditor", () => {
  const auditor = FILES.filter((file) => file.startsWith("test/sim/auditor/"));

  test("imports nothing of ours but what was observed and itself, so that it shares no mistake with the source", () => {
    expect(auditor.length).toBeGreaterThan(50);
    const others = auditor.flatMap((file) =>
      localImportsOf(file)
        .filter((target) => target !== "test/sim/observation.ts" && !target.startsWith("test/sim/auditor/"))
        .map((target) => `${file} → ${target}`),
    );
    expect(others).toEqual([]);
  });

  test("reads no files, and opens no database", () => {
    const effects = /^(node:fs|bun|node:child_process|node:net)(\/|:|$)/;
    expect(auditor.filter((file) => specifiersOf(file).some((name) => effects.test(name)))).toEqual([]);
  });

  test("is told what was seen in words that import nothing either", () => {
    expect(localImportsOf("test/sim/observation.ts")).toEqual([]);
  });
});

describe("a simulated run", () => {
  const inside = FILES.filter((file) => !AT_THE_EDGE.test(file));
  const found = (pattern: RegExp, files: readonly string[]) =>
    files.filter((file) => pattern.test(codeOf(file, "emptied")));

  test("reads no real clock, and waits for none", () => {
    const clocks =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.(now|timeOrigin)\b|\bset(Timeout|Interval|Immediate)\b|\bhrtime\b|\bBun\.(sleep|sleepSync|nanoseconds)\b|\bsystemClock\b/;
    expect(found(clocks, inside)).toEqual([]);
    expect(found(clocks, FILES)).not.toEqual([]);
  });

  test("draws from its seed alone", () => {
    const chance =
      /\bMath\.random\b|\brandom(Bytes|Int|UUID|UUIDv7|Fill|FillSync)\b|\bgetRandomValues\b|\bsystemChance\b/;
    expect(found(chance, inside)).toEqual([]);
    expect(found(chance, FILES)).not.toEqual([]);
  });
});
