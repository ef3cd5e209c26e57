import { describe, expect, test } from "vitest";
import { filesBelow, isProgram, localImportsOf, roomOf } from "./source.ts";

const PROGRAMS = filesBelow("src").filter(isProgram);

/** Files that import each other all the same. Take out what was untied; nothing is added. */
const TIED: readonly string[] = [];

/** A room; what runs in browsers is one part. */
function partOf(file: string): string {
  return roomOf(file).replace(/^console\/ui\/.*$/, "console/ui");
}

/** Groups of nodes of which each leads to every other, in order (Tarjan's algorithm). */
function circlesOf(leadsTo: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const indexOf = new Map<string, number>();
  const lowOf = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    const index = indexOf.size;
    indexOf.set(node, index);
    lowOf.set(node, index);
    stack.push(node);
    for (const next of leadsTo.get(node) ?? []) {
      if (!indexOf.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      lowOf.set(node, Math.min(lowOf.get(node) ?? 0, lowOf.get(next) ?? 0));
    }
    if (lowOf.get(node) !== index) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of leadsTo.keys()) if (!indexOf.has(node)) visit(node);
  return circles;
}

/** The imports between programs, types included, as named by `nameOf`. */
function imports(nameOf: (file: string) => string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of PROGRAMS) {
    const from = nameOf(file);
    const targets = localImportsOf(file).filter((target) => target.startsWith("src/") && target !== file);
    const named = targets.map(nameOf).filter((target) => target !== from);
    found.set(from, new Set([...(found.get(from) ?? []), ...named]));
  }
  return found;
}

describe("imports fall one way", () => {
  test("among rooms: each stands above what it uses", () => {
    expect(circlesOf(imports(partOf))).toEqual([]);
  });

  test("among files but those on the list, and the list holds no other", () => {
    const circles = circlesOf(imports((file) => file));
    expect(circles.map((circle) => circle.join(" ")).sort()).toEqual([...TIED]);
  });

  test("a circle is found where there is one", () => {
    const ring = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c"])],
      ["c", new Set(["b", "d"])],
      ["d", new Set<string>()],
    ]);
    expect(circlesOf(ring)).toEqual([["b", "c"]]);
  });
});
