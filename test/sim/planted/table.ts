import type { Plant } from "./plant.ts";

/** How a plant was found: the seed that broke a promise first, and the rules that saw it, the first finding's first. */
export type Found = { readonly name: string; readonly seed: number | null; readonly what: string };

const HEAD = `# Planted bugs

Each was put into a copy of the source, alone, and simulated until a promise was broken that the same seed keeps without the bug:
\`bun scripts/planted.ts\` tries the seed of this table first, then all from 1 on. With \`--write\` this table is written anew. A bug that is not found is a hole in the simulation or
in what judges it. \`bun scripts/planted.ts --only NAME --story SEED\` tells what the bug does there, in the fewest steps.

| name | the bug | seed | options | the rules that saw it |
|---|---|---|---|---|
`;

const ROW = /^\| ([a-z0-9-]+) \|.*\| (\d+|not found) \|[^|]*\| ([a-z, -]*) \|$/gm;

function rowsOf(table: string): Found[] {
  return [...table.matchAll(ROW)].map(([, name = "", seed = "", what = ""]) => ({
    name,
    seed: seed === "not found" ? null : Number(seed),
    what,
  }));
}

/** The seed that found each plant of a table. */
export function seedsIn(table: string): (readonly [string, number])[] {
  return rowsOf(table).flatMap(({ name, seed }) => (seed === null ? [] : [[name, seed] as const]));
}

/** What a table says, with what was found now in place of what it said before. */
export function withFound(table: string, found: readonly Found[]): readonly Found[] {
  return [...rowsOf(table).filter(({ name }) => !found.some((now) => now.name === name)), ...found];
}

/** The table of those that were looked for, in the order of the plants. */
export function tableOf(plants: readonly Plant[], found: readonly Found[]): string {
  const rows = plants.flatMap(({ name, bug, options = [] }) => {
    const result = found.find((each) => each.name === name);
    if (!result) return [];
    const words = options.length > 0 ? `\`${options.join(" ")}\`` : "";
    return [`| ${name} | ${bug} | ${result.seed ?? "not found"} | ${words} | ${result.what} |`];
  });
  return `${HEAD}${rows.join("\n")}\n`;
}
