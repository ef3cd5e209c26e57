import type { Dice } from "./dice.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    0.5,
    1e21,
    2 ** 53,
    -(2 ** 53),
    "",
    " ",
    "\0",
    "\ud800",
    "é",
    "e\u0301",
  ],
  ...["a".repeat(33), "a".repeat(300), "{x}", [], {}, [[]], [{}], { "": null }],
];
const NAMES = ["", "__proto__", "constructor", "toString", "length", "é", "e\u0301", "a/b~c", "0"];

/** A JSON text with a place of its tree changed; null when it is none. */
export function changedJson(
  text: string,
  other: string,
  rolls: Dice,
  words: readonly string[],
): string | null {
  const tree = read(text);
  if (tree === undefined) return null;
  const donor = read(other);
  return JSON.stringify(changed(tree, donor ?? null, rolls, words));
}

/** A tree with a place changed: the chance to stop grows with every step down. */
function changed(tree: Json, donor: Json, rolls: Dice, words: readonly string[]): Json {
  const { below, pick } = rolls;
  const isInner = typeof tree === "object" && tree !== null;
  if (!isInner || below(3) === 0) return exchanged(tree, donor, rolls, words);
  if (Array.isArray(tree)) {
    const at = below(tree.length);
    const items = [...tree];
    const item = items[at];
    if (item === undefined) return [exchanged(null, donor, rolls, words)];
    const kind = below(6);
    if (kind === 0) items.splice(at, 1);
    else if (kind === 1) items.splice(at, 0, item);
    else items[at] = changed(item, donor, rolls, words);
    return items;
  }
  const members = Object.entries(tree);
  const at = below(members.length);
  const member = members[at];
  const kind = below(8);
  if (kind === 0) members.splice(at, 1);
  else if (kind === 1 || !member)
    members.push([pick(pick([NAMES, words])), exchanged(null, donor, rolls, words)]);
  else if (kind === 2) members[at] = [pick(words), member[1]];
  else members[at] = [member[0], changed(member[1], donor, rolls, words)];
  return Object.fromEntries(members);
}

function exchanged(old: Json, donor: Json, rolls: Dice, words: readonly string[]): Json {
  const { below, pick } = rolls;
  switch (below(6)) {
    case 0:
      return pick(words);
    case 1:
      return piece(donor, rolls);
    case 2:
      return pick([[old], { [pick(NAMES)]: old }]);
    case 3:
      return typeof old === "string" ? old + pick(words) : typeof old === "number" ? old + 1 : pick(VALUES);
    default:
      return pick(VALUES);
  }
}

/** Some place of a tree. */
function piece(tree: Json, rolls: Dice): Json {
  if (typeof tree !== "object" || tree === null || rolls.below(3) === 0) return tree;
  const inner = Object.values(tree);
  return inner.length === 0 ? tree : piece(rolls.pick(inner), rolls);
}

function read(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
