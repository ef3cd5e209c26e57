import { expect, test } from "vitest";
import { textsOfObjects } from "./text-of-objects.ts";

/** Programs that nobody wrote, with every way in which a text is made of an object, and others in which none is. */
const PLANTED = {
  file: "src/planted.ts",
  text: `
    type Day = { readonly startMs: number };
    declare const day: Day, list: readonly number[], unknown: unknown, any: any, maybe: Day | string;
    declare const name: string, count: number, large: bigint, flag: boolean | null, query: URLSearchParams;
    declare const word: "A" | "B", made: { toString(): string };
    export const wrong = <T>(one: T) => [\`\${day}\`, \`\${list}\`, \`\${unknown}\`, \`\${any}\`, \`\${maybe}\`, \`\${one}\`];
    export let sum = name + day;
    sum += list;
    export const told = [String(day), day.toString(), String(maybe)];
    export const right = <T extends number>(one: T) =>
      [\`\${name}\${count}\${large}\${flag}\${query}\${word}\${one}\`, name + count, String(unknown), made.toString(), count + any];
  `,
};

test("no text is made of an object, which would be [object Object] for each of them", () => {
  const found = new Map(textsOfObjects(PLANTED));
  expect(found.get(PLANTED.file)).toEqual([
    ...["day", "list", "unknown", "any", "maybe", "one", "day", "list"],
    ...["String(day)", "day.toString()", "String(maybe)"],
  ]);
  found.delete(PLANTED.file);
  expect([...found]).toEqual([]);
}, 300_000);
