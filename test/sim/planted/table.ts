import type { Plant } from "./plant.ts";

/** How a plant was found: the seed that broke a promise first, and the rule that saw it. */
export type Found = { readonly name: string; readonly seed: number | null; readonly what: string };

const HEAD = `# Planted bugs

Each was put into a copy of the source, alone, and simulated from seed 1 on until a promise was broken: \`bun run planted\`.
With \`--write\` this table is written anew. A bug that is not found is a hole in the simulation or in what judges it.

| name | the bug | seed | the rule that saw it |
|---|---|---|---|
`;

/** What a table says, with what was found now in place of what it said before. */
export function withFound(table: string, found: readonly Found[]): readonly Found[] {
  const before = [...table.matchAll(/^\| ([a-z0-9-]+) \|.*\| (\d+|not found) \| ([a-z-]*) \|$/gm)].map(
    ([, name = "", seed = "", what = ""]): Found => ({
      name,
      seed: seed === "not found" ? null : Number(seed),
      what,
    }),
  );
  return [...before.filter(({ name }) => !found.some((now) => now.name === name)), ...found];
}

/** The table of those that were looked for, in the order of the plants. */
export function tableOf(plants: readonly Plant[], found: readonly Found[]): string {
  const rows = plants.flatMap(({ name, bug }) => {
    const result = found.find((each) => each.name === name);
    return result ? [`| ${name} | ${bug} | ${result.seed ?? "not found"} | ${result.what} |`] : [];
  });
  return `${HEAD}${rows.join("\n")}\n`;
}
