/**
 * How many steps a backtracking matcher takes for a pattern over a text, counted and not timed, and texts that make a pattern backtrack,
 * derived from the pattern itself. It is a matcher of the plainest kind: engines that are wiser take fewer steps, none takes more.
 *
 * What one character matches is asked of the real engine, an atom at a time; structure alone is read here.
 */

type Atom = { readonly kind: "atom"; readonly takes: (character: string) => boolean };
type Part =
  | Atom
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly options: readonly Part[] }
  | {
      readonly kind: "repeat";
      readonly part: Part;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    }
  | { readonly kind: "group"; readonly part: Part; readonly index: number }
  | { readonly kind: "look"; readonly part: Part; readonly behind: boolean; readonly not: boolean }
  | { readonly kind: "again"; readonly name: string | number }
  | { readonly kind: "edge"; readonly edge: "^" | "$" | "b" | "B" };

export type CountedPattern = {
  readonly source: string;
  readonly flags: string;
  readonly part: Part;
  /** One of each kind of characters that the atoms of the pattern tell apart. */
  readonly characters: readonly string[];
};

/** Loops that go on for fewer repetitions than these take a bounded time. */
const MANY = 100;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const ESCAPE = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[\s\S])/u;

/** Reads a pattern, as the engine would. @throws for what is not known here */
export function readPattern(source: string, flags: string): CountedPattern {
  let at = 0;
  let groups = 0;
  const names = new Map<string, number>();
  const atoms: Atom[] = [];
  const literals = new Set<string>();
  const atom = (written: string): Atom => {
    const whole = new RegExp(`^(?:${written})$`, flags.replace(/[gmy]/g, ""));
    const known = new Map<string, boolean>();
    const made: Atom = {
      kind: "atom",
      takes: (character) => {
        const before = known.get(character);
        if (before !== undefined) return before;
        const takes = whole.test(character);
        known.set(character, takes);
        return takes;
      },
    };
    atoms.push(made);
    return made;
  };
  const choice = (): Part => {
    const options: Part[] = [sequence()];
    while (source[at] === "|") {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(term()));
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  };
  const repeated = (part: Part): Part => {
    const found = QUANTIFIER.exec(source.slice(at));
    if (!found) return part;
    const [written, least, comma, most] = found;
    at += written.length;
    const [from, to] =
      least !== undefined
        ? [
            Number(least),
            comma === undefined ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY,
          ]
        : written.startsWith("?")
          ? [0, 1]
          : [written.startsWith("+") ? 1 : 0, Number.POSITIVE_INFINITY];
    const lazy = written.length > 1 && written.endsWith("?");
    return { kind: "repeat", part, least: from, most: to, lazy };
  };
  const group = (): Part => {
    at += 1;
    const look = /^\?(<?)([=!])/.exec(source.slice(at));
    const named = /^\?<([A-Za-z_$][\w$]*)>/.exec(source.slice(at));
    let index: number | null = null;
    if (look) at += look[0].length;
    else if (source.startsWith("?:", at)) at += 2;
    else {
      index = ++groups;
      if (named) {
        at += named[0].length;
        names.set(named[1]!, index);
      } else if (source[at] === "?") throw new Error(`unknown group in ${source}`);
    }
    const part = choice();
    if (source[at] !== ")") throw new Error(`no end of a group in ${source}`);
    at += 1;
    if (look) return { kind: "look", part, behind: look[1] === "<", not: look[2] === "!" };
    return index === null ? part : { kind: "group", part, index };
  };
  const term = (): Part => {
    const next = source[at]!;
    if (next === "(") return group();
    if (next === "^" || next === "$") {
      at += 1;
      return { kind: "edge", edge: next };
    }
    if (next === "[") {
      let end = at + 1;
      while (source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
      const written = source.slice(at, end + 1);
      at = end + 1;
      for (const character of written) literals.add(character);
      return atom(written);
    }
    if (next === "\\") {
      const again = /^\\(?:k<([^>]+)>|([1-9]\d*))/.exec(source.slice(at));
      if (again) {
        at += again[0].length;
        return { kind: "again", name: again[1] ?? Number(again[2]) };
      }
      const edge = /^\\([bB])/.exec(source.slice(at))?.[1];
      if (edge === "b" || edge === "B") {
        at += 2;
        return { kind: "edge", edge };
      }
      const written = ESCAPE.exec(source.slice(at))![0];
      at += written.length;
      return atom(written);
    }
    const character = String.fromCodePoint(source.codePointAt(at)!);
    at += character.length;
    if (character !== ".") literals.add(character);
    return atom(character);
  };
  const part = choice();
  if (at !== source.length) throw new Error(`not all of ${source} was read`);
  const kinds = new Map<string, string>();
  for (const character of [...literals, ...POOL]) {
    const kind = atoms.map(({ takes }) => (takes(character) ? 1 : 0)).join("");
    if (!kinds.has(kind)) kinds.set(kind, character);
  }
  return { source, flags, part: namesIn(part, names), characters: [...kinds.values()] };
}

/** Characters that patterns tell apart. */
const POOL = [
  ..."aAfgzZ019 \t\n\r\0.,;:-_+*/\\'\"`()[]{}<>&=#%!?@$^|~éÀ٣…–日",
  ..."\u00a0\u0301\u0085\u0011\u200e\ufeff\u2028",
];

function namesIn(part: Part, names: ReadonlyMap<string, number>): Part {
  switch (part.kind) {
    case "again":
      return typeof part.name === "string" ? { kind: "again", name: names.get(part.name) ?? 0 } : part;
    case "sequence":
      return { ...part, parts: part.parts.map((one) => namesIn(one, names)) };
    case "choice":
      return { ...part, options: part.options.map((one) => namesIn(one, names)) };
    case "repeat":
    case "group":
    case "look":
      return { ...part, part: namesIn(part.part, names) };
    default:
      return part;
  }
}

/** More steps than any text here should take: the count ends there, as without end. */
const MAX_STEPS = 1_000_000;

/** The steps of finding every match in a text, one after the other. */
export function stepsOf({ part, flags }: CountedPattern, text: string): number {
  const characters = flags.includes("u") ? [...text] : text.split("");
  const isWord = (at: number): boolean => /\w/.test(characters[at] ?? "");
  const isMultiline = flags.includes("m");
  let steps = 0;
  const tooMany = new Error("too many steps");
  const step = (): void => {
    steps += 1;
    if (steps > MAX_STEPS) throw tooMany;
  };
  const captures = new Map<number, readonly [number, number]>();
  type Next = (at: number) => boolean;
  /** `way`: 1 forwards, -1 in what is looked for behind. */
  const match = (of: Part, at: number, way: 1 | -1, next: Next): boolean => {
    step();
    switch (of.kind) {
      case "atom": {
        const place = way === 1 ? at : at - 1;
        const character = characters[place];
        return character !== undefined && of.takes(character) && next(at + way);
      }
      case "sequence": {
        const { parts } = of;
        const from = (index: number, place: number): boolean => {
          const one = parts[way === 1 ? index : parts.length - 1 - index];
          return one === undefined ? next(place) : match(one, place, way, (after) => from(index + 1, after));
        };
        return from(0, at);
      }
      case "choice":
        return of.options.some((option) => match(option, at, way, next));
      case "group": {
        const before = captures.get(of.index);
        const isDone = match(of.part, at, way, (after) => {
          captures.set(of.index, way === 1 ? [at, after] : [after, at]);
          return next(after);
        });
        if (!isDone) {
          if (before) captures.set(of.index, before);
          else captures.delete(of.index);
        }
        return isDone;
      }
      case "look": {
        const isThere = match(of.part, at, of.behind ? -1 : 1, () => true);
        return isThere !== of.not && next(at);
      }
      case "again": {
        const [begin, end] = captures.get(Number(of.name)) ?? [0, 0];
        for (let index = 0; index < end - begin; index++) {
          step();
          if (characters[begin + index] !== characters[way === 1 ? at + index : at - (end - begin) + index])
            return false;
        }
        return next(at + way * (end - begin));
      }
      case "edge":
        return isAtEdge(of.edge, at) && next(at);
      case "repeat":
        return of.part.kind === "atom" ? ofOne(of, of.part, at, way, next) : ofMany(of, 0, at, way, next);
    }
  };
  const isAtEdge = (edge: "^" | "$" | "b" | "B", at: number): boolean => {
    if (edge === "^") return at === 0 || (isMultiline && characters[at - 1] === "\n");
    if (edge === "$") return at === characters.length || (isMultiline && characters[at] === "\n");
    return (isWord(at - 1) !== isWord(at)) === (edge === "b");
  };
  type Repeat = Extract<Part, { kind: "repeat" }>;
  const ofOne = ({ least, most, lazy }: Repeat, atom: Atom, at: number, way: 1 | -1, next: Next): boolean => {
    const takes = (count: number): boolean => {
      step();
      const character = characters[way === 1 ? at + count : at - count - 1];
      return character !== undefined && atom.takes(character);
    };
    let count = 0;
    while (count < least) if (!takes(count++)) return false;
    if (lazy) {
      for (;;) {
        if (next(at + way * count)) return true;
        if (count === most || !takes(count++)) return false;
      }
    }
    while (count < most && takes(count)) count += 1;
    for (; count >= least; count--) {
      step();
      if (next(at + way * count)) return true;
    }
    return false;
  };
  const ofMany = (of: Repeat, count: number, at: number, way: 1 | -1, next: Next): boolean => {
    step();
    const again = (): boolean =>
      count < of.most &&
      match(of.part, at, way, (after) =>
        after === at && count >= of.least ? false : ofMany(of, count + 1, after, way, next),
      );
    if (count < of.least) return again();
    return of.lazy ? next(at) || again() : again() || next(at);
  };
  try {
    for (let at = 0; at <= characters.length; ) {
      let end = -1;
      captures.clear();
      const isFound = match(part, at, 1, (after) => {
        end = after;
        return true;
      });
      if (!isFound && flags.includes("y")) break;
      at = isFound && end > at ? end : at + 1;
    }
  } catch (error) {
    if (error !== tooMany) throw error;
    return Number.POSITIVE_INFINITY;
  }
  return steps;
}

/** Where a loop without an end stands: what leads to it, and what it repeats. */
type Loop = { readonly lead: string; readonly bodies: readonly string[]; readonly others: readonly string[] };

/** A short text that a part takes, as far as one can be said; of several characters the first. */
function sampleOf(part: Part, characters: readonly string[], preferred = 0): string {
  switch (part.kind) {
    case "atom": {
      const taken = characters.filter((character) => part.takes(character));
      return taken[preferred % Math.max(1, taken.length)] ?? "";
    }
    case "sequence":
      return part.parts.map((one) => sampleOf(one, characters, preferred)).join("");
    case "choice":
      return sampleOf(part.options[preferred % part.options.length]!, characters, preferred);
    case "repeat":
      return sampleOf(part.part, characters, preferred).repeat(Math.max(part.least, 1));
    case "group":
      return sampleOf(part.part, characters, preferred);
    default:
      return "";
  }
}

const MAX_BODIES = 20;

function loopsIn(part: Part, lead: string, characters: readonly string[]): Loop[] {
  switch (part.kind) {
    case "sequence": {
      const loops: Loop[] = [];
      let before = lead;
      for (const one of part.parts) {
        loops.push(...loopsIn(one, before, characters));
        before += sampleOf(one, characters);
      }
      return loops;
    }
    case "choice":
      return part.options.flatMap((option) => loopsIn(option, lead, characters));
    case "group":
    case "look":
      return loopsIn(part.part, lead, characters);
    case "repeat": {
      const inner = loopsIn(part.part, lead, characters);
      if (part.most - part.least < MANY) return inner;
      const bodies = new Set<string>();
      for (let preferred = 0; preferred < 2 * MAX_BODIES && bodies.size < MAX_BODIES; preferred++)
        bodies.add(sampleOf(part.part, characters, preferred));
      const { part: body } = part;
      const others =
        body.kind === "atom" ? characters.filter((character) => !body.takes(character)) : characters;
      return [...inner, { lead, bodies: [...bodies], others: others.slice(0, 3) }];
    }
    default:
      return [];
  }
}

/** Characters of which pairs are tried. */
const MAX_PAIRED = 7;
/** A character that no pattern of ours names. */
const STRANGER = "\u16a0";

/** A text by the number of times that something in it is repeated. */
export type Pumped = (times: number) => string;

/** Texts that may make a pattern slow: its loops begun and begun again, and never ended as they should be. */
export function hostileTexts({ part, characters }: CountedPattern): readonly Pumped[] {
  const loops = loopsIn(part, "", characters);
  if (loops.length === 0) return [];
  const shapes = new Map<string, Pumped>();
  const add = (head: string, body: string, tail: string): void => {
    if (body !== "")
      shapes.set(JSON.stringify([head, body, tail]), (times) => head + body.repeat(times) + tail);
  };
  for (const { lead, bodies, others } of loops)
    for (const tail of ["", STRANGER, ...others]) {
      for (const body of bodies) {
        add("", body, tail);
        add(lead, body, tail);
        add("", lead + body, tail);
      }
      add("", lead, tail);
    }
  for (const one of characters) for (const tail of ["", STRANGER]) add("", one, tail);
  const paired = characters.slice(0, MAX_PAIRED);
  for (const one of paired) for (const other of paired) if (one !== other) add("", one + other, STRANGER);
  return [...shapes.values()];
}
